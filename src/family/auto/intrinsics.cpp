#include "flymc/detail/family/auto/intrinsics.hpp"

#include <algorithm>
#include <cmath>

#include "flymc/detail/core/numeric.hpp"

namespace flymc::smooth {

Interval enclose_between(Interval x, double at_lo, double at_hi, std::span<const Extreme> extremes,
                         double share, double noise) noexcept {
  if (!std::isfinite(at_lo) || !std::isfinite(at_hi)) {
    return whole_line();
  }
  double lo = std::min(at_lo, at_hi);
  double hi = std::max(at_lo, at_hi);
  for (const Extreme& extreme : extremes) {
    if (x.contains(extreme.at)) {
      lo = std::min(lo, extreme.value);
      hi = std::max(hi, extreme.value);
    }
  }
  return outward(lo, hi, share, noise);
}

namespace {

constexpr double factorial(int k) { return kFactorial[static_cast<std::size_t>(k)]; }

// p and 1 - p, the smaller one with all its digits, h = p (1 - p) and 1 - 2 p.
struct Logit {
  double p, q, h, difference;

  explicit Logit(double x) noexcept {
    const double e = std::exp(-std::abs(x));
    const double large = 1.0 / (1.0 + e);
    const double small = e * large;
    p = x < 0.0 ? small : large;
    q = x < 0.0 ? large : small;
    h = small * large;
    difference = (x < 0.0 ? 1.0 - e : e - 1.0) * large;
  }

