#include "flymc/detail/core/special.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "support/normal_reference.hpp"

namespace flymc {
namespace {

TEST(NormalQuantile, AgreesWithRInEveryRegion) {
  // sprintf("%.15g", qnorm(p)) in R 4.2.
  const struct {
    double p;
    double z;
  } cases[] = {{1e-300, -37.0470962993612}, {1e-20, -9.26234008979841}, {1e-10, -6.36134090240406},
               {1e-5, -4.26489079392282},   {0.01, -2.32634787404084},  {0.074, -1.44663206715898},
               {0.076, -1.43250272082581},  {0.3, -0.524400512708041},  {0.5, 0.0},
               {0.6, 0.2533471031358},      {0.925, 1.43953147093846},  {0.99, 2.32634787404084}};
  for (const auto& [p, z] : cases) {
    EXPECT_NEAR(normal_quantile(p), z, 1e-14 * unit::abs(z)) << "p = " << p;
  }
}

TEST(NormalQuantile, InvertsTheNormalDistributionFunction) {
  for (double z = -6.0; z < 3.0; z += 0.01) {
    const double p = 0.5 * unit::erfc(-z / unit::sqrt(2.0));
    EXPECT_NEAR(normal_quantile(p), z, 1e-13);
  }
}

TEST(NormalQuantile, IsOddAboutOneHalf) {
  EXPECT_EQ(normal_quantile(0.5), 0.0);
  EXPECT_DOUBLE_EQ(normal_quantile(0.25), -normal_quantile(0.75));
  EXPECT_DOUBLE_EQ(normal_quantile(0.03125), -normal_quantile(0.96875));
}

TEST(NormalQuantile, DefinesTheEdges) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(normal_quantile(0.0), -inf);
  EXPECT_EQ(normal_quantile(1.0), inf);
  EXPECT_TRUE(unit::isnan(normal_quantile(-0.1)));
  EXPECT_TRUE(unit::isnan(normal_quantile(1.1)));
  EXPECT_TRUE(unit::isnan(normal_quantile(std::nan(""))));
}

// Both signs from 1e-8 to 1e4, and either side of the switch to the continued fraction at 4.
std::vector<double> predictors() {
  std::vector<double> result{0.0, -0.0};
  for (double y = 1e-8; y < 1e4; y *= y < 0.1 ? 3.0 : 1.02) {
    result.push_back(y);
  }
  result.insert(result.end(), {4.0, std::nextafter(4.0, 0.0), std::nextafter(4.0, 5.0)});
  const std::size_t positive = result.size();
  for (std::size_t i = 1; i < positive; ++i) {
    result.push_back(-result[i]);
  }
  return result;
}

// Below the smallest normal number only to that.
void expect_share(double value, unit::Real reference, unit::Real tolerance, double y) {
  const unit::Real floor = std::numeric_limits<double>::min();
  EXPECT_LE(unit::abs(value - reference), tolerance * unit::abs(reference) + floor) << "y = " << y;
}

TEST(LogNormalCdf, KeepsItsDigitsInBothTails) {
  for (const double y : predictors()) {
    const LogNormalCdf at = log_normal_cdf(y);
    const unit::NormalReference reference = unit::normal_reference(y);
    expect_share(at.value, reference.value, 1e-15L, y);
    expect_share(at.slope, reference.slope, 1e-15L, y);
    expect_share(at.excess, reference.excess, 5e-15L, y);
  }
}

// The reference itself, against the library's erfc where that leaves digits enough.
TEST(LogNormalCdf, MatchesTheErrorFunction) {
  for (double y = -20.0; y < 8.0; y += 0.0371) {
    const unit::Real cdf = unit::erfc(-static_cast<unit::Real>(y) / unit::sqrt(2.0L)) / 2;
    const unit::Real upper = unit::erfc(static_cast<unit::Real>(y) / unit::sqrt(2.0L)) / 2;
    expect_share(log_normal_cdf(y).value, y > 0.0 ? unit::log1p(-upper) : unit::log(cdf), 1e-15L,
                 y);
  }
}

TEST(LogNormalCdf, DefinesTheEdges) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(log_normal_cdf(inf).value, 0.0);
  EXPECT_EQ(log_normal_cdf(inf).slope, 0.0);
  EXPECT_EQ(log_normal_cdf(-inf).value, -inf);
  EXPECT_EQ(log_normal_cdf(-1e200).value, -inf);
  EXPECT_EQ(log_normal_cdf(-1e200).slope, 1e200);
  EXPECT_EQ(log_normal_cdf(1e200).slope, 0.0);
  EXPECT_TRUE(unit::isnan(log_normal_cdf(std::nan("")).value));
}

}  // namespace
}  // namespace flymc
