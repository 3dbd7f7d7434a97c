#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "flymc/random.hpp"
#include "support/unit_statistics.hpp"

namespace flymc {
namespace {

using unit::chi_square_limit;
using unit::kTwoSided;
using unit::mean_of;
using unit::uniform_chi_square;

constexpr std::size_t kDraws = 200000;
constexpr std::size_t kBins = 64;

Stream test_stream(std::uint64_t number) { return {20140, 0, Purpose::kTest, number}; }

double standard_error(double variance) { return std::sqrt(variance / static_cast<double>(kDraws)); }

TEST(Uniform, FillsTheUnitIntervalEvenly) {
  Stream stream = test_stream(1);
  EXPECT_LT(uniform_chi_square(kDraws, kBins, [&] { return stream.uniform(); }),
            chi_square_limit(kBins - 1));
}

TEST(Normal, HasTheNormalLaw) {
  Stream stream = test_stream(2);
  const auto cdf = [&] { return 0.5 * std::erfc(-stream.normal() / std::sqrt(2.0)); };
  EXPECT_LT(uniform_chi_square(kDraws, kBins, cdf), chi_square_limit(kBins - 1));
}

TEST(Normal, HasTheMomentsOfTheNormalLaw) {
  const double moments[] = {0.0, 1.0, 0.0, 3.0};      // E x^k
  const double variances[] = {1.0, 2.0, 15.0, 96.0};  // Var x^k
  for (int k = 1; k <= 4; ++k) {
    Stream stream = test_stream(3);
    const double mean = mean_of(kDraws, [&] { return std::pow(stream.normal(), k); });
    EXPECT_NEAR(mean, moments[k - 1], kTwoSided * standard_error(variances[k - 1])) << "k " << k;
  }
}

TEST(Normal, ThePairOfOnePolarDrawIsUncorrelated) {
  Stream stream = test_stream(4);
  const auto product = [&] {
    const double first = stream.normal();
    return first * stream.normal();
  };
  EXPECT_NEAR(mean_of(kDraws, product), 0.0, kTwoSided * standard_error(1.0));
}

TEST(Exponential, HasTheExponentialLaw) {
  Stream stream = test_stream(5);
  EXPECT_LT(uniform_chi_square(kDraws, kBins, [&] { return -std::expm1(-stream.exponential()); }),
            chi_square_limit(kBins - 1));
}

// Regularised lower incomplete gamma function by its series; shapes and arguments are small here.
double gamma_cdf(double shape, double x) {
  double term = 1.0 / shape;
  double sum = term;
  for (int k = 1; k < 500 && term > 1e-17 * sum; ++k) {
    term *= x / (shape + k);
    sum += term;
  }
  return x == 0.0 ? 0.0 : std::exp(shape * std::log(x) - x - std::lgamma(shape)) * sum;
}

class GammaOfShape : public ::testing::TestWithParam<double> {};

TEST_P(GammaOfShape, HasTheGammaLaw) {
  const double shape = GetParam();
  Stream stream = test_stream(6);
  const auto cdf = [&] { return gamma_cdf(shape, stream.gamma(shape)); };
  EXPECT_LT(uniform_chi_square(kDraws, kBins, cdf), chi_square_limit(kBins - 1));
}

TEST_P(GammaOfShape, HasMeanAndVarianceOfItsShape) {
  const double shape = GetParam();
  Stream stream = test_stream(7);
  double square = 0.0;
  const double mean = mean_of(kDraws, [&] {
    const double x = stream.gamma(shape);
    square += (x - shape) * (x - shape) / static_cast<double>(kDraws);
    return x;
  });
  EXPECT_NEAR(mean, shape, kTwoSided * standard_error(shape));
  // Var (x - shape)^2 = 2 shape^2 + 6 shape.
  EXPECT_NEAR(square, shape, kTwoSided * standard_error(2.0 * shape * shape + 6.0 * shape));
}

INSTANTIATE_TEST_SUITE_P(Shapes, GammaOfShape, ::testing::Values(0.05, 0.3, 0.5, 1.0, 2.5, 30.0));

TEST(Below, IsUnbiased) {
  for (const std::uint64_t n : {1U, 2U, 3U, 7U, 1000U}) {
    Stream stream = test_stream(8);
    const auto draw = [&] {
      const std::uint64_t x = stream.below(n);
      EXPECT_LT(x, n);
      return (static_cast<double>(x) + 0.5) / static_cast<double>(n);
    };
    const double statistic = uniform_chi_square(kDraws, n, draw);
    EXPECT_LE(statistic, n == 1 ? 0.0 : chi_square_limit(static_cast<double>(n - 1))) << n;
  }
}

TEST(Below, IsUnbiasedWhereRejectionIsFrequent) {
  const std::uint64_t n = (std::uint64_t{3} << 62) + 1;  // a quarter of all words is rejected
  Stream stream = test_stream(9);
  const auto draw = [&] { return static_cast<double>(stream.below(n)) / static_cast<double>(n); };
  EXPECT_LT(uniform_chi_square(kDraws, kBins, draw), chi_square_limit(kBins - 1));
}

TEST(Geometric, CountsFailuresBeforeTheFirstSuccess) {
  for (const double p : {0.9, 0.5, 0.1}) {
    Stream stream = test_stream(10);
    constexpr std::size_t kValues = 12;  // the last bin holds all larger ones
    std::vector<double> counts(kValues, 0.0);
    std::vector<double> expected(kValues, 0.0);
    for (std::size_t i = 0; i < kDraws; ++i) {
      counts[stream.geometric(p, kValues - 1)] += 1.0;
    }
    for (std::size_t k = 0; k < kValues; ++k) {
      const double tail = std::pow(1.0 - p, static_cast<double>(k)) * static_cast<double>(kDraws);
      expected[k] = k + 1 < kValues ? p * tail : tail;
    }
    // Bins with a tiny expectation (p = 0.9) have no normal limit; Pearson's sum over the others.
    const auto used = static_cast<std::size_t>(
        std::count_if(expected.begin(), expected.end(), [](double e) { return e > 10.0; }));
    counts.resize(used);
    expected.resize(used);
    EXPECT_LT(unit::chi_square(counts, expected), chi_square_limit(static_cast<double>(used)));
  }
}

TEST(Geometric, StaysWithinItsLimitAtTheEdgesOfP) {
  Stream stream = test_stream(11);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(stream.geometric(1.0, 5), 0U);
    EXPECT_EQ(stream.geometric(0.0, 5), 5U);
    EXPECT_EQ(stream.geometric(1e-300, 1000), 1000U);
    EXPECT_LE(stream.geometric(1e-3, 17), 17U);
  }
}

// Mass of k at this mean, by a route of its own: long double and the library's lgamma.
double poisson_mass(double mean, double k) {
  return static_cast<double>(
      std::exp(static_cast<long double>(k) * std::log(static_cast<long double>(mean)) - mean -
               std::lgamma(static_cast<long double>(k) + 1.0L)));
}

class PoissonOfMean : public ::testing::TestWithParam<double> {};

// Enough to see an error of a few per cent outside the squeeze of the rejection.
constexpr std::size_t kPoissonDraws = 2'000'000;

// Values six standard deviations around the mean, those with few expected draws pooled.
TEST_P(PoissonOfMean, HasThePoissonLaw) {
  const double mean = GetParam();
  const double first = std::max(0.0, std::floor(mean - 6.0 * std::sqrt(mean)));
  const auto values = static_cast<std::size_t>(12.0 * std::sqrt(mean) + 12.0);
  std::vector<double> counts(values, 0.0);
  Stream stream = test_stream(12);
  for (std::size_t i = 0; i < kPoissonDraws; ++i) {
    const double k = static_cast<double>(stream.poisson(mean)) - first;
    if (k >= 0.0 && k < static_cast<double>(values)) {
      counts[static_cast<std::size_t>(k)] += 1.0;
    }
  }
  std::vector<double> used_counts;
  std::vector<double> used_expected;
  double other_counts = static_cast<double>(kPoissonDraws);
  double other_expected = static_cast<double>(kPoissonDraws);
  for (std::size_t i = 0; i < values; ++i) {
    const double expected =
        poisson_mass(mean, first + static_cast<double>(i)) * static_cast<double>(kPoissonDraws);
    if (expected > 10.0) {
      used_counts.push_back(counts[i]);
      used_expected.push_back(expected);
      other_counts -= counts[i];
      other_expected -= expected;
    }
  }
  if (other_expected > 5.0) {
    used_counts.push_back(other_counts);
    used_expected.push_back(other_expected);
  } else {
    EXPECT_LT(other_counts, 30.0);
  }
  EXPECT_LT(unit::chi_square(used_counts, used_expected),
            chi_square_limit(static_cast<double>(used_counts.size())));
}

TEST_P(PoissonOfMean, HasMeanAndVarianceOfItsMean) {
  const double rate = GetParam();
  Stream stream = test_stream(13);
  double square = 0.0;
  const double mean = mean_of(kPoissonDraws, [&] {
    const auto k = static_cast<double>(stream.poisson(rate));
    square += (k - rate) * (k - rate) / static_cast<double>(kPoissonDraws);
    return k;
  });
  EXPECT_NEAR(mean, rate, kTwoSided * std::sqrt(rate / static_cast<double>(kPoissonDraws)));
  // Var (k - mean)^2 = mean + 2 mean^2.
  EXPECT_NEAR(
      square, rate,
      kTwoSided * std::sqrt((rate + 2.0 * rate * rate) / static_cast<double>(kPoissonDraws)));
}

INSTANTIATE_TEST_SUITE_P(Means, PoissonOfMean,
                         ::testing::Values(1e-3, 0.3, 3.0, 9.99, 10.0, 40.0, 1e3, 1e6));

TEST(Poisson, IsZeroAtMeanZeroAndKeepsToTheMeanWhereItIsHuge) {
  Stream stream = test_stream(14);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(stream.poisson(0.0), 0U);
    EXPECT_EQ(stream.poisson(1e-300), 0U);
    EXPECT_NEAR(static_cast<double>(stream.poisson(1e15)), 1e15, 6.0 * std::sqrt(1e15));
  }
}

}  // namespace
}  // namespace flymc
