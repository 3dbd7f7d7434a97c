// One iteration from the posterior leaves it as it was: docs/method/paper.md, How exactness is
// tested.
#include <gtest/gtest.h>

#include "support/exact_automatic.hpp"
#include "support/exact_stationary.hpp"

namespace flymc::exact {
namespace {

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
