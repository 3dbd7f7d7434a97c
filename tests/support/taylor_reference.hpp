// The functions of densities a second time, as power series in quad precision around a point: by
// the recurrences of exp, log and quotients of series, from textbook definitions. No closed form of
// a derivative is shared with the engine.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "support/normal_reference.hpp"

namespace flymc::unit {

inline constexpr std::size_t kSeriesTerms = 16;
using Series = std::array<Real, kSeriesTerms>;

[[nodiscard]] inline Series series_of(Real constant, Real first) {
  Series s{};
  s[0] = constant;
  s[1] = first;
  return s;
}

[[nodiscard]] inline Series product_of(const Series& a, const Series& b) {
  Series c{};
  for (std::size_t i = 0; i < kSeriesTerms; ++i) {
    for (std::size_t j = 0; i + j < kSeriesTerms; ++j) {
      c[i + j] += a[i] * b[j];
    }
  }
  return c;
}

[[nodiscard]] inline Series inverse_of(const Series& w) {
  Series c{};
  c[0] = 1 / w[0];
  for (std::size_t k = 1; k < kSeriesTerms; ++k) {
    for (std::size_t j = 1; j <= k; ++j) {
      c[k] -= w[j] * c[k - j];
    }
    c[k] /= w[0];
  }
  return c;
}

// e^w and log w, given the value at the centre: k e_k = sum j w_j e_(k-j).
[[nodiscard]] inline Series exp_of(const Series& w, Real value) {
  Series e{};
  e[0] = value;
  for (std::size_t k = 1; k < kSeriesTerms; ++k) {
    for (std::size_t j = 1; j <= k; ++j) {
      e[k] += static_cast<Real>(j) * w[j] * e[k - j];
    }
    e[k] /= static_cast<Real>(k);
  }
  return e;
}
[[nodiscard]] inline Series log_of(const Series& w, Real value) {
  Series l{};
  l[0] = value;
  for (std::size_t k = 1; k < kSeriesTerms; ++k) {
    Real sum = 0;
    for (std::size_t j = 1; j < k; ++j) {
      sum += static_cast<Real>(j) * l[j] * w[k - j];
    }
    l[k] = (w[k] - sum / static_cast<Real>(k)) / w[0];
  }
  return l;
}

[[nodiscard]] inline Series exp_series(Real x) { return exp_of(series_of(x, 1), exp(x)); }
[[nodiscard]] inline Series expm1_series(Real x) {
  Series s = exp_series(x);
  s[0] = expm1(x);
  return s;
}
[[nodiscard]] inline Series log_series(Real x) { return log_of(series_of(x, 1), log(x)); }
[[nodiscard]] inline Series log1p_series(Real x) { return log_of(series_of(1 + x, 1), log1p(x)); }
[[nodiscard]] inline Series inverse_series(Real x) { return inverse_of(series_of(x, 1)); }
[[nodiscard]] inline Series power_series(Real x, Real exponent) {
  Series l = log_series(x);
  for (Real& one : l) {
    one *= exponent;
  }
  return exp_of(l, pow(x, exponent));
}
[[nodiscard]] inline Series square_series(Real x) {
  return product_of(series_of(x, 1), series_of(x, 1));
}

// f(-x), from the series of f at the mirrored centre.
[[nodiscard]] inline Series mirrored(Series s) {
  for (std::size_t k = 1; k < kSeriesTerms; k += 2) {
    s[k] = -s[k];
  }
  return s;
}

// By e^-|x|, so that nothing cancels.
[[nodiscard]] inline Series sigmoid_series(Real x) {
  if (x > 0) {  // 1 - sigmoid(-x)
    Series s = mirrored(sigmoid_series(-x));
    for (Real& one : s) {
      one = -one;
    }
    s[0] = 1 / (1 + exp(-x));
    return s;
  }
  const Series e = exp_series(x);
  Series w = e;
  w[0] += 1;
  return product_of(e, inverse_of(w));
}
[[nodiscard]] inline Series softplus_series(Real x) {
  if (x > 0) {  // x + softplus(-x)
    Series s = mirrored(softplus_series(-x));
    s[0] += x;
    s[1] += 1;
    return s;
  }
  Series w = exp_series(x);
  const Real value = log1p(w[0]);
  w[0] += 1;
  return log_of(w, value);
}
[[nodiscard]] inline Series tanh_series(Real x) {  // (1 - e) / (1 + e), e = e^(-2x)
  if (x < 0) {
    Series s = mirrored(tanh_series(-x));
    for (Real& one : s) {
      one = -one;
    }
    return s;
  }
  const Real e = exp(-2 * x);
  Series minus = exp_of(series_of(-2 * x, -2), e);
  Series plus = minus;
  for (Real& one : minus) {
    one = -one;
  }
  minus[0] = -expm1(-2 * x);
  plus[0] += 1;
  return product_of(minus, inverse_of(plus));
}
[[nodiscard]] inline Series log1mexp_series(Real x) {
  Series w = exp_of(series_of(-x, -1), exp(-x));
  for (Real& one : w) {
    one = -one;
  }
  w[0] = -expm1(-x);
  return log_of(w, x > 1 ? log1p(-exp(-x)) : log(w[0]));
}

// zeta(s, x) = sum_j (x + j)^-s by Euler and Maclaurin, from 40 on.
[[nodiscard]] inline Real hurwitz_zeta(int s, Real x) {
  static const Real kBernoulli[] = {
      Real{1} / 6,       Real{-1} / 30,       Real{1} / 42,       Real{-1} / 30,
      Real{5} / 66,      Real{-691} / 2730,   Real{7} / 6,        Real{-3617} / 510,
      Real{43867} / 798, Real{-174611} / 330, Real{854513} / 138, Real{-236364091} / 2730};
  const auto power = [s](Real inverse) {  // inverse^s
    Real product = 1;
    for (int i = 0; i < s; ++i) {
      product *= inverse;
    }
    return product;
  };
  Real sum = 0;
  for (; x < 40; x += 1) {
    sum += power(1 / x);
  }
  const Real last = power(1 / x);
  sum += last * x / (s - 1) + last / 2;
  Real term = last / x * s / 2;
  int twice = 2;
  for (const Real& b : kBernoulli) {
    sum += b * term;
    term *= static_cast<Real>(s + twice - 1) * static_cast<Real>(s + twice) /
            (static_cast<Real>(twice + 1) * static_cast<Real>(twice + 2) * x * x);
    twice += 2;
  }
  return sum;
}
[[nodiscard]] inline Real digamma_reference(Real x) {
  Real sum = 0;
  for (; x < 40; x += 1) {
    sum -= 1 / x;
  }
  const Real one = 1;
  const Real v = 1 / (x * x);
  return sum + log(x) - 1 / (2 * x) -
         v * (one / 12 -
              v * (one / 120 -
                   v * (one / 252 - v * (one / 240 - v * (one / 132 - v * (691 * one / 32760 -
                                                                           v * one / 12))))));
}
[[nodiscard]] inline Series lgamma_series(Real x) {
  Series s{};
  s[0] = lgamma(x);
  s[1] = digamma_reference(x);
  for (std::size_t k = 2; k < kSeriesTerms; ++k) {
    const Real zeta = hurwitz_zeta(static_cast<int>(k), x);
    s[k] = (k % 2 == 0 ? zeta : -zeta) / static_cast<Real>(k);
  }
  return s;
}
[[nodiscard]] inline Series digamma_series(Real x) {
  const Series l = lgamma_series(x);
  Series s{};
  for (std::size_t k = 0; k + 1 < kSeriesTerms; ++k) {
    s[k] = static_cast<Real>(k + 1) * l[k + 1];
  }
  return s;
}
[[nodiscard]] inline Series lrising_series(Real x, Real rise) {
  Series to = lgamma_series(x + rise);
  const Series from = lgamma_series(x);
  for (std::size_t k = 0; k < kSeriesTerms; ++k) {
    to[k] -= from[k];
  }
  return to;
}
// log(1 + x), ..., log(1 + (terms - 1) x), one by one.
[[nodiscard]] inline Series step_rising_series(Real x, int terms) {
  Series s{};
  for (int j = 1; j < terms; ++j) {
    s[0] += log1p(j * x);
    const Real a = j / (1 + j * x);
    Real power = -1;
    for (std::size_t k = 1; k < kSeriesTerms; ++k) {
      power *= -a;
      s[k] += power / static_cast<Real>(k);
    }
  }
  return s;
}
// log(1 + x) / x: with 1 + t x = e^u, the integral of ((e^-u - 1) / x)^k over u, over x.
[[nodiscard]] inline Series log1p_ratio_series(Real x) {
  Series s{};
  s[0] = log1p(x) / x;
  for (std::size_t k = 1; k < kSeriesTerms; ++k) {
    const Moments j =
        moments(0, log1p(x), 8, [&](Real u) { return pow(expm1(-u) / x, static_cast<Real>(k)); });
    s[k] = j.zeroth / x;
  }
  return s;
}
// m' = -m (x + m) for m = (log Phi)'. On the left every step of it loses a factor of x, so m itself
// is integrated on finer panels there.
[[nodiscard]] inline Series log_normal_cdf_series(Real x) {
  NormalReference at = normal_reference(x);
  if (x < -5) {
    const Moments j = moments(0, 160 / (sqrt(x * x + 160) - x), 32,  // up to e^-80
                              [x](Real t) { return exp(x * t - t * t / 2); });
    at.slope = 1 / j.zeroth;
    at.excess = j.first / j.zeroth;
  }
  Series m{};
  m[0] = at.slope;
  m[1] = -at.slope * at.excess;
  for (std::size_t k = 1; k + 1 < kSeriesTerms; ++k) {
    Real sum = (at.excess + at.slope) * m[k] + m[k - 1];
    for (std::size_t j = 1; j < k; ++j) {
      sum += m[j] * m[k - j];
    }
    m[k + 1] = -sum / static_cast<Real>(k + 1);
  }
  Series s{};
  s[0] = at.value;
  for (std::size_t k = 1; k < kSeriesTerms; ++k) {
    s[k] = m[k - 1] / static_cast<Real>(k);
  }
  return s;
}

}  // namespace flymc::unit
