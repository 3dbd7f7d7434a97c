// Log-space functions that neither overflow nor cancel; everything that touches a gap uses these.
#pragma once

#include <cmath>

namespace flymc {

// log(1 + e^x).
[[nodiscard]] inline double softplus(double x) noexcept {
  return x > 0.0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}

// 1 / (1 + e^-x).
[[nodiscard]] inline double sigmoid(double x) noexcept {
  if (x >= 0.0) {
    return 1.0 / (1.0 + std::exp(-x));
  }
  const double e = std::exp(x);
  return e / (1.0 + e);
}

// em(x) = e^x - 1 - x >= 0 to a relative error of about 3e-15: by the series where expm1(x) - x
// would cancel, |x| <= 0.1. Of a number or of an array of them.
template <class Real>
[[nodiscard]] Real expm1_minus_x_near(const Real& x) noexcept {
  constexpr double kC3 = 1.0 / 3, kC4 = 1.0 / 12, kC5 = 1.0 / 60, kC6 = 1.0 / 360;
  constexpr double kC7 = 1.0 / 2520, kC8 = 1.0 / 20160, kC9 = 1.0 / 181440;
  constexpr double kC10 = 1.0 / 1814400;
  const Real tail = kC6 + x * (kC7 + x * (kC8 + x * (kC9 + x * kC10)));
  return 0.5 * x * x * (1.0 + x * (kC3 + x * (kC4 + x * (kC5 + x * tail))));
}
[[nodiscard]] inline double expm1_minus_x(double x) noexcept {
  return std::abs(x) > 0.1 ? std::expm1(x) - x : expm1_minus_x_near(x);
}

// x - log(1 + x) >= 0 for x > -1 to a relative error of about 4e-15. With s = x / (2 + x),
// log(1 + x) = 2 atanh(s), hence x - log(1 + x) = s (x - 2 s^2 (1/3 + s^2/5 + s^4/7 + ...)).
[[nodiscard]] inline double x_minus_log1p(double x) noexcept {
  if (std::abs(x) > 0.1) {
    return x - std::log1p(x);
  }
  const double s = x / (2.0 + x);
  const double v = s * s;
  const double series = 1.0 / 3 + v * (1.0 / 5 + v * (1.0 / 7 + v * (1.0 / 9 + v * (1.0 / 11))));
  return s * (x - 2.0 * v * series);
}

// log(e^x - 1) for x > 0, the log of a bright factor whose gap is x, and its derivative
// 1 / (1 - e^-x).
struct LogExpm1 {
  double value;
  double derivative;
};
[[nodiscard]] inline LogExpm1 log_expm1(double x) noexcept {
  if (x > 36.0) {
    return {x, 1.0};
  }
  if (x > 0.2) {
    const double odds = std::exp(x) - 1.0;
    return {std::log(odds), (1.0 + odds) / odds};
  }
  // e^x - 1 = 2 e^h sinh(h), h = x/2, and the series of log(sinh(h)/h) and of coth(h).
  const double h = 0.5 * x;
  const double v = h * h;
  const double log_sinhc =
      v * (1.0 / 6 - v * (1.0 / 180 - v * (1.0 / 2835 - v * (1.0 / 37800 - v / 467775))));
  const double coth_tail =
      h * (1.0 / 3 - v * (1.0 / 45 - v * (2.0 / 945 - v * (1.0 / 4725 - v * (2.0 / 93555)))));
  return {std::log(x) + h + log_sinhc, 0.5 + 0.5 * (1.0 / h + coth_tail)};
}

// What has less than e^-15 of a distribution's mass no run visits.
inline constexpr double kNatsThatMatter = 15.0;

}  // namespace flymc
