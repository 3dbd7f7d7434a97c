#include "flymc/detail/posterior/local_pass.hpp"

#include "flymc/detail/core/special.hpp"

namespace flymc {

// The quantile of a chi distribution by Wilson and Hilferty, within 0.1 for tails up to 1e-10 but
// for one parameter, which it gives 0.4 too much.
std::vector<double> shell_offsets(std::size_t rows, Index parameters) {
  const auto d = static_cast<double>(parameters);
  const double z = -normal_quantile(1.0 / static_cast<double>(std::max<std::size_t>(rows, 2)));
  const double spread = 2.0 / (9.0 * d);
  const double quantile = std::sqrt(d) * std::pow(1.0 - spread + z * std::sqrt(spread), 1.5);
  const double innermost = std::max(2.5, quantile - std::sqrt(d));
  return {innermost, innermost + 1.5, innermost + 5.5};
}

}  // namespace flymc
