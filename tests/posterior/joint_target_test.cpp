#include "flymc/posterior/joint_target.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "flymc/error.hpp"
#include "support/unit_joint.hpp"

namespace flymc {
namespace {

using unit::as_reals;
using unit::light;
using unit::Problem;
using unit::Reals;

template <class Case>
class JointTargetOf : public ::testing::Test {
 protected:
  // The value and gradient in this frame against the naive joint at theta.
  static void expect_naive_joint(Problem<Case>& problem, const Frame& frame) {
    JointTarget<typename Case::Model> target(problem.model, problem.prior, problem.data,
                                             problem.bounds, frame);
    Point point(problem.size());
    target.evaluate(point, Order::kValue);
    for (const double share : {0.0, 0.3, 1.0}) {
      const auto bright = unit::random_subset(problem.stream, problem.shape.rows, share);
      light(target, point, bright);
      point.zeta = unit::normal_vector(problem.stream, problem.size(), 0.7);
      target.evaluate(point, Order::kGradient);
      Vector theta(problem.size());
      target.to_theta(point, theta);
      const auto joint = [&](const Reals& t) { return problem.log_joint(t, bright); };
      const auto expected = static_cast<double>(joint(as_reals(theta)));
      EXPECT_NEAR(point.log_density, expected, 1e-10 * (1.0 + std::abs(expected)));
      Vector slope(problem.size());
      frame.pull_back(unit::finite_difference(joint, theta), slope);
      EXPECT_LT((point.gradient - slope).norm(), 1e-7 * (1.0 + slope.norm()));
    }
  }

