// Levels summed up without their draws: against the draws themselves.
#include "chain/level_tally.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "diagnose/moments.hpp"
#include "flymc/random.hpp"

namespace flymc {
namespace {

// x_t = rho x_{t-1} + e_t, stationary with sd 1, or e^x of it: one chain of `numbers` at once.
struct TalliedChain {
  LevelTally tally;
  std::vector<std::vector<double>> draws;  // of each number

  TalliedChain(std::uint32_t chain, std::size_t numbers, int length, double rho = 0.0,
               bool skewed = false)
      : draws(numbers) {
    Stream stream(5, chain, Purpose::kTest, 0);
    std::vector<double> x(numbers);
    for (double& value : x) {
      value = stream.normal();
    }
    std::vector<double> row(numbers);
    for (int t = 0; t < length; ++t) {
      for (std::size_t i = 0; i < numbers; ++i) {
        x[i] = rho * x[i] + std::sqrt(1.0 - rho * rho) * stream.normal();
        row[i] = skewed ? std::exp(x[i]) : x[i];
        draws[i].push_back(row[i]);
      }
      tally.add(row);
    }
  }
};

LevelStatistics merged(const std::vector<TalliedChain>& chains, std::size_t number) {
  std::vector<const LevelTally*> tallies;
  for (const TalliedChain& chain : chains) {
    tallies.push_back(&chain.tally);
  }
  return LevelTally::merged(tallies, number);
}

std::vector<double> all_draws(const std::vector<TalliedChain>& chains, std::size_t number) {
  std::vector<double> all;
  for (const TalliedChain& chain : chains) {
    all.insert(all.end(), chain.draws[number].begin(), chain.draws[number].end());
  }
  return all;
}

TEST(LevelTally, MeanAndSdAreThoseOfAllDraws) {
  const std::vector<TalliedChain> chains = {{0, 3, 1000}, {1, 3, 700}, {2, 3, 35}};
  for (std::size_t number = 0; number < 3; ++number) {
    const std::vector<double> draws = all_draws(chains, number);
    const LevelStatistics found = merged(chains, number);
    EXPECT_NEAR(found.mean, mean(draws), 1e-12);
    EXPECT_NEAR(found.sd, standard_deviation(draws), 1e-12);
  }
}

// Shares of draws at or below the quantiles found, summed over numbers.
struct SharesBelow {
  std::array<double, LevelStatistics::kProbabilities.size()> share{};

