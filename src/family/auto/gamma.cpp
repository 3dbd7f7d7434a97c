// log Gamma, its derivatives, and differences of it.
#include <algorithm>
#include <array>
#include <cmath>

#include "family/auto/stirling.hpp"
#include "flymc/detail/core/special.hpp"
#include "flymc/detail/family/auto/functions.hpp"

namespace flymc::smooth {
namespace {

constexpr int kOrders = kHighestOrder + 1;  // the digamma function is one derivative ahead
using Orders = std::array<double, kOrders + 1>;

// Stirling's series and what it becomes under derivatives are good to the last digit from here on;
// below, log Gamma(x) = log Gamma(x + 1) - log x. Nine and seven terms leave 3e-12 of the fourth
// derivative of the digamma function.
constexpr double kStirling = 16.0;

// sum_j B_2j / (2j)! (k)_(2j-1) z^-(k+2j-1), the tail of zeta(k, z).
double zeta_tail(int k, double inverse, double power) noexcept {
  double sum = 0.0;
  double factor = 0.5 * k;
  double scaled = power * inverse;  // z^-(k+1)
  int order = 2;                    // 2j
  for (const double bernoulli : kBernoulli) {
    sum += bernoulli * factor * scaled;
    factor *= static_cast<double>((k + order - 1) * (k + order)) /
              static_cast<double>((order + 1) * (order + 2));
    scaled *= inverse * inverse;
    order += 2;
  }
  return sum;
}

// Taylor coefficients of log Gamma, n <= 6: psi(x), then (-1)^k zeta(k, x) / k.
void log_gamma_taylor(double x, int n, Orders& f) noexcept {
  f.fill(std::nan(""));
  if (!(x > 0.0)) {
    return;
  }
  f[0] = log_gamma(x);
  Orders sums{};  // of (x + j)^-k
  double z = x;
  for (; z < kStirling; z += 1.0) {
    const double inverse = 1.0 / z;
    double power = inverse;
    for (int k = 1; k <= n; ++k) {
      sums[static_cast<std::size_t>(k)] += power;
      power *= inverse;
    }
  }
  const double inverse = 1.0 / z;
  if (n >= 1) {
    double tail = 0.0;
    double scaled = inverse * inverse;
    double order = 2.0;
    for (const double bernoulli : kBernoulli) {
      tail += bernoulli / order * scaled;
      scaled *= inverse * inverse;
      order += 2.0;
    }
    f[1] = std::log(z) - 0.5 * inverse - tail - sums[1];
  }
  double power = inverse;
  for (int k = 2; k <= n; ++k) {
    const double next = power * inverse;
    const double zeta = sums[static_cast<std::size_t>(k)] + power / (k - 1) + 0.5 * next +
                        zeta_tail(k, inverse, next);
    f[static_cast<std::size_t>(k)] = (k % 2 == 0 ? zeta : -zeta) / k;
    power = next;
  }
}

constexpr double kGammaShare = 32 * kUlp;

// Near its zeros a value is off by a share of what was subtracted.
Interval enclose_order(Interval x, const Orders& lo, const Orders& hi, int k) noexcept {
  static constexpr Extreme kLeast[] = {{1.46163214496836234, -0.121486290535849608}};
  const auto i = static_cast<std::size_t>(k);
  return enclose_between(x, lo[i], hi[i],
                         k == 0 ? std::span<const Extreme>(kLeast) : std::span<const Extreme>{},
                         kGammaShare, k < 2 ? kGammaShare : 0.0);
}

// x and d moved up to where Stirling's series holds at both ends.
int steps_up(double x, double d) noexcept {
  const double least = std::min(x, x + d);
  return least < kStirling ? static_cast<int>(std::ceil(kStirling - least)) : 0;
}

}  // namespace

void LogGamma::taylor(double x, int n, double* f) noexcept {
  Orders all;
  log_gamma_taylor(x, n, all);
  std::copy_n(all.begin(), n + 1, f);
}

Enclosure LogGamma::enclose(Interval x, int m) noexcept {
  if (!(x.lo > 0.0)) {
    return nothing_known();
  }
  Orders lo;
  Orders hi;
  log_gamma_taylor(x.lo, m + 1, lo);
  log_gamma_taylor(x.hi, m + 1, hi);
  return {enclose_order(x, lo, hi, 0), enclose_order(x, lo, hi, m),
          enclose_order(x, lo, hi, m + 1)};
}

// (z - 1/2) log z - z + the series in remainder arithmetic, and the logs on the way up: each term
// of these is positive.
Change LogGamma::change(double x, double d) noexcept {
  Orders f;
  log_gamma_taylor(x, 1, f);
  if (!(x + d > 0.0)) {
    return {f[0], f[1], std::nan(""), std::nan("")};
  }
  const int steps = steps_up(x, d);
  double rest = 0.0;
  double slope_change = 0.0;
  for (int j = 0; j < steps; ++j) {
    const double from = x + j;
    rest += x_minus_log1p(d / from);
    slope_change += d / from / (from + d);
  }
  const auto z = Remainder<1>::variable(x + steps, d, 0);
  const Remainder<1> stirling = (z - 0.5) * log(z) + stirling_series(1.0 / z);
  return {f[0], f[1], rest + stirling.rest, slope_change + stirling.slope_change[0]};
}

void Digamma::taylor(double x, int n, double* f) noexcept {
  Orders all;
  log_gamma_taylor(x, n + 1, all);
  for (int k = 0; k <= n; ++k) {
    f[k] = (k + 1) * all[static_cast<std::size_t>(k + 1)];
  }
}

Enclosure Digamma::enclose(Interval x, int m) noexcept {
  if (!(x.lo > 0.0)) {
    return nothing_known();
  }
  Orders lo;
  Orders hi;
  log_gamma_taylor(x.lo, m + 2, lo);
  log_gamma_taylor(x.hi, m + 2, hi);
  const auto of = [&](int k) { return (k + 1.0) * enclose_order(x, lo, hi, k + 1); };
  return {of(0), of(m), of(m + 1)};
}

// log z - 1/(2z) - sum_j B_2j / (2j) z^-2j, and the inverses on the way up.
Change Digamma::change(double x, double d) noexcept {
  double f[2];
  taylor(x, 1, f);
  if (!(x + d > 0.0)) {
    return {f[0], f[1], std::nan(""), std::nan("")};
  }
  const int steps = steps_up(x, d);
  const auto z = Remainder<1>::variable(x + steps, d, 0);
  const auto inverse = 1.0 / z;
  const auto squared = square(inverse);
  Remainder<1> series;
  for (std::size_t j = kBernoulli.size(); j-- > 0;) {
    series = series * squared + kBernoulli[j] / (2.0 * static_cast<double>(j + 1));
  }
  Remainder<1> sum = log(z) - 0.5 * inverse - series * squared;
  for (int j = 0; j < steps; ++j) {
    const Change term = Inverse::change(x + j, d);
    sum.rest -= term.rest;
    sum.slope_change[0] -= term.slope_change;
  }
  return {f[0], f[1], sum.rest, sum.slope_change[0]};
}

namespace {

// Powers of 1/x and what they change by from x to x + rise, all to the last digits:
//     (x + rise)^-p - x^-p = (x + rise)^-1 [...]_(p-1) + x^-(p-1) [...]_1.
class InversePowers {
 public:
  InversePowers(double x, double rise) noexcept
      : from_(1.0 / x), to_(1.0 / (x + rise)), step_(-rise * from_ * to_) {
    power_ = from_;
    change_ = step_;
  }
  [[nodiscard]] double change() const noexcept { return change_; }
  void raise() noexcept {
    change_ = to_ * change_ + step_ * power_;
    power_ *= from_;
  }

