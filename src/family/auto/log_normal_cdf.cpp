// log Phi and its derivatives.
#include <array>
#include <cmath>

#include "flymc/detail/core/special.hpp"
#include "flymc/detail/family/auto/intrinsics.hpp"
#include "flymc/family/probit.hpp"

namespace flymc::smooth {
namespace {

constexpr double kFarLeft = -25.0;
constexpr double kNormalShare = 64 * kUlp;  // near -4 the excess is off by 22

// The last three turning points of the third, fourth and fifth derivative over k!: zeros of the
// next one, found in 60 digits; there are no others in [-30, 30], and beyond the series below and
// Phi' times a polynomial have none.
constexpr Extreme kThird[] = {{1.00236934226837063, 0.0492864698655205160}};
constexpr Extreme kFourth[] = {{-0.0298336209260591447, 0.00478484578979525175},
                               {2.07128893880887399, -0.00787320146336858568}};
constexpr Extreme kFifth[] = {{-0.871132174989158693, 0.000411327486168476870},
                              {1.23133229035118846, -0.00209042993490097047},
                              {2.74563900971678393, 0.00129705532425425663}};

// log Phi(-z) = -z^2/2 - log z - log sqrt(2 pi) + sum_j a_j z^-2j, the logarithm of Laplace's
// series 1 - z^-2 + 3 z^-4 - 15 z^-6 + ...
constexpr std::array<double, 10> kLogSeries{
    -1.0,        5.0 / 2,       -37.0 / 3,      353.0 / 4,        -4081.0 / 5,
    55205.0 / 6, -854197.0 / 7, 14876033.0 / 8, -288018721.0 / 9, 1227782785.0 / 2};

// Derivatives in x = -z of the terms of that series; of z^-2j the k-th Taylor coefficient is
// (2j + k - 1 choose k) z^-(2j+k).
void far_left(double z, int n, double* f) noexcept {
  const double inverse = 1.0 / z;
  double power = inverse;
  for (int k = 1; k <= n; ++k) {
    double sum = 1.0 / k;
    double scaled = 1.0;
    double ways = 1.0;  // (2j + k - 1 choose k)
    for (std::size_t j = 1; j <= kLogSeries.size(); ++j) {
      const double twice = 2.0 * static_cast<double>(j);
      ways = j == 1
                 ? k + 1.0
                 : ways * (twice + k - 1.0) * (twice + k - 2.0) / ((twice - 1.0) * (twice - 2.0));
      scaled *= inverse * inverse;
      sum += kLogSeries[j - 1] * ways * scaled;
    }
    f[k] = sum * power;
    power *= inverse;
  }
  if (n >= 1) {
    f[1] += z;
  }
  if (n >= 2) {
    f[2] -= 0.5;
  }
}

// The inverse Mills ratio m = (log Phi)' solves m' = -m (x + m): see Probit.
void by_recurrence(const flymc::LogNormalCdf& at, int n, double* f) noexcept {
  double c[kHighestOrder] = {at.slope, -at.slope * at.excess};
  for (int k = 1; k + 1 < n; ++k) {
    double sum = (at.excess + at.slope) * c[k] + c[k - 1];
    for (int j = 1; j < k; ++j) {
      sum += c[j] * c[k - j];
    }
    c[k + 1] = -sum / (k + 1);
  }
  for (int k = 1; k <= n; ++k) {
    f[k] = c[k - 1] / k;
  }
}

// What the recurrence may be off by in order k: every step multiplies by x + 2 m and cancels.
double recurrence_noise(const flymc::LogNormalCdf& lo, const flymc::LogNormalCdf& hi,
                        int k) noexcept {
  double noise = 4 * kUlp * lo.slope;
  for (int j = 2; j <= k; ++j) {
    noise *= 1.0 + hi.excess + (j > 2 ? lo.slope : 0.0);
  }
  return noise;
}

}  // namespace

void LogNormalCdf::taylor(double x, int n, double* f) noexcept {
  const flymc::LogNormalCdf at = log_normal_cdf(x);
  f[0] = at.value;
  if (x < kFarLeft) {
    far_left(-x, n, f);
  } else {
    by_recurrence(at, n, f);
  }
}

Enclosure LogNormalCdf::enclose(Interval x, int m) noexcept {
  static constexpr std::span<const Extreme> kExtremes[] = {{}, {}, {}, kThird, kFourth, kFifth};
  double lo[kHighestOrder + 1];
  double hi[kHighestOrder + 1];
  taylor(x.lo, m + 1, lo);
  taylor(x.hi, m + 1, hi);
  const flymc::LogNormalCdf at_lo = log_normal_cdf(std::max(x.lo, kFarLeft));
  const flymc::LogNormalCdf at_hi = log_normal_cdf(x.hi);
  const auto of = [&](int k) {
    const double noise = k > 2 && x.hi >= kFarLeft ? recurrence_noise(at_lo, at_hi, k) : 0.0;
    return enclose_between(x, lo[k], hi[k], kExtremes[k], kNormalShare, noise);
  };
  return {of(0), of(m), of(m + 1)};
}

Change LogNormalCdf::change(double x, double d) noexcept {
  const flymc::LogNormalCdf from = log_normal_cdf(x);
  Change change{.value = from.value, .slope = from.slope, .rest = 0.0, .slope_change = 0.0};
  change.rest = Probit{}.remainder(x, d, 1.0, change.slope_change);
  return change;
}

}  // namespace flymc::smooth
