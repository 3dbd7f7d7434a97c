#include "flymc/detail/tune/sgd.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "flymc/tune/find_anchor.hpp"
#include "support/unit_problem.hpp"

namespace flymc {
namespace {

using unit::Problem;

template <class Case>
class SgdOf : public ::testing::Test {};
using SgdCases = ::testing::Types<unit::LogisticCase, unit::StudentTCase, unit::SoftmaxCase>;
TYPED_TEST_SUITE(SgdOf, SgdCases);

TYPED_TEST(SgdOf, TheModelComesWithinAFewPosteriorDeviationsOfTheMode) {
  const Problem<TypeParam> problem({.rows = 2000, .weights = false}, BoundKind::kMapTuned);
  const Anchor mode =
      newton(problem.prior, likelihood_pass(problem.model, problem.data, 1),
             problem.prior.location(), {.log_concave = TypeParam::Model::kLogConcave})
          .anchor;
  const Anchor rough =
      find_anchor(problem.model, problem.prior, problem.data, {.search = AnchorSearch::kSgd});
  const Vector error = rough.theta - mode.theta;
  const double distance = std::sqrt(error.dot(mode.precision * error));
  EXPECT_LT(distance, 3.0 * std::sqrt(static_cast<double>(problem.size())));
  // The decrement it reports is that distance, to first order.
  EXPECT_NEAR(rough.decrement, distance, 0.3 * distance + 0.01);
}

TYPED_TEST(SgdOf, TheModelCountsABatchAStepAndThePassForThePrecision) {
  const Problem<TypeParam> problem({.rows = 2000}, BoundKind::kMapTuned);
  const SgdOptions sgd{.epochs = 3.0, .batch = 50};
  const Anchor anchor = find_anchor(problem.model, problem.prior, problem.data,
                                    {.search = AnchorSearch::kSgd, .sgd = sgd});
  EXPECT_EQ(anchor.queries, 3U * 2000U + static_cast<unsigned>(anchor.passes) * 2000U);
}

TEST(Sgd, SumsTheGradientOfItsRows) {
  Problem<unit::SoftmaxCase> problem({}, BoundKind::kMapTuned);
  QueryCounter counter;
  const auto batch = detail::batch_gradient(problem.model, problem.data, counter);
  const Vector theta = unit::normal_vector(problem.stream, problem.size());
  const std::vector<std::size_t> rows{3, 3, 7, 20};
  Vector gradient = Vector::Zero(problem.size());
  batch(theta, rows, gradient);
  const auto naive = [&](const unit::Reals& t) {
    unit::Real sum = 0;
    for (const std::size_t n : rows) {
      sum += problem.log_likelihood(n, t);
    }
    return sum;
  };
  EXPECT_LT((gradient - unit::finite_difference(naive, theta)).norm(), 1e-8);
  EXPECT_EQ(counter.total(), rows.size());
}

TEST(Sgd, IsAFunctionOfItsStream) {
  const Problem<unit::LogisticCase> problem({.rows = 500}, BoundKind::kMapTuned);
  const AnchorOptions options{.search = AnchorSearch::kSgd};
  EXPECT_EQ(find_anchor(problem.model, problem.prior, problem.data, options).theta,
            find_anchor(problem.model, problem.prior, problem.data, options).theta);
}

}  // namespace
}  // namespace flymc
