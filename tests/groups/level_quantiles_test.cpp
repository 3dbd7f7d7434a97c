// Quantiles of a level's posterior by quadrature: of a normal in closed form, and of one that leans
// by a sum over a fine grid.
#include "groups/level_quantiles.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "flymc/family/poisson.hpp"

namespace flymc {
namespace {

TEST(LevelQuantiles, OfANormalAreItsOwn) {
  const GaussianModel model([](double response) { return response; });
  LevelQuantiles quantiles(model, nullptr);
  // Prior normal(0, 2), rows y = u + noise of sd 1 and 1/2 (a weight of 4), one with w = 3.
  const double precision = 0.25 + 1.0 + 4.0 + 9.0;
  const double mean = (1.5 + 4.0 * 0.7 + 3.0 * 2.0) / precision;
  const double sd = 1.0 / std::sqrt(precision);
  const double at = 0.4;
  quantiles.begin(at, 1.2 * sd, 2.0, 9.0);
  quantiles.add_row(at, 1.0, 1.5, 1.0);
  quantiles.add_row(at, 1.0, 0.7, 4.0);
  quantiles.add_row(3.0 * at, 3.0, 2.0, 1.0);
  for (const double z : {1.0, 2.0, 3.0, 4.0}) {
    const LevelInterval found = quantiles.interval(0.5 * std::erfc(z / std::sqrt(2.0)));
    EXPECT_NEAR(found.lower, mean - at - z * sd, 0.03 * sd) << z;
    EXPECT_NEAR(found.upper, mean - at + z * sd, 0.03 * sd) << z;
    EXPECT_NEAR(found.half(), z * sd, 0.03 * sd);
    EXPECT_NEAR(found.middle(), mean - at, 0.03 * sd);
  }
}

// Logarithms of what it leaves below and above, over what was asked for.
struct Left {
  double below = 0.0;
  double above = 0.0;
  double middle = 0.0;  // less the mean
};

// `rows` counts of this sum, each of rate e^u.
Left left_by(double u, double sd, double scale, std::size_t rows, double sum, double tail) {
  const RowModelOf<Poisson> model{Poisson{}};
  LevelQuantiles quantiles(model, nullptr);
  quantiles.begin(u, sd, scale, 9.0);
  for (std::size_t i = 0; i < rows; ++i) {
    quantiles.add_row(u, 1.0, i == 0 ? sum : 0.0, 1.0);
  }
  const LevelInterval found = quantiles.interval(tail);
  Left left;
  double total = 0.0;
  double mean = 0.0;
  for (double at = -12.0; at < 8.0; at += 1e-3) {
    const double p = std::exp(sum * at - static_cast<double>(rows) * std::exp(at) -
                              0.5 * at * at / (scale * scale));
    total += p;
    mean += p * (at - u);
    left.below += at - u < found.lower ? p : 0.0;
    left.above += at - u > found.upper ? p : 0.0;
  }
  left.below = std::log(left.below / total / tail);
  left.above = std::log(left.above / total / tail);
  left.middle = found.middle() - mean / total;
  return left;
}

// The last ones have densities of 0 among the points, on the side where rates overflow.
TEST(LevelQuantiles, OfFewCountsLeanToTheLeft) {
  const Left cases[] = {
      left_by(-0.3, 0.5, 0.8, 3, 1.0, 1e-4), left_by(-1.17, 1.02, 1.5, 1, 0.0, 5e-5),
      left_by(-1.5, 1.2, 2.0, 1, 0.0, 5e-5), left_by(-1.0, 1.0, 1.5, 100, 1.0, 5e-7)};
  for (const Left& left : cases) {
    EXPECT_NEAR(left.below, 0.0, 0.5);
    EXPECT_NEAR(left.above, 0.0, 0.5);
    EXPECT_LT(left.middle, -0.04);
  }
}

TEST(LevelQuantiles, OfNothingAreNoNumber) {
  const RowModelOf<Poisson> model{Poisson{}};
  LevelQuantiles quantiles(model, nullptr);
  quantiles.begin(0.0, std::numeric_limits<double>::quiet_NaN(), 1.0, 9.0);
  quantiles.add_row(0.0, 1.0, 2.0, 1.0);
  EXPECT_FALSE(quantiles.interval(1e-4).half() > 0.0);
}

}  // namespace
}  // namespace flymc