 private:
  double from_, to_, step_, power_, change_;
};

// From Stirling's series at both ends, term by term: nothing cancels however small the rise.
void rising_from_stirling(double x, double rise, int n, Orders& f) noexcept {
  const double log_ratio = std::log1p(rise / x);
  std::array<double, 2 * kBernoulli.size() + kOrders + 1> change{};  // of x^-p
  InversePowers powers(x, rise);
  for (std::size_t p = 1; p < change.size(); ++p) {
    change[p] = powers.change();
    powers.raise();
  }
  f[0] = rise * std::log(x + rise) - x * x_minus_log1p(rise / x) - 0.5 * log_ratio;
  f[1] = log_ratio - 0.5 * change[1];
  for (std::size_t j = 1; j <= kBernoulli.size(); ++j) {
    const auto twice = static_cast<double>(2 * j);
    f[0] += kBernoulli[j - 1] / (twice * (twice - 1.0)) * change[2 * j - 1];
    f[1] -= kBernoulli[j - 1] / twice * change[2 * j];
  }
  for (std::size_t k = 2; k <= static_cast<std::size_t>(n); ++k) {
    const auto order = static_cast<double>(k);
    double zeta = change[k - 1] / (order - 1.0) + 0.5 * change[k];
    double factor = 0.5 * order;
    for (std::size_t j = 1; j <= kBernoulli.size(); ++j) {
      const auto twice = static_cast<double>(2 * j);
      zeta += kBernoulli[j - 1] * factor * change[k + 2 * j - 1];
      factor *= (order + twice - 1.0) * (order + twice) / ((twice + 1.0) * (twice + 2.0));
    }
    f[k] = (k % 2 == 0 ? zeta : -zeta) / order;
  }
}

// Coefficients, and the size of what they were made of.
void rising_taylor(double x, double rise, int n, Orders& f, Orders& size) noexcept {
  f.fill(0.0);
  size.fill(0.0);
  if (rise == 0.0 && x > 0.0) {
    return;
  }
  if (x >= kStirling) {
    rising_from_stirling(x, rise, n, f);
    for (std::size_t k = 0; k <= static_cast<std::size_t>(n); ++k) {
      size[k] = std::abs(f[k]);
    }
    return;
  }
  Orders from;
  log_gamma_taylor(x, n, from);
  log_gamma_taylor(x + rise, n, f);
  for (std::size_t k = 0; k <= static_cast<std::size_t>(n); ++k) {
    size[k] = std::abs(f[k]) + std::abs(from[k]);
    f[k] -= from[k];
  }
}

}  // namespace

void LogRising::taylor(double x, int n, double* f) const noexcept {
  Orders all;
  Orders size;
  rising_taylor(x, rise, n, all, size);
  std::copy_n(all.begin(), n + 1, f);
}

Enclosure LogRising::enclose(Interval x, int m) const noexcept {
  if (!(x.lo > 0.0)) {
    return nothing_known();
  }
  Orders lo;
  Orders hi;
  Orders size_lo;
  Orders size_hi;
  rising_taylor(x.lo, rise, m + 1, lo, size_lo);
  rising_taylor(x.hi, rise, m + 1, hi, size_hi);
  const auto of = [&](int k) {
    const auto i = static_cast<std::size_t>(k);
    return enclose_between(x, lo[i], hi[i], {}, 0.0,
                           kGammaShare * std::max(size_lo[i], size_hi[i]));
  };
  return {of(0), of(m), of(m + 1)};
}

// Beyond Stirling's reach as the coefficients above, in remainder arithmetic.
Change LogRising::change(double x, double d) const noexcept {
  if (rise == 0.0 && std::min(x, x + d) > 0.0) {
    return {};
  }
  double f[2];
  taylor(x, 1, f);
  if (!(std::min(x, x + d) >= kStirling)) {
    const Change from = LogGamma::change(x, d);
    const Change to = LogGamma::change(x + rise, d);
    return {f[0], f[1], to.rest - from.rest, to.slope_change - from.slope_change};
  }
  const auto z = Remainder<1>::variable(x, d, 0);
  const Remainder<1> log_ratio = log1p(rise / z);
  const Remainder<1> sum = rise * log(z + rise) + (z - 0.5) * log_ratio +
                           stirling_series(1.0 / (z + rise)) - stirling_series(1.0 / z);
  return {f[0], f[1], sum.rest, sum.slope_change[0]};
}

}  // namespace flymc::smooth
