// Whole chains of models with groups against moments that are known.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "groups/group_chain.hpp"
#include "support/exact_stats.hpp"

namespace flymc::test {

inline constexpr double kMostZ = 4.5;

// So many, or as FLYMC_LONG says; z of every moment is then printed.
[[nodiscard]] inline std::size_t wanted(std::size_t usual) {
  const char* const longer = std::getenv("FLYMC_LONG");
  return longer != nullptr ? std::stoul(longer) : usual;
}

// Scales move given coins, whatever the pilot found.
inline void given_coins(GroupTuning& tuning) { tuning.sums_out = false; }
// Scales move with the coins summed out.
inline void summed_out(GroupTuning& tuning) { tuning.sums_out = true; }

// moments_of(theta) are as many numbers as are expected; `amend` may change how the chain is tuned.
// Returns the queries of the chain.
template <class Setting, class Moves, class MomentsOf>
std::uint64_t expect_chain_moments(const Setting& setting, const Moves& moves,
                                   std::span<const double> expected, const MomentsOf& moments_of,
                                   std::size_t usual = 60'000,
                                   void (*amend)(GroupTuning&) = given_coins) {
  std::uint64_t queries = 0;
  GroupTuning tuning = tune_groups(setting, 1, queries);
  amend(tuning);
  const Streams streams{11, 0};
  ChainParts parts = make_group_parts(setting, tuning, streams, moves);
  const Density& target = *parts.density;
  ChainCore chain(std::move(parts), group_start(setting, tuning, streams.at(1, Purpose::kInit)));
  for (int i = 0; i < 2000; ++i) {
    std::ignore = chain.iterate({});
  }
  const std::size_t iterations = wanted(usual);
  std::vector<exact::BatchMean> means(expected.size(), exact::BatchMean(iterations));
  Vector theta;
  for (std::size_t i = 0; i < iterations; ++i) {
    std::ignore = chain.iterate({});
    target.to_theta(chain.current(), theta);
    const auto& here = moments_of(theta);
    for (std::size_t k = 0; k < expected.size(); ++k) {
      means[k].add(here[static_cast<decltype(here.size())>(k)]);
    }
  }
  const bool prints = std::getenv("FLYMC_LONG") != nullptr;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const double z = means[k].z_score(expected[k]);
    EXPECT_LT(std::abs(z), kMostZ)
        << "moment " << k << ": " << means[k].mean() << " for " << expected[k];
    if (prints) {
      std::printf("%6.2f", z);
    }
  }
  if (prints) {
    const auto* const test = ::testing::UnitTest::GetInstance()->current_test_info();
    std::printf("  queries an iteration %.1f: %s.%s\n",
                static_cast<double>(target.queries_total()) / static_cast<double>(iterations),
                test->test_suite_name(), test->name());
    std::fflush(stdout);
  }
  return target.queries_total();
}

}  // namespace flymc::test