  void add(const LevelStatistics& found, const std::vector<double>& draws) {
    for (std::size_t q = 0; q < share.size(); ++q) {
      const auto below =
          std::ranges::count_if(draws, [&](double draw) { return draw <= found.quantiles[q]; });
      share[q] += static_cast<double>(below) / static_cast<double>(draws.size());
    }
  }
};

// In units of the sample: the share of draws below the quantile is the probability it is of.
TEST(LevelTally, QuantilesAreNearThoseOfTheDraws) {
  for (const bool skewed : {false, true}) {
    const std::vector<TalliedChain> chains = {{0, 20, 1000, 0.5, skewed},
                                              {1, 20, 1000, 0.5, skewed},
                                              {2, 20, 1000, 0.5, skewed},
                                              {3, 20, 1000, 0.5, skewed}};
    for (std::size_t number = 0; number < 20; ++number) {
      const std::vector<double> draws = all_draws(chains, number);
      SharesBelow below;
      below.add(merged(chains, number), draws);
      for (std::size_t q = 0; q < below.share.size(); ++q) {
        const double p = LevelStatistics::kProbabilities[q];
        EXPECT_NEAR(below.share[q], p, p == 0.5 ? 0.02 : 0.006)
            << number << (skewed ? " skewed " : " ") << p;
      }
    }
  }
}

// Averaged over 400 numbers, each off by 0.003 (the median 0.004), what is left is bias.
TEST(LevelTally, QuantilesHaveHardlyAnyBias) {
  const std::vector<TalliedChain> one = {{0, 400, 1000}};
  SharesBelow below;
  for (std::size_t number = 0; number < 400; ++number) {
    below.add(merged(one, number), one[0].draws[number]);
  }
  for (std::size_t q = 0; q < below.share.size(); ++q) {
    EXPECT_NEAR(below.share[q] / 400.0, LevelStatistics::kProbabilities[q], 0.0012);
  }
}

TEST(LevelTally, FewDrawsAreTakenAsTheyAre) {
  const std::vector<TalliedChain> one = {{0, 1, 12}};
  const LevelStatistics found = merged(one, 0);
  for (std::size_t q = 0; q < found.quantiles.size(); ++q) {
    EXPECT_NEAR(found.quantiles[q], quantile(one[0].draws[0], LevelStatistics::kProbabilities[q]),
                1e-9);
  }
}

// Batches of L draws of an AR(1): L var(mean) = (1 + rho)/(1 - rho) - 2 rho (1 - rho^L)/(L (1 -
// rho)^2) times the variance. Of 124 of them the estimate is off by an eighth, 200 numbers average
// that to 0.009.
TEST(LevelTally, EffectiveDrawsFollowTheAutocorrelation) {
  constexpr double kBatch = 32.0;  // of 1,000 draws
  for (const double rho : {0.0, 0.6}) {
    const std::vector<TalliedChain> chains = {
        {0, 200, 1000, rho}, {1, 200, 1000, rho}, {2, 200, 1000, rho}, {3, 200, 1000, rho}};
    double draws_each = 0.0;  // for an effective one
    for (std::size_t number = 0; number < 200; ++number) {
      draws_each += 4000.0 / merged(chains, number).ess / 200.0;
    }
    const double lost =
        2.0 * rho * (1.0 - std::pow(rho, kBatch)) / (kBatch * (1.0 - rho) * (1.0 - rho));
    const double expected = (1.0 + rho) / (1.0 - rho) - lost;
    EXPECT_NEAR(draws_each, expected, 4.0 * 0.009 * expected);
  }
}

TEST(LevelTally, RhatSeesChainsThatDisagreeAndOneThatDrifts) {
  const std::vector<TalliedChain> alike = {{0, 1, 1000}, {1, 1, 1000}};
  EXPECT_NEAR(merged(alike, 0).rhat, 1.0, 0.005);
  std::vector<TalliedChain> apart = alike;
  apart.pop_back();
  apart.emplace_back(2, 1, 0);
  Stream stream(6, 0, Purpose::kTest, 0);
  LevelTally drifting;
  for (int t = 0; t < 1000; ++t) {
    apart.back().tally.add(std::vector{1.0 + stream.normal()});
    drifting.add(std::vector{0.01 * t + stream.normal()});
  }
  // Means 0, 0, 1, 1 with variances 1: 1 + 1/3.
  EXPECT_NEAR(merged(apart, 0).rhat, std::sqrt(1.0 + 1.0 / 3.0), 0.04);
  const LevelTally* const alone[] = {&drifting};
  // Halves 5 apart, each with a variance of 1 + 25/12: 1 + (25/2) / (37/12).
  EXPECT_NEAR(LevelTally::merged(alone, 0).rhat, std::sqrt(1.0 + 150.0 / 37.0), 0.1);
}

TEST(LevelTally, GoesOnFromItsBytes) {
  TalliedChain chain(0, 4, 333, 0.3);
  ByteWriter out;
  chain.tally.put(out);
  LevelTally again;
  ByteReader in(out.bytes());
  again.get(in);
  EXPECT_TRUE(in.at_end());
  Stream stream(7, 0, Purpose::kTest, 0);
  for (int t = 0; t < 200; ++t) {
    const std::vector<double> row = {stream.normal(), stream.normal(), stream.normal(), 0.0};
    chain.tally.add(row);
    again.add(row);
  }
  ByteWriter first;
  ByteWriter second;
  chain.tally.put(first);
  again.put(second);
  EXPECT_EQ(first.bytes(), second.bytes());
  const std::string cut = out.bytes().substr(0, out.bytes().size() - 8);
  ByteReader damaged(cut);
  EXPECT_THROW(again.get(damaged), std::out_of_range);
}

}  // namespace
}  // namespace flymc
