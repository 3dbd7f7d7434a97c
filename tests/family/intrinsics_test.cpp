// The functions of densities over points, intervals and steps, against power series in long double.
// See docs/method/automatic.md, Functions.
#include "flymc/detail/family/auto/intrinsics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "flymc/random.hpp"
#include "support/taylor_reference.hpp"

namespace flymc {
namespace {

using smooth::Change;
using smooth::Enclosure;
using smooth::Interval;
using unit::Real;
using unit::Series;

// A function under test, its domain as a map from a standard normal or wider number, and how far
// from x its series converges.
struct Function {
  std::string name;
  std::function<void(double, int, double*)> taylor;
  std::function<Enclosure(Interval, int)> enclose;
  std::function<Change(double, double)> change;
  std::function<Series(Real)> series;
  bool positive;                                         // of its domain
  std::function<double(double)> radius;                  // of convergence, at least
  double end = std::numeric_limits<double>::infinity();  // of its domain
};

template <class F>
Function function(std::string name, F f, std::function<Series(Real)> series, bool positive,
                  std::function<double(double)> radius) {
  Function out{.name = std::move(name),
               .taylor = [f](double x, int n, double* to) { f.taylor(x, n, to); },
               .enclose = [f](Interval x, int m) { return f.enclose(x, m); },
               .change = {},
               .series = std::move(series),
               .positive = positive,
               .radius = std::move(radius)};
  if constexpr (requires { f.change(0.0, 0.0); }) {
    out.change = [f](double x, double d) { return f.change(x, d); };
  }
  return out;
}

std::vector<Function> all_functions() {
  const auto own = [](double x) { return unit::abs(x); };
  const auto pi = [](double) { return 3.0; };
  const auto entire = [](double) { return 2.0; };
  std::vector<Function> all{
      function("exp", smooth::Exp{}, unit::exp_series, false, entire),
      function("expm1", smooth::Expm1{}, unit::expm1_series, false, entire),
      function("log", smooth::Log{}, unit::log_series, true, own),
      function("log1p", smooth::Log1p{}, unit::log1p_series, true,
               [](double x) { return 1.0 + x; }),
      function("inverse", smooth::Inverse{}, unit::inverse_series, true, own),
      function(
          "sqrt", smooth::Sqrt{}, [](Real x) { return unit::power_series(x, 0.5L); }, true, own),
      function("square", smooth::Square{}, unit::square_series, false, entire),
      function("sigmoid", smooth::Sigmoid{}, unit::sigmoid_series, false, pi),
      function("softplus", smooth::Softplus{}, unit::softplus_series, false, pi),
      function("tanh", smooth::Tanh{}, unit::tanh_series, false, [](double) { return 1.5; }),
      function("log1mexp", smooth::Log1mExp{}, unit::log1mexp_series, true,
               [](double x) { return std::min(x, 6.0); }),
      function("lgamma", smooth::LogGamma{}, unit::lgamma_series, true, own),
      function("digamma", smooth::Digamma{}, unit::digamma_series, true, own),
      function("std_normal_lcdf", smooth::LogNormalCdf{}, unit::log_normal_cdf_series, false,
               [](double) { return 2.5; }),
      function("log1p_ratio", smooth::Log1pRatio{}, unit::log1p_ratio_series, true, own)};
  for (const double exponent : {-2.5, -1.0, 0.3, 1.7, 3.2}) {
    all.push_back(function(
        "pow " + std::to_string(exponent), smooth::Power{exponent},
        [exponent](Real x) { return unit::power_series(x, exponent); }, true, own));
  }
  for (const double rise : {0.0, 0.5, 1.0, 7.0, 40.25, 1e4}) {
    all.push_back(function(
        "lrising " + std::to_string(rise), smooth::LogRising{rise},
        [rise](Real x) { return unit::lrising_series(x, rise); }, true, own));
  }
  for (const int terms : {2, 7, 40, 41, 300}) {
    all.push_back(function(
        "lrising_steps " + std::to_string(terms), smooth::LogStepRising{static_cast<double>(terms)},
        [terms](Real x) { return unit::step_rising_series(x, terms); }, true, own));
    if (terms > 40) {
      all.back().end = 1.0 / 16.0;
    }
  }
  return all;
}

// A place in the domain: of both signs up to about 25, or positive over six decades.
double place(const Function& f, Stream& stream) {
  const double z = stream.normal();
  return f.end < 1.0  ? f.end * unit::exp(-2.5 * unit::abs(z))
         : f.positive ? unit::exp(2.5 * z)
                      : 4.0 * z * std::max(1.0, unit::abs(z));
}

// The reference's own error, in units of its terms.
constexpr Real kReference = 1e-17L;

bool inside(Interval enclosure, Real value) {
  const Real room = kReference * unit::abs(value) + std::numeric_limits<double>::min();
  return enclosure.lo - room <= value && value <= enclosure.hi + room;
}

TEST(Intrinsics, EnclosuresHoldEveryDerivativeOfTheirInterval) {
  Stream stream(31, 0, Purpose::kTest, 0);
  for (const Function& f : all_functions()) {
    for (int trial = 0; trial < 120; ++trial) {
      const double x = place(f, stream);
      const double width = unit::pow(10.0, 6.0 * stream.uniform() - 5.0);
      const double step = trial % 5 == 0 ? 0.0 : f.positive ? x * width : width;
      const Interval over{x, std::min(f.end, x + step)};
      Enclosure enclosure[5];
      for (int m = 0; m <= 4; ++m) {
        enclosure[m] = f.enclose(over, m);
      }
      for (const double share : {0.0, 1.0, stream.uniform(), stream.uniform()}) {
        const double at = std::min(over.hi, over.lo + share * (over.hi - over.lo));
        const Series exact = f.series(at);
        ASSERT_TRUE(inside(enclosure[4].range, exact[0])) << f.name << " at " << at;
        for (std::size_t m = 0; m <= 4; ++m) {
          ASSERT_TRUE(inside(enclosure[m].order, exact[m]))
              << f.name << ", order " << m << " at " << at << " of [" << over.lo << ", " << over.hi
              << "]: " << static_cast<double>(exact[m] - enclosure[m].order.lo) << ", "
              << static_cast<double>(enclosure[m].order.hi - exact[m]);
          ASSERT_TRUE(inside(enclosure[m].next, exact[m + 1]))
              << f.name << ", order " << m + 1 << " at " << at;
        }
      }
    }
  }
}

// Dense around the points where derivatives turn, which are inside or just outside.
TEST(Intrinsics, EnclosuresHoldAroundTheTurningPoints) {
  for (const Function& f : all_functions()) {
    for (double lo = f.positive ? 0.05 : -5.0; lo < 5.0; lo += 0.317) {
      for (const double width : {1e-9, 0.4, 3.0}) {
        if (lo + width > f.end) {
          continue;
        }
        const Enclosure three = f.enclose({lo, lo + width}, 2);
        const Enclosure five = f.enclose({lo, lo + width}, 4);
        for (int i = 0; i <= 8; ++i) {
          const double at = std::min(lo + width, lo + width * i / 8);
          const Series exact = f.series(at);
          ASSERT_TRUE(inside(five.range, exact[0])) << f.name << " at " << at;
          ASSERT_TRUE(inside(three.order, exact[2])) << f.name << " at " << at;
          ASSERT_TRUE(inside(three.next, exact[3])) << f.name << " at " << at;
          ASSERT_TRUE(inside(five.order, exact[4])) << f.name << " at " << at;
          ASSERT_TRUE(inside(five.next, exact[5])) << f.name << " at " << at;
        }
      }
    }
  }
}

// Nothing is given away either: what a dense grid reaches is all of it.
TEST(Intrinsics, EnclosuresAreNoWiderThanTheDerivative) {
  for (const Function& f : all_functions()) {
    for (double lo = f.positive ? 0.05 : -4.0; lo < std::min(4.0, f.end); lo += 0.9) {
      const double hi = std::min(f.end, lo + 0.7);
      constexpr int kCells = 50;
      Real least[6];
      Real most[6];
      std::fill_n(least, 6, HUGE_VALL);
      std::fill_n(most, 6, -HUGE_VALL);
      for (int i = 0; i <= kCells; ++i) {
        const Series exact = f.series(i == kCells ? hi : lo + (hi - lo) * i / kCells);
        for (std::size_t k = 0; k < 6; ++k) {
          least[k] = std::min(least[k], exact[k]);
          most[k] = std::max(most[k], exact[k]);
        }
      }
      for (int m = 0; m <= 4; ++m) {
        const Interval order = f.enclose({lo, hi}, m).order;
        const Real room = 1e-3L * (most[m] - least[m]) + 1e-13L * unit::abs(most[m]) + 1e-13L;
        EXPECT_GE(order.lo, least[m] - room) << f.name << ", order " << m << " from " << lo;
        EXPECT_LE(order.hi, most[m] + room) << f.name << ", order " << m << " from " << lo;
      }
    }
  }
}

TEST(Intrinsics, TaylorCoefficientsAreThoseOfTheSeries) {
  Stream stream(32, 0, Purpose::kTest, 0);
  for (const Function& f : all_functions()) {
    for (int trial = 0; trial < 60; ++trial) {
      const double x = place(f, stream);
      double got[6];
      f.taylor(x, 5, got);
      const Series exact = f.series(x);
      for (int k = 0; k <= 5; ++k) {
        // Enclosures of a point are as wide as an error may be.
        const Enclosure at = f.enclose({x, x}, std::min(k, 4));
        const Interval order = k < 5 ? at.order : at.next;
        EXPECT_LE(unit::abs(got[k] - exact[static_cast<std::size_t>(k)]),
                  (order.hi - order.lo) + kReference)
            << f.name << ", order " << k << " at " << x;
      }
    }
  }
}

// rest and slope change relative to what W makes of them, |F''| d^2 / 2 and |F''| |d|, or to
// themselves where they are more.
TEST(Intrinsics, ChangesKeepTheirDigitsForStepsOfEverySize) {
  Stream stream(33, 0, Purpose::kTest, 0);
  for (const Function& f : all_functions()) {
    for (int trial = 0; f.change && trial < 200; ++trial) {
      const double x = place(f, stream);
      const double size = f.radius(x);
      const double d =
          (stream.uniform() < 0.5 ? -0.9 : 2.0) * size * unit::pow(10.0, -9.0 * stream.uniform());
      const Series s = f.series(x);
      Real rest = 0;
      Real slope_change = 0;
      if (unit::abs(d) < 0.05 * f.radius(x)) {
        for (std::size_t k = unit::kSeriesTerms - 1; k >= 2; --k) {
          rest = rest * d + s[k];
          slope_change = slope_change * d + static_cast<Real>(k) * s[k];
        }
        rest *= static_cast<Real>(d) * d;
        slope_change *= d;
      } else {
        const Series moved = f.series(static_cast<Real>(x) + d);
        rest = moved[0] - s[0] - s[1] * d;
        slope_change = moved[1] - s[1];
      }
      const Change c = f.change(x, d);
      // Of two log Gammas what is left of either is the measure; and far on the right log Phi
      // changes with the last digit of x.
      const bool rising = f.name.starts_with("lrising");
      const Real second = rising && x < 32.0 ? 1 / x + 1 / (x * x) : unit::abs(s[2]);
      const Real share = f.name == "std_normal_lcdf" && x > 0.0 ? 1e-14L + 1e-15L * x * x : 1e-14L;
      const Real rounding = 8 * std::numeric_limits<Real>::epsilon() * (1 + unit::abs(s[0]));
      EXPECT_LE(unit::abs(c.rest - rest), share * (second * d * d + unit::abs(rest)) + rounding)
          << f.name << " at " << x << " by " << d << ": " << c.rest << ", "
          << static_cast<double>(rest);
      EXPECT_LE(unit::abs(c.slope_change - slope_change),
                share * (2 * second * unit::abs(d) + unit::abs(slope_change)) + rounding)
          << f.name << " at " << x << " by " << d << ": " << c.slope_change << ", "
          << static_cast<double>(slope_change);
      // Enclosures of a point are as wide as an error may be.
      const Enclosure at = f.enclose({x, x}, 0);
      EXPECT_LE(unit::abs(c.value - s[0]), at.order.hi - at.order.lo + rounding)
          << f.name << " at " << x;
      EXPECT_LE(unit::abs(c.slope - s[1]), at.next.hi - at.next.lo + rounding)
          << f.name << " at " << x;
    }
  }
}

TEST(Intrinsics, OutsideOfTheirDomainNothingIsKnown) {
  for (const Function& f : all_functions()) {
    if (f.positive && f.name != "log1p" && f.name != "inverse") {
      EXPECT_TRUE(std::isinf(f.enclose({-0.5, 1.0}, 4).order.hi)) << f.name;
      double at = 0.0;
      f.taylor(-0.5, 0, &at);
      if (f.name != "lrising 0.000000") {
        EXPECT_FALSE(unit::isfinite(at)) << f.name;
        EXPECT_TRUE(!f.change || !unit::isfinite(f.change(1.0, -1.5).rest)) << f.name;
      }
    }
    const Enclosure nowhere = f.enclose(smooth::whole_line(), 4);
    for (const Interval one : {nowhere.range, nowhere.order, nowhere.next}) {
      EXPECT_LE(one.lo, one.hi) << f.name;  // no NaN
    }
  }
  EXPECT_TRUE(std::isinf(smooth::Inverse::enclose({-1.0, 2.0}, 4).next.lo));
}

// [0, inf] [0, 1] must not become [0, 0] because 0 inf has no number.
TEST(Intervals, ProductsOfUnboundedOnesAreUnbounded) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const Interval a : {Interval{0.0, inf}, Interval{-inf, inf}, Interval{-inf, 0.0}}) {
    for (const Interval b : {Interval{0.0, 1.0}, Interval{-1.0, 0.0}, Interval{0.0, 0.0}}) {
      for (const Interval c : {a * b, b * a}) {
        EXPECT_EQ(c.lo, -inf);
        EXPECT_EQ(c.hi, inf);
      }
    }
  }
  const Interval far = smooth::outward(inf, inf);
  EXPECT_EQ(far.lo, -inf);
  EXPECT_EQ(smooth::outward(std::nan(""), 1.0).hi, inf);
}

