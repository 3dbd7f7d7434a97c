// The functions that a density may be made of, each with what the scalar types ask for:
//   taylor(x, n, f)  f[k] = F^(k)(x) / k! for k = 0..n, n <= 5
//   enclose(x, m)    F, F^(m)/m! and F^(m+1)/(m+1)! over an interval, m <= 4
//   change(x, d)     F(x + d) - F(x) - F'(x) d and F'(x + d) - F'(x) without cancellation
// A derivative of any order is monotone between the few points where it turns, so the two ends and
// those points enclose it; most have none. Outside of a domain: NaN at a point, all numbers over an
// interval. See docs/method/automatic.md, Functions.
#pragma once

#include <array>
#include <cmath>
#include <span>

#include "flymc/detail/core/numeric.hpp"
#include "flymc/detail/family/auto/interval.hpp"
#include "flymc/detail/family/auto/remainder.hpp"
#include "flymc/detail/family/auto/slope.hpp"

namespace flymc::smooth {

inline constexpr int kHighestOrder = 5;
inline constexpr std::array<double, 7> kFactorial{1, 1, 2, 6, 24, 120, 720};

// A step so far that e^d may be too large for a number where e^(x + d) is not; and one over which
// nothing that matters cancels.
inline constexpr double kFar = 30.0;

// Where a derivative turns, and its value there.
struct Extreme {
  double at;
  double value;
};

// Over `x`, from Taylor coefficients at both of its ends. `noise` is an absolute error of them.
[[nodiscard]] Interval enclose_between(Interval x, double at_lo, double at_hi,
                                       std::span<const Extreme> extremes, double share,
                                       double noise) noexcept;

[[nodiscard]] inline Enclosure nothing_known() noexcept {
  return {whole_line(), whole_line(), whole_line()};
}

// Of a function whose derivatives of every order are monotone: its ends. `noise` is an absolute
// error of its value.
template <class F>
[[nodiscard]] Enclosure enclose_monotone(const F& function, Interval x, int m,
                                         double share = kLibraryShare,
                                         double noise = 0.0) noexcept {
  double lo[kHighestOrder + 1];
  double hi[kHighestOrder + 1];
  function.taylor(x.lo, m + 1, lo);
  function.taylor(x.hi, m + 1, hi);
  const auto of = [&](int k) {
    return enclose_between(x, lo[k], hi[k], {}, share, k == 0 ? noise : 0.0);
  };
  return {of(0), of(m), of(m + 1)};
}

struct Exp {
  static void taylor(double x, int n, double* f) noexcept {
    f[0] = std::exp(x);
    for (int k = 1; k <= n; ++k) {
      f[k] = f[0] / kFactorial[static_cast<std::size_t>(k)];
    }
  }
  [[nodiscard]] static Enclosure enclose(Interval x, int m) noexcept {
    return enclose_monotone(Exp{}, x, m);
  }
  [[nodiscard]] static Change change(double x, double d) noexcept {
    const double e = std::exp(x);
    if (d > kFar) {
      const double to = std::exp(x + d);
      return {e, e, to - e * (1.0 + d), to - e};
    }
    const double rest = expm1_minus_x(d);
    return {e, e, e * rest, e * (d + rest)};
  }
};

struct Expm1 {
  static void taylor(double x, int n, double* f) noexcept {
    Exp::taylor(x, n, f);
    f[0] = std::expm1(x);
  }
  [[nodiscard]] static Enclosure enclose(Interval x, int m) noexcept {
    return enclose_monotone(Expm1{}, x, m);
  }
  [[nodiscard]] static Change change(double x, double d) noexcept {
    Change c = Exp::change(x, d);
    c.value = std::expm1(x);
    return c;
  }
};

struct Log {
  static void taylor(double x, int n, double* f) noexcept {
    f[0] = std::log(x);
    higher_orders(x, n, f);
  }
  [[nodiscard]] static Enclosure enclose(Interval x, int m) noexcept {
    return x.lo > 0.0 ? enclose_monotone(Log{}, x, m) : nothing_known();
  }
  [[nodiscard]] static Change change(double x, double d) noexcept {
    return {std::log(x), 1.0 / x, -x_minus_log1p(d / x), -d / x / (x + d)};
  }
  static void higher_orders(double x, int n, double* f) noexcept {
    double power = -1.0;
    for (int k = 1; k <= n; ++k) {
      power /= -x;
      f[k] = power / k;
    }
  }
};

struct Log1p {
  static void taylor(double x, int n, double* f) noexcept {
    f[0] = std::log1p(x);
    Log::higher_orders(1.0 + x, n, f);
  }
  [[nodiscard]] static Enclosure enclose(Interval x, int m) noexcept {
    return x.lo > -1.0 ? enclose_monotone(Log1p{}, x, m) : nothing_known();
  }
  [[nodiscard]] static Change change(double x, double d) noexcept {
    Change c = Log::change(1.0 + x, d);
    c.value = std::log1p(x);
    return c;
  }
};

// 1 / x.
struct Inverse {
  static void taylor(double x, int n, double* f) noexcept {
    f[0] = 1.0 / x;
    for (int k = 1; k <= n; ++k) {
      f[k] = f[k - 1] / -x;
    }
  }
  [[nodiscard]] static Enclosure enclose(Interval x, int m) noexcept {
    return x.contains(0.0) ? nothing_known() : enclose_monotone(Inverse{}, x, m);
  }
  [[nodiscard]] static Change change(double x, double d) noexcept {
    const double from = 1.0 / x;
    const double to = 1.0 / (x + d);
    const double step = d * from * to;  // from - to
    return {from, -from * from, step * d * from, step * (from + to)};
  }
};

struct Sqrt {
  static void taylor(double x, int n, double* f) noexcept {
    f[0] = std::sqrt(x);
    for (int k = 1; k <= n; ++k) {
      f[k] = f[k - 1] * (1.5 - k) / (k * x);
    }
  }
  [[nodiscard]] static Enclosure enclose(Interval x, int m) noexcept {
    return x.lo > 0.0 ? enclose_monotone(Sqrt{}, x, m) : nothing_known();
  }
  [[nodiscard]] static Change change(double x, double d) noexcept {
    const double from = std::sqrt(x);
    const double to = std::sqrt(x + d);
    const double step = d / (from + to);  // to - from
    return {from, 0.5 / from, -0.5 * step * step / from, -0.5 * step / (from * to)};
  }
};

// x^exponent, x > 0.
struct Power {
  double exponent;