  static void expect_refresh_matches_evaluate(Problem<Case>& problem, const Frame& frame) {
    JointTarget<typename Case::Model> target(problem.model, problem.prior, problem.data,
                                             problem.bounds, frame);
    Point point(problem.size());
    point.zeta = unit::normal_vector(problem.stream, problem.size());
    target.evaluate(point, Order::kValue);
    for (int step = 0; step < 60; ++step) {
      const auto n = static_cast<Datum>(problem.stream.below(problem.shape.rows));
      if (target.is_bright(n)) {
        target.darken(point, target.slot_of(n));
      } else {
        std::ignore = target.query(point, {&n, 1});
        target.brighten(point, 0);
      }
      const std::uint64_t before = target.queries_total();
      target.refresh(point, Order::kGradient);
      EXPECT_EQ(target.queries_total(), before);
      Point fresh(problem.size());
      fresh.zeta = point.zeta;
      target.evaluate(fresh, Order::kGradient);
      const double tolerance = 1e-9 * (1.0 + std::abs(fresh.log_density));
      ASSERT_NEAR(point.log_density, fresh.log_density, tolerance);
      ASSERT_LT((point.gradient - fresh.gradient).norm(), 1e-8 * (1.0 + fresh.gradient.norm()));
    }
  }
};
using JointTargetCases =
    ::testing::Types<unit::LogisticCase, unit::StudentTCase, unit::SoftmaxCase>;
TYPED_TEST_SUITE(JointTargetOf, JointTargetCases);

TYPED_TEST(JointTargetOf, TheModelIsPriorTimesBoundsTimesBrightFactorsInEveryFrame) {
  for (const BoundKind kind : {BoundKind::kMapTuned, BoundKind::kUntuned}) {
    for (const bool laplace : {false, true}) {
      Problem<TypeParam> problem({}, kind, 3);
      problem.prior = laplace ? unit::laplace_prior(problem.size()) : problem.prior;
      for (const Frame& frame : unit::all_frames(problem)) {
        this->expect_naive_joint(problem, frame);
      }
    }
  }
}

TYPED_TEST(JointTargetOf, TheModelRefreshesWithoutAQueryToWhatAFreshEvaluationGives) {
  for (const BoundKind kind : {BoundKind::kMapTuned, BoundKind::kUntuned}) {
    Problem<TypeParam> problem({}, kind, 4);
    for (const Frame& frame : unit::all_frames(problem)) {
      this->expect_refresh_matches_evaluate(problem, frame);
    }
  }
}

TYPED_TEST(JointTargetOf, TheModelCountsBrightDataPerEvaluationAndCandidatesPerQuery) {
  Problem<TypeParam> problem({}, BoundKind::kMapTuned, 5);
  const Frame frame = unit::all_frames(problem)[1];
  JointTarget<typename TypeParam::Model> target(problem.model, problem.prior, problem.data,
                                                problem.bounds, frame);
  Point point(problem.size());
  point.zeta.setConstant(0.3);
  target.evaluate(point, Order::kGradient);
  EXPECT_EQ(target.queries_total(), 0U);
  light(target, point, {2, 7, 11});
  EXPECT_EQ(target.queries_total(), 3U);
  target.evaluate(point, Order::kValue);
  target.evaluate(point, Order::kGradient);
  EXPECT_EQ(target.queries_total(), 3U + 2U * 3U);
  target.refresh(point, Order::kGradient);
  target.darken(point, 0);
  EXPECT_EQ(target.queries_total(), 9U);
  EXPECT_EQ(target.evaluations_total(), 3U);
  std::ignore = target.query(point, {});
  EXPECT_EQ(target.queries_total(), 9U);
}

TYPED_TEST(JointTargetOf, TheModelRestoresABrightSetWithoutAQuery) {
  Problem<TypeParam> problem({}, BoundKind::kUntuned, 6);
  const Frame frame = Frame::plain(problem.anchor);
  JointTarget<typename TypeParam::Model> first(problem.model, problem.prior, problem.data,
                                               problem.bounds, frame);
  Point point(problem.size());
  light(first, point, {5, 0, 9});
  first.evaluate(point, Order::kGradient);
  JointTarget<typename TypeParam::Model> second(problem.model, problem.prior, problem.data,
                                                problem.bounds, frame);
  const std::vector<Datum> bright{5, 0, 9};
  second.restore(bright);
  Point restored = point;
  second.refresh(restored, Order::kGradient);
  EXPECT_EQ(second.queries_total(), 0U);
  EXPECT_EQ(restored.log_density, point.log_density);
  EXPECT_EQ(restored.gradient, point.gradient);
}

// A row of zeros without intercept has its predictor fixed at its offset: the tuned bound touches
// everywhere, and the datum can never be bright.
TYPED_TEST(JointTargetOf, TheModelGivesABrightDatumWithoutAGapDensityZero) {
  Problem<TypeParam> problem({.intercept = false, .standardise = false}, BoundKind::kMapTuned, 7);
  std::fill_n(problem.table.x.begin(), problem.shape.columns, 0.0);
  problem.table.weights[1] = 0.0;  // nor can one that does not count
  const Dataset data(problem.table, problem.options);
  const Bounds bounds = make_bounds(problem.model, data, problem.anchor, {});
  const Frame frame = Frame::plain(problem.anchor);
  for (const Datum n : {0U, 1U}) {
    JointTarget<typename TypeParam::Model> target(problem.model, problem.prior, data, bounds,
                                                  frame);
    Point point(problem.size());
    point.zeta.setConstant(0.5);
    target.evaluate(point, Order::kValue);
    EXPECT_TRUE(std::isfinite(point.log_density));
    EXPECT_EQ(target.query(point, {&n, 1})[0], -std::numeric_limits<double>::infinity());
    target.brighten(point, 0);
    target.evaluate(point, Order::kGradient);
    EXPECT_EQ(point.log_density, -std::numeric_limits<double>::infinity());
    EXPECT_TRUE(point.gradient.allFinite());
  }
}

TYPED_TEST(JointTargetOf, TheModelTurnsANumberThatIsNoneIntoDensityZero) {
  Problem<TypeParam> problem({}, BoundKind::kMapTuned, 8);
  for (const Frame& frame : unit::all_frames(problem)) {
    JointTarget<typename TypeParam::Model> target(problem.model, problem.prior, problem.data,
                                                  problem.bounds, frame);
    Point point(problem.size());
    light(target, point, {0, 1});
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), 1e200, -1e300}) {
      point.zeta.setConstant(bad);
      target.evaluate(point, Order::kGradient);
      EXPECT_FALSE(point.log_density > -1e100) << bad;
      EXPECT_FALSE(std::isnan(point.log_density)) << bad;
    }
  }
}

TEST(JointTarget, RefusesAFrameWithAnotherAnchorThanTheBounds) {
  const Problem<unit::LogisticCase> problem({}, BoundKind::kMapTuned);
  Anchor moved = problem.anchor;
  moved.theta[0] += 1e-9;
  const Frame frame = Frame::plain(moved);
  EXPECT_THROW(
      JointTarget<Logistic>(problem.model, problem.prior, problem.data, problem.bounds, frame),
      Error);
}

}  // namespace
}  // namespace flymc
