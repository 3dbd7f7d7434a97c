// What a bright row adds to a log density.
#pragma once

#include <limits>

#include "flymc/detail/core/numeric.hpp"

namespace flymc {

// And its derivative in the row's u.
struct BrightValue {
  double value = 0.0;
  double slope = 0.0;
};

// log L/B. `constant`: a local bound that does not hold here, so that L e^-slack is the bound, and
// the gap is 0 whatever u is.
[[nodiscard]] inline double gap_with_slack(double gap, double slack, bool constant) noexcept {
  return (constant ? 0.0 : gap) + slack;
}

// log(L/B - 1). Below zero, which can only be where the bound does not hold, the row cannot be
// bright; just above it, below the slack, is a pole, which pushes nowhere (any field of forces is
// legal).
[[nodiscard]] inline BrightValue bright_value(double gap, double slope, double slack,
                                              bool constant) noexcept {
  const double with_slack = gap_with_slack(gap, slack, constant);
  if (!(with_slack > 0.0)) {
    return {-std::numeric_limits<double>::infinity(), 0.0};
  }
  const LogExpm1 factor = log_expm1(with_slack);
  const bool pushes = !constant && with_slack >= 0.99 * slack;
  return {factor.value, pushes ? slope * factor.derivative : 0.0};
}

}  // namespace flymc