  void taylor(double x, int n, double* f) const noexcept {
    f[0] = x > 0.0 ? std::pow(x, exponent) : std::nan("");
    for (int k = 1; k <= n; ++k) {
      f[k] = f[k - 1] * (exponent + 1.0 - k) / (k * x);
    }
  }
  [[nodiscard]] Enclosure enclose(Interval x, int m) const noexcept {
    return x.lo > 0.0 ? enclose_monotone(*this, x, m) : nothing_known();
  }
  // With t = d/x, l = log(1 + t): (1 + t)^c - 1 - c t = em(c l) - c (t - l).
  [[nodiscard]] Change change(double x, double d) const noexcept {
    double f[2];
    taylor(x, 1, f);
    const double t = d / x;
    const double bent = x_minus_log1p(t);
    const double log_ratio = std::log1p(t);
    return {f[0], f[1], f[0] * (expm1_minus_x(exponent * log_ratio) - exponent * bent),
            f[1] * std::expm1((exponent - 1.0) * log_ratio)};
  }
};

struct Square {
  static void taylor(double x, int n, double* f) noexcept {
    const double all[kHighestOrder + 1] = {x * x, 2.0 * x, 1.0};
    for (int k = 0; k <= n; ++k) {
      f[k] = all[k];
    }
  }
  [[nodiscard]] static Enclosure enclose(Interval x, int m) noexcept {
    Enclosure e = enclose_monotone(Square{}, x, m);
    e.range = power(x, 2);
    if (m == 0) {
      e.order = e.range;
    }
    return e;
  }
  [[nodiscard]] static Change change(double x, double d) noexcept {
    return {x * x, 2.0 * x, d * d, 2.0 * d};
  }
};

// 1 / (1 + e^-x). With p the value and h = p (1 - p), derivatives are h times polynomials in p.
struct Sigmoid {
  static void taylor(double x, int n, double* f) noexcept;
  [[nodiscard]] static Enclosure enclose(Interval x, int m) noexcept;
  [[nodiscard]] static Change change(double x, double d) noexcept;
};

// log(1 + e^x), whose derivative is the sigmoid.
struct Softplus {
  static void taylor(double x, int n, double* f) noexcept;
  [[nodiscard]] static Enclosure enclose(Interval x, int m) noexcept;
  [[nodiscard]] static Change change(double x, double d) noexcept;
};

// 2 sigmoid(2 x) - 1.
struct Tanh {
  static void taylor(double x, int n, double* f) noexcept;
  [[nodiscard]] static Enclosure enclose(Interval x, int m) noexcept;
  [[nodiscard]] static Change change(double x, double d) noexcept;
};

// log(1 - e^-x), x > 0: minus a completely monotone function, for it is -sum_j e^(-jx) / j.
struct Log1mExp {
  static void taylor(double x, int n, double* f) noexcept;
  [[nodiscard]] static Enclosure enclose(Interval x, int m) noexcept;
  [[nodiscard]] static Change change(double x, double d) noexcept;
};

// log Gamma(x), x > 0. From the second derivative on, (-1)^k F^(k) is completely monotone.
struct LogGamma {
  static void taylor(double x, int n, double* f) noexcept;
  [[nodiscard]] static Enclosure enclose(Interval x, int m) noexcept;
  [[nodiscard]] static Change change(double x, double d) noexcept;
};

// (log Gamma)'(x), x > 0.
struct Digamma {
  static void taylor(double x, int n, double* f) noexcept;
  [[nodiscard]] static Enclosure enclose(Interval x, int m) noexcept;
  [[nodiscard]] static Change change(double x, double d) noexcept;
};

// log Gamma(x + rise) - log Gamma(x), x > 0, rise >= 0: two log Gammas of one interval would lose
// what cancels between them. F' is completely monotone.
struct LogRising {
  double rise;

