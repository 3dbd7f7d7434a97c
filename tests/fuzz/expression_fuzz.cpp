// Likelihoods as text: what is accepted has a value, or none, for every row; over a box its values
// lie where its slope says.
#include "family/auto/expression.hpp"
#include "flymc/detail/family/auto/dual.hpp"
#include "flymc/detail/family/auto/slope.hpp"
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace flymc;
  using Slope = smooth::Slope<2, 4>;
  (void)fuzz::refusal([&] {
    const Expression expression(std::string(fuzz::text_of(data, size)), {"mu", "size"}, {"y", "z"});
    fuzz::require(expression.columns_used().size() <= 2, "columns of the data");
    for (const double y : {0.0, 1.0, 7.0, -2.5}) {
      const std::array<double, 2> row{y, 0.3};
      const auto value =
          expression.log_density(std::array{smooth::Value(0.21), smooth::Value(1.09)}, row);
      const Slope slope = expression.log_density(
          std::array{Slope::variable(0.2, {0.01, 0.0}), Slope::variable(1.1, {0.0, 0.01})}, row);
      if (std::isfinite(value.value)) {
        const double room = 1e-9 * (1.0 + std::abs(value.value));
        fuzz::require(slope.range.lo <= value.value + room && value.value <= slope.range.hi + room,
                      "the range of a box holds its corner");
      }
    }
  });
  return 0;
}
