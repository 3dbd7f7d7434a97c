// One iteration from the posterior leaves it as it was, for likelihoods of several predictors:
// docs/method/automatic.md, Chains with a derived bound.
#include <gtest/gtest.h>

#include "support/exact_predictors.hpp"
#include "support/exact_stationary.hpp"

namespace flymc::exact {
namespace {

using unit::TwoPredictorDensity;

const LocalChoice kBeacons{
    .shells = {-0.4, 0.9}, .beacons = BeaconShare::kSome, .name = "shrunk_beacons"};

// Weighted coins in every region, and the two other updates where all shells have mass.
template <class M>
void expect_stationary_regions(const Problem<M>& problem, std::uint64_t seed,
                               std::size_t transitions) {
  PosteriorDraws<M> draws(problem);
  for (const LocalChoice& local : {kDefault, kShrunk, kBeacons}) {
    expect_stationary(problem, draws, local, kUpdates[0], seed++, transitions);
  }
  expect_stationary(problem, draws, kShrunk, kUpdates[1], seed++, transitions);
  expect_stationary(problem, draws, kBeacons, kUpdates[2], seed++, transitions);
}

// A second predictor that is the same for all rows; then one that varies, beside a first that does
// not; then none that is shared.
void expect_stationary_pair(const TwoPredictorDensity& density, const std::vector<double>& truth,
                            std::uint64_t seed) {
  for (const std::vector<Index>& columns :
       {std::vector<Index>{1, 0}, std::vector<Index>{0, 1}, std::vector<Index>{1, 1}}) {
    SCOPED_TRACE(testing::Message() << "columns " << columns[0] << ", " << columns[1]);
    const std::size_t rows = columns[1] == 0 ? 60 : 12;
    expect_stationary_regions(predictors_problem(density, columns, truth, rows), seed,
                              rows > 50 ? 1'000 : 2'000);
    seed += 10;
  }
}

TEST(StationarityOfPredictors, NormalMeanAndScale) {
  expect_stationary_pair({unit::NormalDensity{}}, {0.5, -0.3}, 1000);
}

TEST(StationarityOfPredictors, NegativeBinomialMeanAndSize) {
  expect_stationary_pair({unit::NegativeBinomialSizeDensity{}}, {0.6, 0.4}, 1100);
}

TEST(StationarityOfPredictors, StudentPlaceAndScale) {
  expect_stationary_pair({unit::StudentScaleDensity{}}, {0.5, -0.3}, 1200);
}

TEST(StationarityOfPredictors, GammaMeanAndShape) {
  expect_stationary_pair({unit::GammaDensity{}}, {0.5, 0.7}, 1300);
}

TEST(StationarityOfPredictors, ZeroInflatedMeanAndZeroPart) {
  expect_stationary_pair({unit::ZeroInflatedDensity{}}, {0.8, -0.5}, 1400);
}

TEST(StationarityOfPredictors, BetaBinomialMeanAndPrecision) {
  expect_stationary_pair({unit::BetaBinomialDensity{}}, {0.4, 0.5}, 1600);
}

TEST(StationarityOfPredictors, StudentPlaceScaleAndShape) {
  expect_stationary_regions(
      predictors_problem(unit::StudentScaleShapeDensity{}, {1, 0, 0}, {0.5, -0.3, 1.3}, 40, 0.15),
      1500, 600);
}

}  // namespace
}  // namespace flymc::exact
