// Summing z out of the joint returns the full-data posterior, with local bounds, inside and outside
// every shell, whatever the beacons, slack, weights, offsets and prior.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "flymc/posterior/full_target.hpp"
#include "support/unit_joint.hpp"

namespace flymc {
namespace {

using unit::Problem;

template <class Case>
class MarginalLocalOf : public ::testing::Test {
 protected:
  using Model = typename Case::Model;

  // The identity at one theta, to `tolerance` of the log density.
  static void expect_identity(Problem<Case>& problem, JointTarget<Model>& joint,
                              FullTarget<Model>& full, const Vector& theta, double tolerance) {
    Point point(problem.size());
    full.from_theta(theta, point);
    full.evaluate(point, Order::kValue);
    const double posterior = point.log_density;
    EXPECT_NEAR(static_cast<double>(unit::log_sum_over_z(joint, point)), posterior,
                tolerance * (1.0 + std::abs(posterior)));
    const auto naive = static_cast<double>(problem.log_posterior(unit::as_reals(theta)));
    EXPECT_NEAR(posterior, naive, 1e-12 * (1.0 + std::abs(naive)));
  }

  static void expect_identity_everywhere(Problem<Case>& problem, double tolerance = 1e-10) {
    for (const Frame& frame : unit::all_frames(problem)) {
      JointTarget<Model> joint(problem.model, problem.prior, problem.data, problem.bounds, frame);
      FullTarget<Model> full(problem.model, problem.prior, problem.data, frame);
      for (const double distance : unit::distances_in_every_shell(problem.bounds)) {
        SCOPED_TRACE(::testing::Message()
                     << "distance " << distance << ", plain " << frame.is_plain());
        expect_identity(problem, joint, full, unit::theta_at_distance(problem, distance),
                        tolerance);
      }
    }
  }
};
using MarginalLocalCases =
    ::testing::Types<unit::LogisticCase, unit::StudentTCase, unit::SoftmaxCase, unit::PoissonCase,
                     unit::ProbitCase, unit::BinomialCase, unit::NegativeBinomialCase,
                     unit::NormalScaleCase, unit::NormalVaryingScaleCase>;
TYPED_TEST_SUITE(MarginalLocalOf, MarginalLocalCases);

TYPED_TEST(MarginalLocalOf, TheJointOverAllBrightnessIsThePosterior) {
  for (const double sharpness : {10.0, 100.0}) {
    for (const bool laplace : {false, true}) {
      for (const std::vector<Datum>& beacons :
           {std::vector<Datum>{}, std::vector<Datum>{1, 4}, std::vector<Datum>{0, 1, 2, 3, 4, 5}}) {
        SCOPED_TRACE(::testing::Message() << "sharpness " << sharpness << ", laplace " << laplace
                                          << ", beacons " << beacons.size());
        Problem<TypeParam> problem(
            {.rows = 6, .columns = 2, .sharpness = Problem<TypeParam>::kSharper * sharpness},
            BoundKind::kLocal, 21);
        problem.prior = laplace ? unit::laplace_prior(problem.size()) : problem.prior;
        problem.set_beacons(beacons, {.threads = 1});
        this->expect_identity_everywhere(problem);
      }
    }
  }
}

TYPED_TEST(MarginalLocalOf, TheJointIsThePosteriorWhateverTheSlackAndTheShells) {
  for (const LocalOptions& options :
       {LocalOptions{.slack = 0.0, .threads = 1}, LocalOptions{.slack = 3.0, .threads = 1},
        LocalOptions{.shells = {-1.0}, .threads = 1},
        LocalOptions{.shells = {-1.5, -1.0, 0.0, 1.0, 3.0}, .kappa = 0.2, .threads = 1}}) {
    Problem<TypeParam> problem(
        {.rows = 5, .columns = 2, .sharpness = Problem<TypeParam>::kSharper * 3.0},
        BoundKind::kLocal, 22);
    problem.set_beacons({2}, options);
    this->expect_identity_everywhere(problem);
  }
}

// Rows of large leverage: walls, which leave nothing in the Gaussian part.
TYPED_TEST(MarginalLocalOf, TheJointIsThePosteriorWithWalls) {
  Problem<TypeParam> problem(
      {.rows = 6, .columns = 2, .sharpness = Problem<TypeParam>::kSharper * 0.3}, BoundKind::kLocal,
      23);
  for (const std::vector<Datum>& beacons :
       {std::vector<Datum>{}, std::vector<Datum>{0, 3}, std::vector<Datum>{0, 1, 2, 3, 4, 5}}) {
    problem.set_beacons(beacons, {.threads = 1});
    this->expect_identity_everywhere(problem, 1e-9);
  }
}

// Weights from 0 to 40, equal rows, and a row of zeros, whose predictor never moves.
TYPED_TEST(MarginalLocalOf, TheJointIsThePosteriorWithOddRows) {
  Problem<TypeParam> problem(
      {.rows = 6, .columns = 2, .intercept = false, .standardise = false, .sharpness = 30.0},
      BoundKind::kLocal, 24);
  auto& table = problem.table;
  table.weights = {0.0, 1.0, 40.0, 0.01, 3.0, 1.0};
  std::fill_n(table.x.begin() + 2, 2, 0.0);
  std::copy_n(table.x.begin() + 8, 2, table.x.begin() + 10);
  problem.data = Dataset(table, problem.options);
  for (const std::vector<Datum>& beacons : {std::vector<Datum>{}, std::vector<Datum>{0, 1, 2}}) {
    problem.set_beacons(beacons, {.threads = 1});
    this->expect_identity_everywhere(problem);
  }
}

TYPED_TEST(MarginalLocalOf, TheOddsOfBrightnessAreThoseOfTheQueryInEveryShell) {
  Problem<TypeParam> problem({.rows = 12, .sharpness = 30.0}, BoundKind::kLocal, 25);
  problem.set_beacons({3}, {.threads = 1});
  const Frame frame = unit::all_frames(problem)[1];
  JointTarget<typename TypeParam::Model> target(problem.model, problem.prior, problem.data,
                                                problem.bounds, frame);
  Point point(problem.size());
  for (const double distance : unit::distances_in_every_shell(problem.bounds)) {
    unit::light(target, point, {});
    target.from_theta(unit::theta_at_distance(problem, distance), point);
    target.evaluate(point, Order::kValue);
    const double dark = point.log_density;
    for (Datum n = 0; n < 12; ++n) {
      const double log_odds = target.query(point, {&n, 1})[0];
      if (n == 3) {  // a beacon has no coin
        EXPECT_EQ(log_odds, -std::numeric_limits<double>::infinity());
        continue;
      }
      unit::light(target, point, {n});
      target.evaluate(point, Order::kValue);
      EXPECT_NEAR(point.log_density - dark, log_odds, 1e-9 * (1.0 + std::abs(dark)));
    }
  }
}

}  // namespace
}  // namespace flymc
