#include <gtest/gtest.h>

#include "flymc/posterior/global_bounds.hpp"
#include "support/unit_problem.hpp"

namespace flymc {
namespace {

using unit::as_reals;
using unit::Problem;
using unit::Reals;
using unit::Shape;

const Shape kShapes[] = {
    {},
    {.rows = 30, .intercept = false, .standardise = false, .weights = false, .offset = false},
    {.rows = 11, .columns = 2, .intercept = true, .standardise = false, .offset = false},
    {.rows = 17, .columns = 1, .intercept = false, .standardise = true, .weights = false},
    {.rows = 700, .columns = 2},
};

template <class Case>
class CollapsedOf : public ::testing::Test {};
using BoundsCases = ::testing::Types<unit::LogisticCase, unit::StudentTCase, unit::SoftmaxCase,
                                     unit::SoftmaxPairCase>;
TYPED_TEST_SUITE(CollapsedOf, BoundsCases);

template <class Case>
void expect_collapse_equals_sum(Problem<Case>& problem) {
  const Collapsed& collapsed = problem.bounds.gaussian;
  Vector product(problem.size());
  for (const double spread : {0.0, 0.1, 1.0, 30.0}) {
    const Vector delta = unit::normal_vector(problem.stream, problem.size(), spread);
    Vector gradient = Vector::Ones(problem.size());  // evaluate() adds
    const double value = collapsed.evaluate(delta, product, &gradient);
    const Reals theta = as_reals(problem.bounds.tangents.theta_hat + delta);
    const auto expected = static_cast<double>(problem.log_bounds(theta));
    EXPECT_NEAR(value, expected, 1e-10 * (1.0 + std::abs(expected)));
    EXPECT_EQ(value, collapsed.evaluate(delta, product, nullptr));
    const Vector slope =
        unit::finite_difference([&](const Reals& t) { return problem.log_bounds(t); },
                                problem.bounds.tangents.theta_hat + delta);
    EXPECT_LT((gradient - Vector::Ones(problem.size()) - slope).norm(),
              1e-8 * (1.0 + slope.norm()));
  }
}

TYPED_TEST(CollapsedOf, TheModelEqualsTheSumOfItsBounds) {
  for (const Shape& shape : kShapes) {
    for (const BoundKind kind : {BoundKind::kMapTuned, BoundKind::kUntuned}) {
      Problem<TypeParam> problem(shape, kind);
      expect_collapse_equals_sum(problem);
    }
  }
}

TYPED_TEST(CollapsedOf, TheModelHasTheDensePrecisionOfItsKroneckerForm) {
  Problem<TypeParam> problem({}, BoundKind::kUntuned);
  const Matrix precision = problem.bounds.gaussian.precision();
  EXPECT_TRUE(precision.isApprox(precision.transpose(), 0.0));
  Vector product(problem.size());
  for (int i = 0; i < 5; ++i) {
    const Vector delta = unit::normal_vector(problem.stream, problem.size());
    std::ignore = problem.bounds.gaussian.evaluate(delta, product, nullptr);
    EXPECT_LT((product - precision * delta).norm(), 1e-12 * product.norm());
  }
}

// At an anchor off the mode the linear term is the slope of the bounds: dropping it is an error of
// the size of a Newton step.
TYPED_TEST(CollapsedOf, TheModelKeepsItsLinearTerm) {
  for (const BoundKind kind : {BoundKind::kMapTuned, BoundKind::kUntuned}) {
    Problem<TypeParam> problem({}, kind);
    const Collapsed& collapsed = problem.bounds.gaussian;
    EXPECT_GT(collapsed.linear().norm(), 1.0);
    const Collapsed without(collapsed.centre(), collapsed.constant(), Vector::Zero(problem.size()),
                            {collapsed.precision()}, 1);
    const Vector delta = 0.5 * collapsed.linear().normalized();
    Vector product(problem.size());
    const auto truth = static_cast<double>(
        problem.log_bounds(as_reals(problem.bounds.tangents.theta_hat + delta)));
    EXPECT_NEAR(collapsed.evaluate(delta, product, nullptr), truth, 1e-9);
    EXPECT_GT(std::abs(without.evaluate(delta, product, nullptr) - truth), 0.4);
  }
}

TYPED_TEST(CollapsedOf, TheModelIsTunedWhereTheAnchorPredicts) {
  Problem<TypeParam> tuned({}, BoundKind::kMapTuned);
  Problem<TypeParam> untuned({}, BoundKind::kUntuned);
  const auto k = static_cast<std::size_t>(predictor_count(tuned.model));
  std::vector<double> touch(k);
  for (std::size_t n = 0; n < tuned.shape.rows; ++n) {
    const Reals eta = tuned.eta(n, as_reals(tuned.anchor.theta));
    untuned_anchor(untuned.model, untuned.response(n), TypeParam::Model::kUntunedXi + 0.3,
                   touch.data());
    for (std::size_t j = 0; j < k; ++j) {
      EXPECT_NEAR(tuned.bounds.tangents.touch_point(n)[j], static_cast<double>(eta[j]), 1e-14);
      EXPECT_EQ(untuned.bounds.tangents.touch_point(n)[j], touch[j]);
    }
    std::vector<double> bend(static_cast<std::size_t>(tuned.bounds.tangents.pairs));
    global_curvature(tuned.model, tuned.bounds.tangents.touch_point(n), tuned.response(n),
                     bend.data());
    EXPECT_EQ(tuned.curvature(n), bend);
  }
}

TYPED_TEST(CollapsedOf, TheModelCostsOneQueryARow) {
  const Problem<TypeParam> problem({.rows = 700}, BoundKind::kMapTuned);
  EXPECT_EQ(problem.bounds.queries, 700U);
}

}  // namespace
}  // namespace flymc
