// Expects that one iteration from the posterior leaves it as it was.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "support/exact_one_step.hpp"
#include "support/exact_stats.hpp"

namespace flymc::exact {

// Shells as they are by default, and shrunk until all of them and what lies beyond have mass.
inline const LocalChoice kDefault{};
inline const LocalChoice kShrunk{.shells = {-0.4, 0.9}, .name = "shrunk"};

struct Updates {
  KernelChoice theta;
  ZChoice z;
};
inline constexpr Updates kUpdates[] = {{KernelChoice::kSplitHmc, ZChoice::kWeighted},
                                       {KernelChoice::kElliptical, ZChoice::kImplicit},
                                       {KernelChoice::kRandomWalk, ZChoice::kShuffled}};

template <class M>
void expect_stationary(const Problem<M>& problem, PosteriorDraws<M>& draws,
                       const LocalChoice& local, const Updates& kernels, std::uint64_t seed,
                       std::size_t transitions) {
  const Combination choice{.bound = BoundKind::kLocal,
                           .z = kernels.z,
                           .kernel = kernels.theta,
                           .frame = FrameChoice::kOscillator,
                           .local = local};
  const std::size_t rows = problem.data.rows();
  SCOPED_TRACE(testing::Message() << name_of(kernels.theta) << ", " << name_of(kernels.z) << ", "
                                  << local.name << ", rows " << rows);
  const OneStep step = one_step(problem, draws, choice, seed, transitions);
  EXPECT_LE(step.worst_share_of_room, 1.0) << "the draws of theta are not exact";
  EXPECT_GT(step.accepted, 0.05);
  EXPECT_TRUE(step.coins == 0 || step.moved_coins > 0.01);
  if (local.name != "default") {
    EXPECT_GT(step.coins, 0U);
    for (const std::size_t visits : step.shells) {
      EXPECT_GT(visits, std::min<std::size_t>(200, transitions / 50));
    }
  }
  for (const PairedMean& statistic : step.statistics) {
    EXPECT_LT(std::abs(statistic.z()), kZThreshold)
        << statistic.what << " changes by " << statistic.sum / static_cast<double>(statistic.count);
    if (std::getenv("FLYMC_PRINT_Z") != nullptr) {
      std::printf("z %.2f %s\n", statistic.z(), statistic.what.c_str());
    }
  }
}

template <class M>
void expect_stationary_everywhere(const Problem<M>& problem, std::uint64_t seed) {
  PosteriorDraws<M> draws(problem);
  const std::size_t transitions = problem.data.rows() > 50 ? 4'000 : 12'000;
  for (const Updates& kernels : kUpdates) {
    expect_stationary(problem, draws, kDefault, kernels, seed++, transitions);
    expect_stationary(problem, draws, kShrunk, kernels, seed++, transitions);
  }
}

}  // namespace flymc::exact
