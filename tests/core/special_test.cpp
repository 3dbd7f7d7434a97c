#include "flymc/core/special.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

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
    EXPECT_NEAR(normal_quantile(p), z, 1e-14 * std::abs(z)) << "p = " << p;
  }
}

TEST(NormalQuantile, InvertsTheNormalDistributionFunction) {
  for (double z = -6.0; z < 3.0; z += 0.01) {
    const double p = 0.5 * std::erfc(-z / std::sqrt(2.0));
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
  EXPECT_TRUE(std::isnan(normal_quantile(-0.1)));
  EXPECT_TRUE(std::isnan(normal_quantile(1.1)));
  EXPECT_TRUE(std::isnan(normal_quantile(std::nan(""))));
}

}  // namespace
}  // namespace flymc
