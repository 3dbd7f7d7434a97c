// Probit regression: phi(eta) = log Phi(t eta), response t in {-1, +1}.
//
// With y = t eta, m = Phi'(y)/Phi(y) and h = -phi'' = m (y + m): h falls from 1 at y = -inf to 0 at
// y = +inf, so the curvature that the tangent at a needs at u, 2 int_0^1 (1 - s) h(a + s u) ds,
// falls in u. Local bound for |u| <= U: what it takes at u = -U,
//     k = 2 [phi(a) - phi'(a) U - phi(a - U)] / U^2;
// global bound: its limit 1.
// See docs/method/families.md, Probit.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "flymc/detail/core/numeric.hpp"
#include "flymc/detail/core/special.hpp"
#include "flymc/family/family.hpp"
#include "flymc/family/likelihood.hpp"

namespace flymc {

struct Probit {
  static constexpr bool kLogConcave = true;
  static constexpr double kUntunedXi = 1.5;

  [[nodiscard]] double log_likelihood(double eta, double response) const noexcept {
    return log_normal_cdf(response * eta).value;
  }
  [[nodiscard]] double log_likelihood(double eta, double response, double& slope) const noexcept {
    const LogNormalCdf at = log_normal_cdf(response * eta);
    slope = response * at.slope;
    return at.value;
  }
  [[nodiscard]] double information(double eta, double response) const noexcept {
    const LogNormalCdf at = log_normal_cdf(response * eta);
    return at.slope * at.excess;
  }

  [[nodiscard]] double curvature(double /*anchor*/, double /*response*/) const noexcept {
    return with_margin(1.0);
  }
  // Grows with the radius, so a least radius is a safe stand-in for none, where 0/0 would stand.
  [[nodiscard]] double local_curvature(double anchor, double response,
                                       double radius) const noexcept {
    constexpr double kLeastRadius = 1e-8;
    constexpr double kFarRadius = 1e8;
    if (radius > kFarRadius) {
      return curvature(anchor, response);
    }
    const double reach = std::max(radius, kLeastRadius);
    double slope = 0.0;
    const double fall = remainder(anchor, -response * reach, response, slope);
    return with_margin(-2.0 * fall / (reach * reach));
  }
  [[nodiscard]] double untuned_anchor(double response, double xi) const noexcept {
    return response * xi;
  }

  // phi(a + u) - phi(a) - phi'(a) u: the series where the difference of logarithms would cancel,
  // that difference beyond. Relative error below 4e-14 of value and slope for t a <= 6 and any u;
  // further right a + u itself is not known better than to make it 1e-15 (t a)^2, of next to
  // nothing.
  [[nodiscard]] double remainder(double anchor, double u, double response,
                                 double& slope) const noexcept {
    const double y = response * anchor;
    const double v = response * u;
    const LogNormalCdf from = log_normal_cdf(y);
    constexpr double kTail = -2.0;
    double value = 0.0;
    const double reach = std::abs(v) * std::max(2.0, std::abs(y));
    if (reach < 0.5) {
      value = series(from, v, reach < 0.05 ? 9 : kMostTerms, slope);
    } else {
      const LogNormalCdf to = log_normal_cdf(y + v);
      if (y < kTail && y + v < kTail) {
        value = tail_difference({y, from.excess}, {y + v, to.excess}, v, slope);
      } else {
        value = to.value - from.value - from.slope * v;
        slope = to.slope - from.slope;
      }
    }
    slope *= response;
    return value;
  }

  static constexpr const char* kWord = "probit";
  static constexpr ResponseKind kResponse = ResponseKind::kTwoClasses;
  static constexpr const char* kLink = "probit";
  static constexpr bool kInformationWithinSlope = false;  // m (y + m) > m where y > 1

  [[nodiscard]] double mean(double eta) const noexcept {
    constexpr double kRootHalf = 0.70710678118654752440;
    return 0.5 * std::erfc(-eta * kRootHalf);
  }
  [[nodiscard]] static OpenSide open_side(double response) noexcept {
    return response > 0.0 ? OpenSide::kUp : OpenSide::kDown;
  }
  // The sign of a latent normal of mean eta.
  [[nodiscard]] double sample(Stream& stream, double eta, const Sampling& how) const noexcept {
    const double noise = how.certain ? 0.0 : stream.normal();
    return eta + noise > 0.0 ? 1.0 : 0.0;
  }

 private:
  // m(y + v) = sum_k c_k v^k by m' = -m (y + m):
  //     (k + 1) c_{k+1} = -(y c_k + c_{k-1} + sum_{j <= k} c_j c_{k-j}).
  // The nearest zeros of Phi, 1.9 +- 2.8i, are 11 times as far as v goes: 16 terms leave 1e-16; 9
  // do where they are 110 times as far, as they mostly are.
  static constexpr std::size_t kMostTerms = 16;
  [[nodiscard]] static double series(const LogNormalCdf& at, double v, std::size_t terms,
                                     double& slope) noexcept {
    std::array<double, kMostTerms> c{at.slope, -at.slope * at.excess};
    for (std::size_t k = 1; k + 1 < terms; ++k) {
      double sum = (at.excess + at.slope) * c[k] + c[k - 1];  // y + 2 c_0 without cancellation
      for (std::size_t j = 1; j < k; ++j) {
        sum += c[j] * c[k - j];
      }
      c[k + 1] = -sum * kReciprocals[k + 1];
    }
    double value = 0.0;
    slope = 0.0;
    for (std::size_t k = terms - 1; k >= 1; --k) {
      value = value * v + c[k] * kReciprocals[k + 1];
      slope = slope * v + c[k];
    }
    slope *= v;
    return value * v * v;
  }
  static constexpr std::array<double, kMostTerms + 1> kReciprocals{
      0.0,     1.0,      1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,  1.0 / 7, 1.0 / 8,
      1.0 / 9, 1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13, 1.0 / 14, 1.0 / 15, 1.0 / 16};

  struct TailPoint {
    double y;
    double excess;
  };

  // Far on the left log Phi(-z) = -z^2/2 - log z - log1p(excess/z) + constant. The remainders of
  // the first two terms are exact; of the third, about 1/z^2, little is left to cancel.
  [[nodiscard]] static double tail_difference(TailPoint from, TailPoint to, double v,
                                              double& slope) noexcept {
    slope = -v + (to.excess - from.excess);
    const double step = v / from.y;  // (z_1 - z_0) / z_0
    const double log_part = step < -0.5 ? step - std::log(to.y / from.y) : x_minus_log1p(step);
    const double third = std::log1p(-from.excess / from.y) - std::log1p(-to.excess / to.y);
    const double third_slope = from.excess + 1.0 / from.y;  // of -log1p(excess/z), in y
    return -0.5 * v * v + log_part + (third - third_slope * v);
  }
};

static_assert(GlobalScalar<Probit> && LocalScalar<Probit>);

}  // namespace flymc
