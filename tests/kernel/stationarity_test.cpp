// One iteration from the posterior leaves it as it was: docs/method/paper.md, How exactness is
// tested.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "support/exact_automatic.hpp"
#include "support/exact_glm.hpp"
#include "support/exact_one_step.hpp"
#include "support/exact_stats.hpp"

namespace flymc::exact {
namespace {

// Shells as they are by default, and shrunk until all of them and what lies beyond have mass.
const LocalChoice kDefault{};
const LocalChoice kShrunk{.shells = {-0.4, 0.9}, .name = "shrunk"};

struct Updates {
  KernelChoice theta;
  ZChoice z;
};
constexpr Updates kUpdates[] = {{KernelChoice::kSplitHmc, ZChoice::kWeighted},
                                {KernelChoice::kElliptical, ZChoice::kImplicit},
                                {KernelChoice::kRandomWalk, ZChoice::kShuffled}};

template <class M>
void expect_stationary(const Problem<M>& problem, PosteriorDraws<M>& draws,
                       const LocalChoice& local, const Updates& kernels, std::uint64_t seed) {
  const Combination choice{.bound = BoundKind::kLocal,
                           .z = kernels.z,
                           .kernel = kernels.theta,
                           .frame = FrameChoice::kOscillator,
                           .local = local};
  const std::size_t rows = problem.data.rows();
  SCOPED_TRACE(testing::Message() << name_of(kernels.theta) << ", " << name_of(kernels.z) << ", "
                                  << local.name << ", rows " << rows);
  const OneStep step = one_step(problem, draws, choice, seed, rows > 50 ? 10'000 : 30'000);
  EXPECT_LE(step.worst_share_of_room, 1.0) << "the draws of theta are not exact";
  EXPECT_GT(step.accepted, 0.05);
  EXPECT_TRUE(step.coins == 0 || step.moved_coins > 0.01);
  if (local.name == "shrunk") {
    EXPECT_GT(step.coins, 0U);
    for (const std::size_t visits : step.shells) {
      EXPECT_GT(visits, 200U);
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
  for (const Updates& kernels : kUpdates) {
    expect_stationary(problem, draws, kDefault, kernels, seed++);
    expect_stationary(problem, draws, kShrunk, kernels, seed++);
  }
}

TEST(Stationarity, OfACloglogRegressionWithADerivedBound) {
  expect_stationary_everywhere(automatic_problem(unit::CloglogDensity{}, 12), 100);
  expect_stationary_everywhere(automatic_problem(unit::CloglogDensity{}, 100), 200);
}

TEST(Stationarity, OfAnExponentialRegressionWithADerivedBound) {
  expect_stationary_everywhere(automatic_problem(unit::ExponentialDensity{}, 12), 300);
  expect_stationary_everywhere(automatic_problem(unit::ExponentialDensity{}, 100), 400);
}

TEST(Stationarity, OfAStudentRegressionWithADerivedBound) {
  expect_stationary_everywhere(automatic_problem(unit::StudentDensity{4.0, 0.5}, 12), 500);
  expect_stationary_everywhere(automatic_problem(unit::StudentDensity{4.0, 0.5}, 100), 600);
}

// A proposal at which the density is no number is rejected: accepted ones, as min(1, NaN) would
// have it, leave the support for good.
TEST(Stationarity, OfADensityThatIsNoNumberOutsideOfItsSupport) {
  const Design design{.offset = 0.6, .offset_spread = 0.02, .x_spread = 0.25};
  expect_stationary_everywhere(automatic_problem(unit::RateDensity{}, 12, design), 700);
}

}  // namespace
}  // namespace flymc::exact
