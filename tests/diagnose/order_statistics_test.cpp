// The neighbours of a quantile, whatever the sample looks like and wherever the search starts; and
// quantiles of counts.
#include "diagnose/order_statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "diagnose/moments.hpp"
#include "flymc/random.hpp"

namespace flymc {
namespace {

double by_neighbours(TailSearch& search, const std::vector<double>& sample, double prob) {
  const Neighbours at = search.find(sample, prob, mean(sample), standard_deviation(sample));
  return Neighbours::interpolate(at.below, at.above, at.fraction);
}

void expect_quantiles(const std::vector<double>& sample) {
  TailSearch search;
  for (const double prob : {0.0, 0.01, 0.05, 0.3, 0.5, 0.8, 0.95, 1.0}) {
    EXPECT_EQ(by_neighbours(search, sample, prob), quantile(sample, prob))
        << prob << " of " << sample.size();
  }
}

TEST(TailSearch, AgreesWithTheQuantileOfNormalSamples) {
  for (const std::size_t n : {1U, 2U, 3U, 19U, 20U, 21U, 100U, 101U, 4000U}) {
    Stream stream(3, 0, Purpose::kInit, n);
    std::vector<double> sample(n);
    for (double& x : sample) {
      x = 5.0 + 2.0 * stream.normal();
    }
    expect_quantiles(sample);
  }
}

TEST(TailSearch, AgreesWhereTheSampleIsFarFromNormal) {
  std::vector<double> skewed;
  for (int i = 0; i < 500; ++i) {
    skewed.push_back(std::exp(((i * 7919) % 500) / 40.0));
  }
  expect_quantiles(skewed);
  expect_quantiles(std::vector<double>(50, 2.5));
  std::vector<double> two(100, 0.0);
  two[17] = two[18] = 1.0;
  expect_quantiles(two);
}

// Of 101 the quantile of 0.95 is the last number, with nothing of the infinite one above it.
TEST(TailSearch, AgreesBesideInfinity) {
  std::vector<double> sample;
  for (int i = 0; i < 101; ++i) {
    sample.push_back(i < 96 ? 0.25 * i : std::numeric_limits<double>::infinity());
  }
  expect_quantiles(sample);
}

TEST(TailSearch, WrongMomentsChangeNothing) {
  std::vector<double> sample;
  for (int i = 0; i < 200; ++i) {
    sample.push_back((i * 37) % 200);
  }
  TailSearch search;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double centre : {-1e9, 0.0, 150.0, 1e9, nan}) {
    for (const double sd : {0.0, 10.0, 1e9, nan}) {
      const Neighbours at = search.find(sample, 0.05, centre, sd);
      EXPECT_EQ(at.below, 9.0);
      EXPECT_EQ(at.above, 10.0);
      EXPECT_EQ(search.find(sample, 0.95, centre, sd).below, 189.0);
    }
  }
}

// Of n counts, each the smallest with at least the share at or below it; shares of whole numbers of
// them (190 of 200) are not lost to rounding.
TEST(QuantileOfCounts, IsTheSmallestThatHoldsTheShare) {
  for (const std::size_t n : {1U, 2U, 7U, 20U, 40U, 200U, 1000U}) {
    std::vector<double> sorted(n);
    for (std::size_t i = 0; i < n; ++i) {
      sorted[i] = static_cast<double>(i + 1);  // so many are at or below it
    }
    for (const std::size_t hundredths : {0U, 1U, 5U, 35U, 50U, 55U, 95U, 99U, 100U}) {
      const std::size_t least = std::max<std::size_t>(1, (hundredths * n + 99) / 100);
      EXPECT_EQ(quantile_of_counts(sorted, static_cast<double>(hundredths) / 100.0), least)
          << hundredths << " % of " << n;
      EXPECT_EQ(quantile_of_counts(sorted, 1.0 - static_cast<double>(100 - hundredths) / 100.0),
                least);
    }
  }
  const std::vector<double> counts{0.0, 0.0, 0.0, 4.0, 4.0};
  EXPECT_EQ(quantile_of_counts(counts, 0.6), 0.0);
  EXPECT_EQ(quantile_of_counts(counts, 0.61), 4.0);
}

}  // namespace
}  // namespace flymc
