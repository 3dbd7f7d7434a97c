#include "flymc/detail/posterior/pass.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "flymc/tune/find_anchor.hpp"
#include "support/unit_problem.hpp"

namespace flymc {
namespace {

using unit::Problem;

template <class Case>
class PassOf : public ::testing::Test {};
using PassCases = ::testing::Types<unit::LogisticCase, unit::StudentTCase, unit::SoftmaxCase,
                                   unit::SoftmaxPairCase, unit::NormalScaleCase,
                                   unit::NormalVaryingScaleCase>;
TYPED_TEST_SUITE(PassOf, PassCases);

// More rows than one chunk holds, and not a multiple of a block.
constexpr unit::Shape kTall{.rows = 3001, .columns = 4};

TYPED_TEST(PassOf, TheModelIsTheSameToTheBitForAnyNumberOfThreads) {
  Problem<TypeParam> problem(kTall, BoundKind::kMapTuned);
  const Vector theta = unit::normal_vector(problem.stream, problem.size(), 0.3);
  const PassSums one =
      likelihood_pass(problem.model, problem.data, 1)(theta, Curvature::kInformation);
  for (const unsigned threads : {2U, 3U, 4U}) {
    const PassSums sums =
        likelihood_pass(problem.model, problem.data, threads)(theta, Curvature::kInformation);
    EXPECT_EQ(sums.value, one.value);
    EXPECT_EQ(sums.gradient, one.gradient);
    EXPECT_EQ(sums.precision, one.precision);
    EXPECT_EQ(sums.queries, kTall.rows);
    const Bounds bounds =
        unit::bounds_of(problem.model, problem.data, problem.anchor, BoundKind::kMapTuned, threads);
    EXPECT_EQ(bounds.gaussian.constant(), problem.bounds.gaussian.constant());
    EXPECT_EQ(bounds.gaussian.linear(), problem.bounds.gaussian.linear());
    EXPECT_EQ(bounds.gaussian.precision(), problem.bounds.gaussian.precision());
  }
}

TYPED_TEST(PassOf, TheModelAddsUpToTheNaiveLikelihoodItsGradientAndItsHessian) {
  Problem<TypeParam> problem({.rows = 700, .columns = 2}, BoundKind::kMapTuned);
  const Vector theta = unit::normal_vector(problem.stream, problem.size(), 0.3);
  const auto pass = likelihood_pass(problem.model, problem.data, 2);
  PassSums sums = pass(theta, Curvature::kInformation);
  const auto likelihood = [&](const unit::Reals& t) {
    return problem.log_posterior(t) - problem.log_prior(t);
  };
  const auto value = static_cast<double>(likelihood(unit::as_reals(theta)));
  EXPECT_NEAR(sums.value, value, 1e-12 * std::abs(value));
  const Vector slope = unit::finite_difference(likelihood, theta);
  const VectorView gradient(sums.gradient.data(), problem.size());
  EXPECT_LT((gradient - slope).norm(), 1e-8 * slope.norm());
  const Matrix& precision = sums.precision;
  EXPECT_TRUE(precision.isApprox(precision.transpose(), 0.0));
  for (Index j = 0; j < problem.size(); ++j) {
    Vector above = theta;
    Vector below = theta;
    above[j] += 1e-5;
    below[j] -= 1e-5;
    const Matrix up = pass(above, Curvature::kInformation).gradient;
    const Matrix down = pass(below, Curvature::kInformation).gradient;
    const Matrix second = (down - up) / 2e-5;
    const Vector column = Eigen::Map<const Vector>(second.data(), second.size());
    EXPECT_LT((precision.col(j) - column).norm(), 1e-6 * (1.0 + column.norm()));
  }
}

TEST(Pass, VisitsEveryRowOnce) {
  Problem<unit::LogisticCase> problem(kTall, BoundKind::kMapTuned);
  std::vector<std::atomic<int>> visits(kTall.rows);
  const PassShape shape{.predictors = 1, .grams = 0, .threads = 3};
  const PassSums sums = run_pass(problem.data, problem.anchor.theta, shape, [&](PassBlock& block) {
    for (std::size_t n = block.range.first; n < block.range.last; ++n) {
      ++visits[n];
    }
    block.slopes.setZero();
    return static_cast<double>(block.range.size());
  });
  EXPECT_EQ(sums.value, static_cast<double>(kTall.rows));
  EXPECT_EQ(sums.precision.size(), 0);
  for (const auto& count : visits) {
    EXPECT_EQ(count, 1);
  }
}

}  // namespace
}  // namespace flymc
