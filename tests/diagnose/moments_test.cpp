#include "diagnose/moments.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "diagnose/reference_series.hpp"

namespace flymc {
namespace {

TEST(Moments, MatchR) {  // mean(a), sd(a), quantile(a, c(0.05, 0.5, 0.95))
  const auto a = series_a();
  EXPECT_NEAR(mean(a), 0.000151239351337371, 1e-16);
  EXPECT_NEAR(standard_deviation(a), 0.33336544568661, 1e-14);
  EXPECT_NEAR(quantile(a, 0.05), -0.63933592106794, 1e-14);
  EXPECT_NEAR(quantile(a, 0.5), 0.0368059691635584, 1e-15);
  EXPECT_NEAR(quantile(a, 0.95), 0.47847374199395, 1e-14);
}

TEST(Moments, InterpolateBetweenOrderStatistics) {
  const std::vector<double> sample = {4.0, 1.0, 3.0, 2.0};
  EXPECT_DOUBLE_EQ(quantile(sample, 0.0), 1.0);
  EXPECT_DOUBLE_EQ(quantile(sample, 0.25), 1.75);
  EXPECT_DOUBLE_EQ(quantile(sample, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(quantile(sample, 1.0), 4.0);
}

TEST(Moments, LoseNothingFarFromZero) {
  const std::vector<double> sample = {1e9 + 1.0, 1e9 + 2.0, 1e9 + 3.0};
  EXPECT_EQ(mean(sample), 1e9 + 2.0);
  EXPECT_EQ(variance(sample), 1.0);
}

TEST(Moments, AreNanWhereUndefined) {
  const std::vector<double> one = {1.0};
  const std::vector<double> with_nan = {1.0, std::nan(""), 3.0};
  EXPECT_TRUE(std::isnan(mean({})));
  EXPECT_TRUE(std::isnan(variance(one)));
  EXPECT_TRUE(std::isnan(quantile({}, 0.5)));
  EXPECT_TRUE(std::isnan(quantile(with_nan, 0.5)));
  EXPECT_TRUE(std::isnan(mean(with_nan)));
}

}  // namespace
}  // namespace flymc
