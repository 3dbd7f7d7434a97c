#include "flymc/detail/core/numeric.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "support/real.hpp"

namespace flymc {
namespace {

using unit::Real;

// Both signs of a geometric grid from 1e-300 to `largest`, zero, and the branch points with their
// neighbours on either side.
std::vector<double> arguments(double largest) {
  std::vector<double> result{0.0};
  for (double x = 1e-300; x < largest; x *= x < 1e-3 ? 10.0 : 1.01) {
    result.push_back(x);
  }
  for (const double branch : {0.1, 30.0, 36.0}) {
    for (double x : {branch, std::nextafter(branch, 0.0), std::nextafter(branch, 100.0)}) {
      result.push_back(x);
    }
  }
  const std::size_t positive = result.size();
  for (std::size_t i = 1; i < positive; ++i) {
    result.push_back(-result[i]);
  }
  return result;
}

// |value - reference| in units of |reference|; below the smallest normal number only to that.
void expect_relative(double value, Real reference, Real tolerance, double x) {
  const Real floor = std::numeric_limits<double>::min();
  EXPECT_LE(unit::abs(value - reference), tolerance * unit::abs(reference) + floor)
      << "x = " << x << ", value " << value << ", reference " << static_cast<double>(reference);
}

TEST(Softplus, IsExactToRounding) {
  for (const double x : arguments(745.0)) {
    const Real big = x;
    expect_relative(softplus(x),
                    x > 0 ? big + unit::log1p(unit::exp(-big)) : unit::log1p(unit::exp(big)),
                    1e-15L, x);
  }
}

TEST(Sigmoid, IsExactToRoundingInBothTails) {
  for (const double x : arguments(745.0)) {
    expect_relative(sigmoid(x), 1.0L / (1.0L + unit::exp(-Real{x})), 1e-15L, x);
  }
  EXPECT_EQ(sigmoid(1e308), 1.0);
  EXPECT_EQ(sigmoid(-1e308), 0.0);
}

// sum_{k >= 2} x^k / k!.
Real expm1_minus_x_reference(Real x) {
  if (unit::abs(x) > 1.0L) {
    return unit::expm1(x) - x;
  }
  Real term = x;
  Real sum = 0.0L;
  for (int k = 2; k < 60; ++k) {
    term *= x / k;
    sum += term;
  }
  return sum;
}

TEST(Expm1MinusX, KeepsItsDigitsNearZeroAndAcrossTheBranch) {
  for (const double x : arguments(700.0)) {
    expect_relative(expm1_minus_x(x), expm1_minus_x_reference(x), 4e-15L, x);
    EXPECT_GE(expm1_minus_x(x), 0.0);
  }
}

// sum_{k >= 2} (-1)^k x^k / k.
Real x_minus_log1p_reference(Real x) {
  if (unit::abs(x) > 0.3L) {
    return x - unit::log1p(x);
  }
  Real power = -x;  // (-x)^k
  Real sum = 0.0L;
  for (int k = 2; k < 120; ++k) {
    power *= -x;
    sum += power / k;
  }
  return sum;
}

TEST(XMinusLog1p, KeepsItsDigitsNearZeroAndAcrossTheBranch) {
  for (const double x : arguments(1e6)) {
    if (x > -0.999) {
      expect_relative(x_minus_log1p(x), x_minus_log1p_reference(x), 5e-15L, x);
      EXPECT_GE(x_minus_log1p(x), 0.0);
    }
  }
}

TEST(LogExpm1, MatchesItsDefinitionAndDerivative) {
  for (const double x : arguments(1e5)) {
    if (x > 1e-290) {
      const Real big = x;
      const Real value = big > 1000.0L ? big : unit::log(unit::expm1(big));
      EXPECT_LE(unit::abs(log_expm1(x).value - value), 1e-15L * (1.0L + unit::abs(value))) << x;
      expect_relative(log_expm1(x).derivative, -1.0L / unit::expm1(-big), 1e-15L, x);
    }
  }
}

}  // namespace
}  // namespace flymc
