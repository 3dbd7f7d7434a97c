// Values, derivatives, remainders and slopes of expressions made at random, against long double.
// See docs/method/automatic.md, Slopes.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "flymc/detail/family/auto/functions.hpp"
#include "support/random_expression.hpp"

namespace flymc {
namespace {

using smooth::Dual;
using smooth::Interval;
using smooth::Jet2;
using smooth::Remainder;
using smooth::Slope;
using smooth::Value;
using unit::Exact;
using unit::RandomExpression;
using unit::Real;

// Where an expression is looked at: a centre, and the edges of a parallelepiped around it.
template <int P>
struct Box {
  std::array<double, P> centre;
  std::array<std::array<double, P>, P> edges;  // of input k along v_l

  Box(Stream& stream, double radius) {
    for (std::size_t k = 0; k < P; ++k) {
      centre[k] = 1.5 * stream.normal();
      for (std::size_t l = 0; l < P; ++l) {
        edges[k][l] = radius * (l == k ? 1.0 : 0.4 * stream.normal());
      }
    }
  }
  template <int M>
  [[nodiscard]] std::vector<Slope<P, M>> slopes() const {
    std::vector<Slope<P, M>> inputs;
    for (std::size_t k = 0; k < P; ++k) {
      inputs.push_back(Slope<P, M>::variable(centre[k], edges[k]));
    }
    return inputs;
  }
  [[nodiscard]] std::vector<Exact> at(const std::array<double, P>& v) const {
    std::vector<Exact> inputs;
    for (std::size_t k = 0; k < P; ++k) {
      Real x = centre[k];
      for (std::size_t l = 0; l < P; ++l) {
        x += static_cast<Real>(edges[k][l]) * v[l];
      }
      inputs.emplace_back(x);
    }
    return inputs;
  }
};

template <int P>
[[nodiscard]] std::array<double, P> point_of_box(Stream& stream) {
  std::array<double, P> v;
  for (double& one : v) {  // faces and corners often
    const double u = 3.0 * stream.uniform() - 1.5;
    one = std::min(1.0, std::max(-1.0, u));
  }
  return v;
}

// What a slope says of f(v), less its polynomial; `size` is that of the polynomial's terms.
struct Claim {
  Real polynomial = 0;
  Real size = 0;
  Real lo = 0;
  Real hi = 0;
};
template <int P, int M>
[[nodiscard]] Claim claim_at(const Slope<P, M>& f, const std::array<double, P>& v) {
  using S = Slope<P, M>;
  Claim claim;
  for (std::size_t i = 0; i < S::kCount; ++i) {
    Real monomial = 1;
    for (std::size_t l = 0; l < P; ++l) {
      for (int k = 0; k < S::kTable.exponents[i][l]; ++k) {
        monomial *= v[l];
      }
    }
    if (i < S::kLower) {
      claim.polynomial += f.c[i] * monomial;
      claim.size += unit::abs(f.c[i] * monomial);
    } else {
      const Interval top = f.top[i - S::kLower];
      claim.lo += std::min(top.lo * monomial, top.hi * monomial);
      claim.hi += std::max(top.lo * monomial, top.hi * monomial);
    }
  }
  return claim;
}

// Coefficients are rounded, intervals are not narrowed by it: 1e-13 of all terms.
template <int P, int M>
void expect_represents(const RandomExpression& f, const Box<P>& box, Stream& stream, int& bounded) {
  const Slope<P, M> slope = f(box.template slopes<M>());
  for (int trial = 0; trial < 12; ++trial) {
    const std::array<double, P> v = point_of_box<P>(stream);
    const Real value = f(box.at(v)).value;
    const Claim claim = claim_at<P, M>(slope, v);
    if (!unit::isfinite(claim.hi - claim.lo) || claim.size > 1e6L) {
      continue;
    }
    ++bounded;
    const Real room = 1e-13L * (claim.size + unit::abs(value) + 1);
    ASSERT_GE(value - claim.polynomial, claim.lo - room) << "P " << P << ", M " << M;
    ASSERT_LE(value - claim.polynomial, claim.hi + room) << "P " << P << ", M " << M;
    ASSERT_GE(value, slope.range.lo - room);
    ASSERT_LE(value, slope.range.hi + room);
  }
}

template <int P, int M>
void expect_represents_all(std::uint64_t seed, int expressions) {
  Stream stream(seed, 0, Purpose::kTest, 0);
  int bounded = 0;
  for (int i = 0; i < expressions; ++i) {
    const RandomExpression f(stream, P, 2 + static_cast<int>(6.0 * stream.uniform()));
    const Box<P> box(stream, unit::pow(10.0, -1.5 * stream.uniform()));
    expect_represents<P, M>(f, box, stream, bounded);
    ASSERT_FALSE(testing::Test::HasFatalFailure()) << "expression " << i;
  }
  EXPECT_GT(bounded, 8 * expressions);  // of 12 points each
}

TEST(Slopes, RepresentExpressionsOfOneVariable) {
  expect_represents_all<1, 3>(41, 3000);
  expect_represents_all<1, 4>(42, 3000);
}

TEST(Slopes, RepresentExpressionsOfSeveralVariables) {
  expect_represents_all<2, 3>(43, 1000);
  expect_represents_all<2, 4>(44, 1000);
  expect_represents_all<3, 4>(45, 300);
  expect_represents_all<4, 3>(46, 200);
  expect_represents_all<4, 4>(47, 100);
}

// Widths are O(r): the top slopes close in on the Taylor coefficient as the box shrinks.
TEST(Slopes, CloseInOnTheTaylorCoefficient) {
  const auto f = [](const auto& x) { return log1p(square(x)) * sigmoid(x); };
  unit::Series one_more = unit::square_series(0.7);
  one_more[0] += 1;
  const Real exact = unit::product_of(unit::log_of(one_more, unit::log(one_more[0])),
                                      unit::sigmoid_series(0.7))[4];
  double before = HUGE_VAL;
  for (const double r : {0.3, 0.03, 0.003}) {
    const Slope<1, 4> slope = f(Slope<1, 4>::variable(0.7, {r}));
    const double scale = unit::pow(r, 4);
    const Interval top{slope.top[0].lo / scale, slope.top[0].hi / scale};
    EXPECT_LE(top.lo, exact);
    EXPECT_GE(top.hi, exact);
    EXPECT_LT(top.hi - top.lo, 0.2 * before);
    before = top.hi - top.lo;
  }
  EXPECT_LT(before, 0.01);
}

template <int P>
void expect_derivatives(const RandomExpression& f, const Box<P>& box) {
  std::vector<Value> values;
  std::vector<Dual<P>> duals;
  std::vector<Jet2<P>> jets;
  for (std::size_t k = 0; k < P; ++k) {
    values.emplace_back(box.centre[k]);
    duals.push_back(Dual<P>::variable(box.centre[k], k));
    jets.push_back(Jet2<P>::variable(box.centre[k], k));
  }
  std::array<double, P> zero{};
  const double exact = static_cast<double>(f(box.at(zero)).value);
  const double size = 1.0 + unit::abs(exact);
  if (size > 1e3) {
    return;
  }
  const Dual<P> dual = f(duals);
  const Jet2<P> jet = f(jets);
  EXPECT_NEAR(f(values).value, exact, 1e-12 * size);
  EXPECT_NEAR(dual.value, exact, 1e-12 * size);
  EXPECT_NEAR(jet.value, exact, 1e-12 * size);
  const auto shifted = [&](std::size_t k, std::size_t l, Real dk, Real dl) {
    std::vector<Exact> inputs = box.at(zero);
    inputs[k] = inputs[k].value + dk;
    inputs[l] = inputs[l].value + dl;
    return f(inputs).value;
  };
  const Real h = 1e-5L;
  for (std::size_t k = 0; k < P; ++k) {
    const Real slope = (shifted(k, k, h, 0) - shifted(k, k, -h, 0)) / (2 * h);
    const double room = 1e-6 * (size + static_cast<double>(unit::abs(slope)));
    EXPECT_NEAR(dual.slope[k], static_cast<double>(slope), room);
    EXPECT_NEAR(jet.slope[k], dual.slope[k], 1e-13 * size);
    for (std::size_t l = 0; l <= k; ++l) {
      const Real second = (shifted(k, l, h, h) - shifted(k, l, h, -h) - shifted(k, l, -h, h) +
                           shifted(k, l, -h, -h)) /
                          (4 * h * h);
      const double got = jet.second[smooth::packed(k, l)];
      EXPECT_NEAR(got, static_cast<double>(second),
                  1e-6 * (size + unit::abs(got) + unit::abs(static_cast<double>(second))));
    }
  }
}

TEST(Derivatives, AreThoseOfTheExpression) {
  Stream stream(48, 0, Purpose::kTest, 0);
  for (int i = 0; i < 400; ++i) {
    const int steps = 2 + static_cast<int>(4.0 * stream.uniform());
    expect_derivatives<1>(RandomExpression(stream, 1, steps), Box<1>(stream, 0.1));
    expect_derivatives<3>(RandomExpression(stream, 3, steps), Box<3>(stream, 0.1));
    ASSERT_FALSE(testing::Test::HasFailure()) << "expression " << i;
  }
}

// The rest along a step of any size: relative to what a parabola over the same step is made of, the
// bends of all parts of the expression. For the expression itself that is what its jet says at both
// ends, and a thousandfold room for parts that cancel.
template <int P>
void expect_rest(const RandomExpression& f, const Box<P>& box, Stream& stream, int& checked) {
  const std::array<double, P> v = point_of_box<P>(stream);
  const double shrink = unit::pow(10.0, -4.0 * stream.uniform());
  std::vector<Remainder<P>> inputs;
  std::array<double, P> u;
  double norm = 0.0;
  for (std::size_t k = 0; k < P; ++k) {
    u[k] = shrink * v[k];
    norm += u[k] * u[k];
    auto input = Remainder<P>::variable(box.centre[k], u[k], k);
    inputs.push_back(input);
  }
  const Remainder<P> got = f(inputs);
  std::array<double, P> zero{};
  const auto moved = [&](Real share) {
    std::vector<Exact> at = box.at(zero);
    for (std::size_t k = 0; k < P; ++k) {
      at[k] = at[k].value + share * u[k];
    }
    return f(at).value;
  };
  // f'(a) u by differences of fourth order, in quadruple precision where there is one.
  const Real h = 1e-4L;
  const Real linear = (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h);
  const Real rest = moved(1) - moved(0) - linear;
  if (!unit::isfinite(rest) || unit::abs(moved(0)) > 1e3L || unit::abs(rest) > 1e3L) {
    return;
  }
  ++checked;
  EXPECT_NEAR(got.value, static_cast<double>(moved(0)), 1e-11);
  EXPECT_NEAR(got.linear, static_cast<double>(linear),
              1e-11 * (unit::abs(static_cast<double>(linear)) + unit::sqrt(norm)));
  const Real size = unit::abs(rest) + norm;
  EXPECT_LE(unit::abs(got.rest - rest), 1e-11L * size) << "rest " << got.rest << ", step " << norm;
}

TEST(Remainders, KeepTheirDigitsForSmallSteps) {
  Stream stream(49, 0, Purpose::kTest, 0);
  int checked = 0;
  for (int i = 0; i < 1500; ++i) {
    const int steps = 2 + static_cast<int>(3.0 * stream.uniform());
    expect_rest<1>(RandomExpression(stream, 1, steps), Box<1>(stream, 1.0), stream, checked);
    expect_rest<2>(RandomExpression(stream, 2, steps), Box<2>(stream, 1.0), stream, checked);
    ASSERT_FALSE(testing::Test::HasFailure()) << "expression " << i;
  }
  EXPECT_GT(checked, 2000);
}

// The change of slope is the difference of two gradients.
TEST(Remainders, ChangeTheSlopeAsTheDualsAtBothEnds) {
  Stream stream(50, 0, Purpose::kTest, 0);
  for (int i = 0; i < 1000; ++i) {
    const RandomExpression f(stream, 2, 2 + static_cast<int>(3.0 * stream.uniform()));
    const Box<2> box(stream, 1.0);
    std::vector<Remainder<2>> inputs;
    std::vector<Dual<2>> from;
    std::vector<Dual<2>> to;
    for (std::size_t k = 0; k < 2; ++k) {
      const double u = stream.normal();
      inputs.push_back(Remainder<2>::variable(box.centre[k], u, k));
      from.push_back(Dual<2>::variable(box.centre[k], k));
      to.push_back(Dual<2>::variable(box.centre[k] + u, k));
    }
    const Remainder<2> got = f(inputs);
    const Dual<2> start = f(from);
    const Dual<2> end = f(to);
    if (!(unit::abs(end.value) < 1e4 && unit::abs(start.value) < 1e4)) {
      continue;
    }
    EXPECT_NEAR(got.value + got.change(), end.value, 1e-10 * (1.0 + unit::abs(end.value)));
    for (std::size_t k = 0; k < 2; ++k) {
      const double size = 1.0 + unit::abs(start.slope[k]) + unit::abs(end.slope[k]);
      EXPECT_NEAR(got.slope[k], start.slope[k], 1e-12 * size);
      EXPECT_NEAR(got.slope_change[k], end.slope[k] - start.slope[k], 1e-9 * size);
    }
    ASSERT_FALSE(testing::Test::HasFailure()) << "expression " << i;
  }
}

}  // namespace
}  // namespace flymc