TEST(Intervals, SumsHoldWhatExactArithmeticGives) {
  Stream stream(35, 0, Purpose::kTest, 0);
  const auto random = [&] {
    return stream.normal() * unit::pow(10.0, 6.0 * stream.uniform() - 3.0);
  };
  for (int trial = 0; trial < 20'000; ++trial) {
    const double first = random();
    smooth::IntervalSum sum(smooth::point(first));
    Real least = first;
    Real most = first;
    double largest = unit::abs(first);
    for (int k = 0; k < 15; ++k) {
      const double factor = k % 3 == 0 ? -largest : random();
      const double lo = k % 3 == 0 ? 1.0 : random();  // so that much cancels
      const double hi = k % 2 == 0 ? lo : lo + unit::abs(random());
      sum.add(factor, {lo, hi});
      const Real p = static_cast<Real>(factor) * lo;
      const Real q = static_cast<Real>(factor) * hi;
      least += std::min(p, q);
      most += std::max(p, q);
      const double radius = unit::abs(random());
      sum.add(factor, lo, radius);
      least += p - static_cast<Real>(unit::abs(factor)) * radius;
      most += p + static_cast<Real>(unit::abs(factor)) * radius;
      largest = std::max(largest, unit::abs(factor));
    }
    const Interval total = sum.total();
    ASSERT_TRUE(total.lo <= least && most <= total.hi);
  }
  const double inf = std::numeric_limits<double>::infinity();
  for (const Interval all : {Interval{-inf, inf}, Interval{0.0, inf}}) {
    for (const double factor : {0.0, -1.0, 2.0}) {
      smooth::IntervalSum sum(smooth::point(1.0));
      sum.add(factor, all);
      EXPECT_EQ(sum.total().lo, -inf);
      EXPECT_EQ(sum.total().hi, inf);
    }
  }
  for (const double radius : {inf, std::nan("")}) {
    smooth::IntervalSum sum(smooth::point(1.0));
    sum.add(0.0, 2.0, radius);
    EXPECT_EQ(sum.total().lo, -inf);
    EXPECT_EQ(sum.total().hi, inf);
  }
  smooth::IntervalSum unbounded(smooth::whole_line());
  unbounded.add(1.0, {2.0, 3.0});
  EXPECT_EQ(unbounded.total().lo, -inf);
  EXPECT_EQ(unbounded.total().hi, inf);
}

