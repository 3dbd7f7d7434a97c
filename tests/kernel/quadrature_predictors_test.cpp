// Chains of likelihoods of several predictors, regions as they are by default, against the
// integrated posterior.
#include <gtest/gtest.h>

#include "support/exact_expect.hpp"
#include "support/exact_local_chain.hpp"
#include "support/exact_predictors.hpp"

namespace flymc::exact {
namespace {

using unit::TwoPredictorDensity;

void expect_moments(const TwoPredictorDensity& density, const std::vector<Index>& columns,
                    const std::vector<double>& truth, std::uint64_t seed) {
  const auto problem = predictors_problem(density, columns, truth, 100);
  const Combination choice{.bound = BoundKind::kLocal,
                           .z = ZChoice::kWeighted,
                           .kernel = KernelChoice::kSplitHmc,
                           .frame = FrameChoice::kOscillator,
                           .local = {}};
  SCOPED_TRACE(testing::Message() << "columns " << columns[0] << ", " << columns[1]);
  const LocalRun run = run_local(problem, choice, seed, 20'000);
  EXPECT_LT(run.beacons, 50U);  // else coins say little
  expect_agreement(run.comparisons);
}

TEST(QuadratureOfPredictors, ChainsReproduceMomentsAndCoins) {
  expect_moments({unit::NormalDensity{}}, {0, 1}, {0.5, -0.3}, 12);
  expect_moments({unit::StudentScaleDensity{}}, {1, 0}, {0.5, -0.3}, 13);
  expect_moments({unit::GammaDensity{}}, {1, 0}, {0.5, 0.7}, 14);
}

}  // namespace
}  // namespace flymc::exact
