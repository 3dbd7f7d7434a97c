// Model formulas: what is accepted names columns, and a product has at least two factors.
#include "data/table/formula.hpp"
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace flymc;
  (void)fuzz::refusal([&] {
    const std::string text(fuzz::text_of(data, size));
    const Formula formula = parse_formula(text);
    const auto is_named = [](const std::string& name) { return !name.empty(); };
    fuzz::require(std::ranges::all_of(formula.columns, is_named), "columns have names");
    for (const Formula::Product& product : formula.products) {
      fuzz::require(product.size() > 1 && std::ranges::all_of(product, is_named), "products");
    }
    const LoadSpec spec = resolve_formula({.formula = text}, formula);
    fuzz::require(spec.response == formula.response, "the response of the formula");
  });
  return 0;
}
