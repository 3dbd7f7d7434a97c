// log Phi and its derivatives in long double from integrals of positive functions alone:
//   Phi(y)/Phi'(y) = J_0, J_k = int_0^inf t^k e^(y t - t^2/2) dt, and 1 + y J_0 = J_1 by parts, so
//   m = 1 / J_0 and y + m = J_1 / J_0.
#pragma once

#include <cmath>
#include <numbers>

#include "support/long_integral.hpp"

namespace flymc::unit {

struct NormalReference {
  long double value;   // log Phi(y)
  long double slope;   // m(y)
  long double excess;  // y + m(y)
};

// J_0 and J_1 for y <= 0, up to where the exponent is -48.
[[nodiscard]] inline Moments mills_integrals(long double y) {
  const long double end = 96.0L / (std::sqrt(y * y + 96.0L) - y);
  constexpr int kPanels = 4;
  return moments(0.0L, end, kPanels, [y](long double t) { return std::exp(y * t - t * t / 2); });
}

[[nodiscard]] inline NormalReference normal_reference(long double y) {
  const long double log_root = std::log(2.0L * std::numbers::pi_v<long double>) / 2;
  if (y <= 0.0L) {
    const Moments j = mills_integrals(y);
    return {std::log(j.zeroth) - y * y / 2 - log_root, 1.0L / j.zeroth, j.first / j.zeroth};
  }
  const long double density = std::exp(-y * y / 2 - log_root);
  const long double upper = density * mills_integrals(-y).zeroth;
  const long double slope = density / (1.0L - upper);
  return {std::log1p(-upper), slope, y + slope};
}

}  // namespace flymc::unit
