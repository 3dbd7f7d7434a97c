#include "flymc/posterior/full_target.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/unit_joint.hpp"

namespace flymc {
namespace {

using unit::Problem;

template <class Case>
class FullTargetOf : public ::testing::Test {};
using FullTargetCases = ::testing::Types<unit::LogisticCase, unit::StudentTCase, unit::SoftmaxCase,
                                         unit::NormalScaleCase, unit::NormalVaryingScaleCase>;
TYPED_TEST_SUITE(FullTargetOf, FullTargetCases);

TYPED_TEST(FullTargetOf, TheModelIsTheNaivePosteriorInEveryFrame) {
  for (const bool laplace : {false, true}) {
    Problem<TypeParam> problem({.rows = 300, .columns = 2}, BoundKind::kMapTuned, 13);
    problem.prior = laplace ? unit::laplace_prior(problem.size()) : problem.prior;
    std::vector<Frame> frames = unit::all_frames(problem);
    frames.push_back(Frame::whitened(problem.anchor));
    for (const Frame& frame : frames) {
      FullTarget<typename TypeParam::Model> target(problem.model, problem.prior, problem.data,
                                                   frame);
      Point point(problem.size());
      point.zeta = unit::normal_vector(problem.stream, problem.size(), 0.6);
      target.evaluate(point, Order::kGradient);
      Vector theta(problem.size());
      target.to_theta(point, theta);
      const auto posterior = [&](const unit::Reals& t) { return problem.log_posterior(t); };
      const auto expected = static_cast<double>(posterior(unit::as_reals(theta)));
      EXPECT_NEAR(point.log_density, expected, 1e-12 * std::abs(expected));
      Vector slope(problem.size());
      frame.pull_back(unit::finite_difference(posterior, theta), slope);
      EXPECT_LT((point.gradient - slope).norm(), 1e-8 * (1.0 + slope.norm()));
    }
  }
}

TYPED_TEST(FullTargetOf, TheModelCountsEveryRowOfEveryEvaluation) {
  const Problem<TypeParam> problem({.rows = 300, .columns = 2}, BoundKind::kMapTuned, 14);
  const Frame frame = Frame::plain(problem.anchor);
  FullTarget<typename TypeParam::Model> target(problem.model, problem.prior, problem.data, frame);
  Point point(problem.size());
  target.evaluate(point, Order::kValue);
  EXPECT_EQ(target.queries_total(), 300U);
  target.evaluate(point, Order::kGradient);
  EXPECT_EQ(target.queries_total(), 600U);
  EXPECT_EQ(target.evaluations_total(), 2U);
}

}  // namespace
}  // namespace flymc