  // The k-th derivative of the sigmoid.
  [[nodiscard]] double derivative(int k) const noexcept {
    switch (k) {
      case 0:
        return p;
      case 1:
        return h;
      case 2:
        return h * difference;
      case 3:
        return h * (1.0 - 6.0 * h);
      case 4:
        return h * difference * (1.0 - 12.0 * h);
      default:
        return h * (1.0 - h * (30.0 - 120.0 * h));
    }
  }
};

// Where sigmoid^(k) turns: the zeros of sigmoid^(k+1), in which h is 1/6; 0 or 1/12;
// (30 +- sqrt 420)/240; 0 or (60 +- sqrt 2160)/720.
constexpr Extreme kFirst[] = {{0.0, 0.25}};
constexpr Extreme kSecond[] = {{-1.31695789692481671, 0.0962250448649376274},
                               {1.31695789692481671, -0.0962250448649376274}};
constexpr Extreme kThird[] = {{-2.29243166956117769, 0.0416666666666666667},
                              {0.0, -0.125},
                              {2.29243166956117769, 0.0416666666666666667}};
constexpr Extreme kFourth[] = {{-3.14431840615493044, 0.0190652232503839051},
                               {-0.842632948129376642, -0.127683921967801755},
                               {0.842632948129376642, 0.127683921967801755},
                               {3.14431840615493044, -0.0190652232503839051}};
constexpr Extreme kFifth[] = {{-3.93609837067381536, 0.00899416688123472586},
                              {-1.51335184729233499, -0.120105277992345837},
                              {0.0, 0.25},
                              {1.51335184729233499, -0.120105277992345837},
                              {3.93609837067381536, 0.00899416688123472586}};

// sigmoid^(k) over an interval, k <= 5.
Interval sigmoid_derivative(Interval x, const Logit& lo, const Logit& hi, int k) noexcept {
  static constexpr std::span<const Extreme> kExtremes[] = {{},     kFirst,  kSecond,
                                                           kThird, kFourth, kFifth};
  // The polynomial that multiplies h is off by a few units in the last place of its largest terms.
  const double h = x.contains(0.0) ? 0.25 : std::max(lo.h, hi.h);
  const double noise = k < 2 ? 0.0 : 32 * kUlp * h;
  return enclose_between(x, lo.derivative(k), hi.derivative(k),
                         kExtremes[static_cast<std::size_t>(k)], kLibraryShare, noise);
}

}  // namespace

void Sigmoid::taylor(double x, int n, double* f) noexcept {
  const Logit at(x);
  for (int k = 0; k <= n; ++k) {
    f[k] = at.derivative(k) / factorial(k);
  }
}

Enclosure Sigmoid::enclose(Interval x, int m) noexcept {
  const Logit lo(x.lo);
  const Logit hi(x.hi);
  const auto of = [&](int k) { return (1.0 / factorial(k)) * sigmoid_derivative(x, lo, hi, k); };
  return {of(0), of(m), of(m + 1)};
}

// For d <= 0, with p and y the values at x and x + d: y - p = p (1 - y)(e^d - 1), and
// rest = p (1 - y) em(d) - p d (y - p). The other side is its mirror image, 1 - sigmoid(-x).
Change Sigmoid::change(double x, double d) noexcept {
  const double side = d > 0.0 ? -1.0 : 1.0;
  const Logit from(side * x);
  const Logit to(side * (x + d));
  const double step = side * d;
  const double bent = from.p * to.q * expm1_minus_x(step);
  const double moved = bent + from.p * to.q * step;  // y - p
  return {side > 0.0 ? from.p : from.q, from.h, side * (bent - from.p * step * moved),
          moved * (from.q - to.p)};
}

void Softplus::taylor(double x, int n, double* f) noexcept {
  f[0] = flymc::softplus(x);
  if (n > 0) {
    const Logit at(x);
    for (int k = 1; k <= n; ++k) {
      f[k] = at.derivative(k - 1) / factorial(k);
    }
  }
}

Enclosure Softplus::enclose(Interval x, int m) noexcept {
  const Logit lo(x.lo);
  const Logit hi(x.hi);
  const Interval range =
      enclose_between(x, flymc::softplus(x.lo), flymc::softplus(x.hi), {}, kLibraryShare, 0.0);
  const auto of = [&](int k) {
    return k == 0 ? range : (1.0 / factorial(k)) * sigmoid_derivative(x, lo, hi, k - 1);
  };
  return {range, of(m), of(m + 1)};
}

// log(1 + t) - p d with t = p (e^d - 1) = p em(d) + p d, for p <= 1/2; the other side is its mirror
// image. The slope rises by p (1 - p)(e^d - 1) / (1 + t).
Change Softplus::change(double x, double d) noexcept {
  const double side = x > 0.0 ? -1.0 : 1.0;
  const Logit from(side * x);
  const double step = side * d;
  const double value = flymc::softplus(x);
  const double slope = side > 0.0 ? from.p : from.q;
  if (step > kFar) {
    const Logit to(side * x + step);
    return {value, slope,
            flymc::softplus(side * x + step) - flymc::softplus(side * x) - from.p * step,
            side * (to.p - from.p)};
  }
  const double bent = expm1_minus_x(step);
  const double growth = bent + step;
  const double t = from.p * growth;
  const double rest = t < 0.5 ? from.p * bent - x_minus_log1p(t) : std::log1p(t) - from.p * step;
  return {value, slope, rest, side * from.h * growth / (1.0 + t)};
}

void Tanh::taylor(double x, int n, double* f) noexcept {
  Sigmoid::taylor(2.0 * x, n, f);
  double factor = 2.0;
  for (int k = 1; k <= n; ++k) {
    factor *= 2.0;
    f[k] *= factor;
  }
  f[0] = std::tanh(x);
}

Enclosure Tanh::enclose(Interval x, int m) noexcept {
  const Enclosure inner = Sigmoid::enclose({2.0 * x.lo, 2.0 * x.hi}, m);
  const Interval range =
      enclose_between(x, std::tanh(x.lo), std::tanh(x.hi), {}, kLibraryShare, 0.0);
  return {range, m == 0 ? range : std::ldexp(1.0, m + 1) * inner.order,
          std::ldexp(1.0, m + 2) * inner.next};
}

Change Tanh::change(double x, double d) noexcept {
  const Change inner = Sigmoid::change(2.0 * x, 2.0 * d);
  return {std::tanh(x), 4.0 * inner.slope, 2.0 * inner.rest, 4.0 * inner.slope_change};
}

// With g = 1 / (e^x - 1) and h = g (1 + g): g, -h, h (1 + 2g), -h (1 + 6h), h (1 + 2g)(1 + 12h).
void Log1mExp::taylor(double x, int n, double* f) noexcept {
  const double rest = -std::expm1(-x);  // 1 - e^-x
  const double e = std::exp(-x);
  constexpr double kLog2 = 0.69314718055994530942;
  f[0] = x > kLog2 ? std::log1p(-e) : std::log(rest);
  const double g = e / rest;
  const double h = g * (1.0 + g);
  const double derivatives[] = {g, -h, h * (1.0 + 2.0 * g), -h * (1.0 + 6.0 * h),
                                h * (1.0 + 2.0 * g) * (1.0 + 12.0 * h)};
  for (int k = 1; k <= n; ++k) {
    f[k] = derivatives[k - 1] / factorial(k);
  }
}

Enclosure Log1mExp::enclose(Interval x, int m) noexcept {
  return x.lo > 0.0 ? enclose_monotone(Log1mExp{}, x, m) : nothing_known();
}

// 1 - e^-(x+d) = (1 - e^-x)(1 + t), t = g (1 - e^-d) = g (d - em(-d)); the slope g falls by
// (1 + g) (e^d - 1) times its new value.
Change Log1mExp::change(double x, double d) noexcept {
  double f[2];
  taylor(x, 1, f);
  const double g = f[1];
  double to[2];
  taylor(x + d, 1, to);
  if (!(x + d > 0.0) || d < -kFar) {
    return {f[0], g, to[0] - f[0] - g * d, to[1] - g};
  }
  const double bent = expm1_minus_x(-d);
  const double fall =
      d > 0.0 ? g * (1.0 + to[1]) * -std::expm1(-d) : (1.0 + g) * to[1] * std::expm1(d);
  return {f[0], g, -g * bent - x_minus_log1p(g * (d - bent)), -fall};
}

}  // namespace flymc::smooth
