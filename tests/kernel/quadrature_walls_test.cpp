// Walls: rows of large leverage in a posterior that leans against them. Beacons among them go to
// faster levels of split HMC, which the count of queries shows.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kernel/split_hmc.hpp"
#include "posterior/trajectory.hpp"
#include "support/exact_expect.hpp"
#include "support/exact_local_chain.hpp"

namespace flymc::exact {
namespace {

struct Walls {
  Combination choice;
  double stretch;  // of the column
};

const LocalChoice kNoBeacons{.shells = {0.5, 2.0}, .kappa = 20.0, .name = "no_beacons"};
const LocalChoice kSomeBeacons{
    .shells = {0.5, 2.0}, .beacons = BeaconShare::kSome, .name = "some_beacons"};
const LocalChoice kAllBeacons{.beacons = BeaconShare::kAll, .name = "all_beacons"};
const LocalChoice kShifted{.shells = {1.0, 3.0},
                           .slack = 0.3,
                           .beacons = BeaconShare::kSome,
                           .anchor_shift = 1.0,
                           .precision_scale = 0.5,
                           .name = "shifted"};

Walls walls(const LocalChoice& local, double stretch, KernelChoice kernel, ZChoice z,
            PriorKind prior) {
  return {{.prior = prior,
           .bound = BoundKind::kLocal,
           .z = z,
           .kernel = kernel,
           .frame = FrameChoice::kOscillator,
           .local = local},
          stretch};
}

std::string name_of_walls(const Walls& w) {
  return name_of(w.choice) + "_" + std::to_string(static_cast<int>(w.stretch));
}

// What a level's own step says: a beacon of reach r is evaluated 2^(l - 1) times a kick.
std::size_t level_of(double reach, int kicks) {
  std::size_t level = 1;
  for (double step = kTrajectoryAngle / kicks; step * reach > kWallStep; step *= 0.5) {
    ++level;
  }
  return level;
}

class QuadratureWalls : public ::testing::TestWithParam<Walls> {};

TEST_P(QuadratureWalls, ChainReproducesMomentsShellsAndCoins) {
  const Combination& choice = GetParam().choice;
  const Problem<Logistic> problem = wall_problem(choice.prior, GetParam().stretch);
  constexpr std::size_t kDraws = 100'000;
  const LocalRun run = run_local(problem, choice, seed_of(choice), kDraws);
  expect_agreement(run.comparisons);
  if (run.beacons > 0 && choice.kernel == KernelChoice::kSplitHmc) {
    const int kicks = run.summary.tuning.kicks;
    const std::size_t level = level_of(run.largest_reach, kicks);
    const double per_kick = static_cast<double>(run.summary.queries_theta) / kDraws / kicks;
    EXPECT_GT(level, 1U) << "reach " << run.largest_reach << ", kicks " << kicks;
    EXPECT_GT(per_kick, std::exp2(level - 1));  // of the row with the largest reach alone
  }
}

std::vector<Walls> wall_combinations() {
  using enum KernelChoice;
  using enum ZChoice;
  constexpr PriorKind kNormal = PriorKind::kNormal;
  constexpr PriorKind kLaplace = PriorKind::kLaplace;
  return {walls(kNoBeacons, 4.0, kSplitHmc, kWeighted, kNormal),
          walls(kNoBeacons, 4.0, kElliptical, kShuffled, kLaplace),
          walls(kSomeBeacons, 12.0, kSplitHmc, kWeighted, kNormal),
          walls(kSomeBeacons, 30.0, kSplitHmc, kWeighted, kLaplace),
          walls(kSomeBeacons, 30.0, kSplitHmc, kImplicit, kNormal),
          walls(kSomeBeacons, 12.0, kHmc, kWeighted, kNormal),
          walls(kShifted, 30.0, kSplitHmc, kWeighted, kNormal),
          walls(kShifted, 12.0, kSplitHmc, kShuffled, kLaplace),
          walls(kAllBeacons, 30.0, kSplitHmc, kWeighted, kNormal),
          walls(kAllBeacons, 30.0, kSplitHmc, kWeighted, kLaplace),
          walls(kAllBeacons, 30.0, kElliptical, kWeighted, kNormal),
          walls(kAllBeacons, 100.0, kSplitHmc, kWeighted, kNormal)};
}

INSTANTIATE_TEST_SUITE_P(Logistic, QuadratureWalls, ::testing::ValuesIn(wall_combinations()),
                         [](const auto& test) { return name_of_walls(test.param); });

}  // namespace
}  // namespace flymc::exact