  void taylor(double x, int n, double* f) const noexcept;
  [[nodiscard]] Enclosure enclose(Interval x, int m) const noexcept;
  [[nodiscard]] Change change(double x, double d) const noexcept;
};

// log of (1)(1 + x)(1 + 2x) ... (1 + (terms - 1) x), x >= 0 and `terms` a count: the rising
// factorial of 1 in steps of x. It is lrising(1/x, terms) + terms log x, and goes on to x = 0,
// where neither does. F' is completely monotone. Of more than 40 terms x is at most 1/16. It and
// the next know no change: they are for curvatures alone.
struct LogStepRising {
  double terms;

  void taylor(double x, int n, double* f) const noexcept;
  [[nodiscard]] Enclosure enclose(Interval x, int m) const noexcept;
};

// log(1 + x) / x, x >= 0, which is 1 at 0: the integral of 1 / (1 + t x) over t in [0, 1], so
// completely monotone.
struct Log1pRatio {
  static void taylor(double x, int n, double* f) noexcept;
  [[nodiscard]] static Enclosure enclose(Interval x, int m) noexcept;
};

// log Phi(x), Phi the standard normal distribution function.
struct LogNormalCdf {
  static void taylor(double x, int n, double* f) noexcept;
  [[nodiscard]] static Enclosure enclose(Interval x, int m) noexcept;
  [[nodiscard]] static Change change(double x, double d) noexcept;
};

}  // namespace flymc::smooth
