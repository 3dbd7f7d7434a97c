// Model formulas: what is accepted names columns, and a term is read back as it was.
#include "data/table/formula.hpp"
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace flymc;
  (void)fuzz::refusal([&] {
    const std::string text(fuzz::text_of(data, size));
    const Formula formula = parse_formula(text);
    const auto is_named = [](const std::string& name) { return !name.empty(); };
    fuzz::require(std::ranges::all_of(formula.columns(), is_named), "columns have names");
    for (const Formula::Term& term : formula.terms) {
      fuzz::require(
          !term.empty() && std::ranges::is_sorted(term) && term.back() < formula.variables.size(),
          "terms are of variables");
    }
    fuzz::require(std::ranges::all_of(formula.offsets,
                                      [&](std::size_t v) { return v < formula.variables.size(); }),
                  "offsets are variables");
    for (const Formula::Variable& variable : formula.variables) {
      const Formula again = parse_formula("~ " + variable.text);
      // x^2 and s(x) stand behind their x.
      fuzz::require(again.variables.back().text == variable.text, "a variable's own text");
    }
    const LoadSpec spec = resolve_formula({.formula = text}, formula);
    fuzz::require(spec.response == formula.response, "the response of the formula");
  });
  return 0;
}
