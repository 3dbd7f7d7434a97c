// What a negative binomial's logarithm is made of as a function of its dispersion, which may be 0.
// See docs/method/families.md, Size unknown.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "family/auto/stirling.hpp"
#include "flymc/detail/family/auto/functions.hpp"

namespace flymc::smooth {
namespace {

// Beyond, powers of 1 / x underflow, and enclosures would be too narrow by what is lost.
constexpr double kFarOut = 1e50;

// A power series in d about a point, f[0] + f[1] d + ... + f[5] d^5.
struct PowerSeries {
  static constexpr int kVariables = 1;
  std::array<double, kHighestOrder + 1> f{};

  PowerSeries() = default;
  PowerSeries(double constant) noexcept : f{constant} {}  // NOLINT: as for Value
  [[nodiscard]] static PowerSeries variable(double at) noexcept {
    PowerSeries x(at);
    x.f[1] = 1.0;
    return x;
  }
  PowerSeries& operator+=(const PowerSeries& other) noexcept {
    for (std::size_t k = 0; k < f.size(); ++k) {
      f[k] += other.f[k];
    }
    return *this;
  }
  PowerSeries& operator+=(double constant) noexcept {
    f[0] += constant;
    return *this;
  }
  PowerSeries& operator*=(double factor) noexcept {
    for (double& one : f) {
      one *= factor;
    }
    return *this;
  }
};

PowerSeries product(const PowerSeries& a, const PowerSeries& b) noexcept {
  PowerSeries c;
  for (std::size_t i = 0; i < c.f.size(); ++i) {
    for (std::size_t j = 0; i + j < c.f.size(); ++j) {
      c.f[i + j] += a.f[i] * b.f[j];
    }
  }
  return c;
}

template <class F>
PowerSeries apply(const F& function, const PowerSeries& g) noexcept {
  double at[kHighestOrder + 1];
  function.taylor(g.f[0], kHighestOrder, at);
  PowerSeries step = g;
  step.f[0] = 0.0;
  PowerSeries sum(at[kHighestOrder]);
  for (int k = kHighestOrder; k-- > 0;) {
    sum = product(sum, step) + at[k];
  }
  return sum;
}

constexpr double kSummed = 40.0;          // so many terms are summed, of more
constexpr double kStirling = 1.0 / 16.0;  // steps up to this by Stirling's series
constexpr double kStepsShare = 1e-11;  // of derivatives; the value itself loses terms' last digits

// With r = 1/x, log Gamma(r + t) - log Gamma(r) + t log x by Stirling's series, where
// log(1 + t x) / x - t is t (log1p_ratio(t x) - 1): no log of a small x is left.
PowerSeries of_many(const PowerSeries& x, double terms) noexcept {
  const PowerSeries tx = terms * x;
  return terms * (log1p_ratio(tx) - 1.0) + (terms - 0.5) * log1p(tx) +
         stirling_series(x / (tx + 1.0)) - stirling_series(x);
}

// Gauss and Legendre's ten points on [0, 1]: what is left of t^k / (1 + t x)^(k+1), x up to 1/2, is
// 1e-13 of it for k = 5, and less for fewer.
template <class Visit>
void for_each_node(Visit&& visit) noexcept {
  constexpr std::pair<double, double> kHalf[] = {{0.148874338981631211, 0.295524224714752870},
                                                 {0.433395394129247191, 0.269266719309996355},
                                                 {0.679409568299024406, 0.219086362515982044},
                                                 {0.865063366688984511, 0.149451349150580593},
                                                 {0.973906528517171720, 0.0666713443086881376}};
  for (const auto& [node, weight] : kHalf) {
    visit(0.5 - 0.5 * node, 0.5 * weight);
    visit(0.5 + 0.5 * node, 0.5 * weight);
  }
}

constexpr double kNear = 0.5;                // to 0: quadrature for every order
constexpr double kRatioShare = 4096 * kUlp;  // five divisions by that

}  // namespace

void LogStepRising::taylor(double x, int n, double* f) const noexcept {
  if (!(x >= 0.0 && x <= (terms > kSummed ? kStirling : kFarOut))) {
    std::fill_n(f, n + 1, std::nan(""));
    return;
  }
  if (terms > kSummed) {
    const PowerSeries series = of_many(PowerSeries::variable(x), terms);
    std::copy_n(series.f.begin(), n + 1, f);
    return;
  }
  std::fill_n(f, n + 1, 0.0);
  for (int j = 1; j < static_cast<int>(terms); ++j) {
    f[0] += std::log1p(j * x);
    const double a = j / (1.0 + j * x);
    double power = -1.0;
    for (int k = 1; k <= n; ++k) {
      power *= -a;
      f[k] += power;
    }
  }
  for (int k = 2; k <= n; ++k) {
    f[k] /= k;
  }
}

Enclosure LogStepRising::enclose(Interval x, int m) const noexcept {
  return enclose_monotone(*this, x, m, kStepsShare, kLibraryShare * terms);
}

// By x F = log(1 + x), F_k = (log1p_k - F_(k-1)) / x, where x is not small; else
// (-1)^k int t^k / (1 + t x)^(k+1).
void Log1pRatio::taylor(double x, int n, double* f) noexcept {
  if (!(x >= 0.0 && x <= kFarOut)) {
    std::fill_n(f, n + 1, std::nan(""));
    return;
  }
  f[0] = x > 0.0 ? std::log1p(x) / x : 1.0;
  if (x > kNear) {
    double log[kHighestOrder + 1];
    Log1p::taylor(x, n, log);
    for (int k = 1; k <= n; ++k) {
      f[k] = (log[k] - f[k - 1]) / x;
    }
    return;
  }
  std::fill_n(f + 1, n, 0.0);
  for_each_node([&](double t, double weight) {
    const double inverse = 1.0 / (1.0 + t * x);
    double power = weight * inverse;
    for (int k = 1; k <= n; ++k) {
      power *= -t * inverse;
      f[k] += power;
    }
  });
}

Enclosure Log1pRatio::enclose(Interval x, int m) noexcept {
  return enclose_monotone(Log1pRatio{}, x, m, kRatioShare);
}

}  // namespace flymc::smooth