// Of many terms and small steps the value is a difference of much larger numbers.
TEST(Intrinsics, StepRisingHoldsItsValueDownToZero) {
  for (const double terms : {41.0, 1e4}) {
    for (const double x : {1e-300, 1e-15, 1e-10, 1e-8, 1e-6, 1e-5}) {
      const Interval range = smooth::LogStepRising{terms}.enclose({x, x}, 4).range;
      const Real exact = unit::step_rising_series(x, static_cast<int>(terms))[0];
      EXPECT_TRUE(inside(range, exact)) << terms << " terms, x " << x;
    }
  }
}

TEST(Intervals, HoldWhatExactArithmeticGives) {
  Stream stream(34, 0, Purpose::kTest, 0);
  const auto random = [&] {
    const double a = stream.normal() * unit::pow(10.0, 6.0 * stream.uniform() - 3.0);
    return Interval{a, a + unit::abs(stream.normal()) * stream.uniform()};
  };
  for (int trial = 0; trial < 100'000; ++trial) {
    const Interval a = random();
    const Interval b = random();
    const Real x = a.lo + static_cast<Real>(stream.uniform()) * (static_cast<Real>(a.hi) - a.lo);
    const Real y = b.lo + static_cast<Real>(stream.uniform()) * (static_cast<Real>(b.hi) - b.lo);
    const Interval sum = a + b;
    const Interval product = a * b;
    const Interval scaled = b.lo * a;
    ASSERT_TRUE(sum.lo <= x + y && x + y <= sum.hi);
    ASSERT_TRUE(product.lo <= x * y && x * y <= product.hi);
    ASSERT_TRUE(scaled.lo <= b.lo * x && b.lo * x <= scaled.hi);
    for (const int n : {2, 3, 4}) {
      const Interval raised = smooth::power(a, n);
      ASSERT_TRUE(raised.lo <= unit::pow(x, n) && unit::pow(x, n) <= raised.hi);
      ASSERT_TRUE(n % 2 == 1 || raised.lo >= 0.0);
    }
  }
}

}  // namespace
}  // namespace flymc
