// R-hat of a run that goes on: close to that of the finished draws, in memory that does not grow.
#include "diagnose/running_rhat.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "flymc/random.hpp"

namespace flymc {
namespace {

// Two parameters a draw: noise, and noise about a level of the chain's own.
std::vector<RunningMoments> chains_with(double apart, std::size_t draws) {
  std::vector<RunningMoments> chains;
  for (std::uint32_t k = 0; k < 4; ++k) {
    Stream stream(5, k, Purpose::kInit, 1);
    chains.emplace_back(2);
    for (std::size_t i = 0; i < draws; ++i) {
      const double draw[] = {stream.normal(), apart * k + stream.normal()};
      chains.back().add(draw);
    }
  }
  return chains;
}

TEST(RunningRhat, IsNearOneForChainsThatAgree) {
  for (const std::size_t draws : {40U, 300U, 5000U}) {
    const double rhat = worst_rhat(chains_with(0.0, draws));
    EXPECT_NEAR(rhat, 1.0, 2.0 / static_cast<double>(draws) + 0.03) << draws;
  }
}

// Means 0, 1, 2, 3 of unit noise, each twice: B/(n W) = var of the means = 10/7.
TEST(RunningRhat, ShowsChainsThatDoNot) {
  EXPECT_NEAR(worst_rhat(chains_with(1.0, 8192)), std::sqrt(1.0 + 10.0 / 7.0), 0.03);
}

// One chain whose second half lies elsewhere: chains that are not split would agree.
TEST(RunningRhat, ShowsAChainThatDrifts) {
  std::vector<RunningMoments> chains(2, RunningMoments(1));
  Stream stream(6, 0, Purpose::kInit, 1);
  for (std::size_t i = 0; i < 4096; ++i) {
    for (RunningMoments& chain : chains) {
      const double draw[] = {stream.normal() + (i < 2048 ? 0.0 : 2.0)};
      chain.add(draw);
    }
  }
  EXPECT_GT(worst_rhat(chains), 1.2);
}

TEST(RunningRhat, IsNotKnownAtTheStart) {
  EXPECT_TRUE(std::isnan(worst_rhat(chains_with(0.0, 20))));
  EXPECT_TRUE(std::isnan(worst_rhat({})));
}

TEST(RunningMoments, AreThoseOfTheDraws) {
  RunningMoments moments(1);
  for (int i = 0; i < 64; ++i) {
    const double draw[] = {static_cast<double>(i)};
    moments.add(draw);
  }
  const auto second = moments.half(0, true);
  EXPECT_EQ(second.count, 32.0);
  EXPECT_DOUBLE_EQ(second.mean, 47.5);
  EXPECT_DOUBLE_EQ(second.variance, (32.0 * 32.0 - 1.0) / 12.0);
}

}  // namespace
}  // namespace flymc
