// log Phi and its derivatives in quad precision from integrals of positive functions alone:
//   Phi(y)/Phi'(y) = J_0, J_k = int_0^inf t^k e^(y t - t^2/2) dt, and 1 + y J_0 = J_1 by parts, so
//   m = 1 / J_0 and y + m = J_1 / J_0.
#pragma once

#include <cmath>

#include "support/long_integral.hpp"

namespace flymc::unit {

struct NormalReference {
  Real value;   // log Phi(y)
  Real slope;   // m(y)
  Real excess;  // y + m(y)
};

// J_0 and J_1 for y <= 0, up to where the exponent is -48.
[[nodiscard]] inline Moments mills_integrals(Real y) {
  const Real end = 96.0L / (sqrt(y * y + 96.0L) - y);
  constexpr int kPanels = 4;
  return moments(0.0L, end, kPanels, [y](Real t) { return exp(y * t - t * t / 2); });
}

[[nodiscard]] inline NormalReference normal_reference(Real y) {
  const Real log_root = log(2.0L * kPi) / 2;
  if (y <= 0.0L) {
    const Moments j = mills_integrals(y);
    return {log(j.zeroth) - y * y / 2 - log_root, 1.0L / j.zeroth, j.first / j.zeroth};
  }
  const Real density = exp(-y * y / 2 - log_root);
  const Real upper = density * mills_integrals(-y).zeroth;
  const Real slope = density / (1.0L - upper);
  return {log1p(-upper), slope, y + slope};
}

}  // namespace flymc::unit
