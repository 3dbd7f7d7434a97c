#include "flymc/detail/tune/newton.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "flymc/error.hpp"
#include "flymc/tune/find_anchor.hpp"
#include "support/unit_problem.hpp"

namespace flymc {
namespace {

using unit::Problem;
using unit::Reals;

// Too few rows for the search to start from a sample of them.
constexpr unit::Shape kAllRows{.rows = 390};

// The length of the Newton step that is left, by finite differences of the naive posterior.
template <class Case, class F>
double distance_to_mode(const Problem<Case>& /*problem*/, const F& posterior,
                        const Anchor& anchor) {
  const Vector gradient = unit::finite_difference(posterior, anchor.theta, 1e-5L);
  return std::sqrt(gradient.dot(anchor.precision.llt().solve(gradient)));
}

template <class Case>
double distance_to_mode(const Problem<Case>& problem, const Anchor& anchor) {
  return distance_to_mode(
      problem, [&](const Reals& t) { return problem.log_posterior(t); }, anchor);
}

template <class Case>
class NewtonOf : public ::testing::Test {};
using NewtonCases = ::testing::Types<unit::LogisticCase, unit::StudentTCase, unit::SoftmaxCase>;
TYPED_TEST_SUITE(NewtonOf, NewtonCases);

TYPED_TEST(NewtonOf, TheModelFindsTheMode) {
  const Problem<TypeParam> problem(kAllRows, BoundKind::kMapTuned);
  const Anchor anchor = find_anchor(problem.model, problem.prior, problem.data, {});
  EXPECT_FALSE(anchor.sampled);
  EXPECT_LT(anchor.decrement, 0.01);
  EXPECT_LT(distance_to_mode(problem, anchor), 1e-3);
  EXPECT_EQ(anchor.queries, static_cast<std::uint64_t>(anchor.passes) * problem.shape.rows);
  EXPECT_LE(anchor.passes, 12);
}

TYPED_TEST(NewtonOf, TheModelReportsThePosteriorPrecisionAtTheMode) {
  const Problem<TypeParam> problem(kAllRows, BoundKind::kMapTuned);
  const Anchor anchor =
      find_anchor(problem.model, problem.prior, problem.data, {.tolerance = 1e-6});
  const auto posterior = [&](const Reals& t) { return problem.log_posterior(t); };
  for (Index j = 0; j < problem.size(); ++j) {
    const Vector step = 1e-4 * Vector::Unit(problem.size(), j);
    const Vector second = (unit::finite_difference(posterior, anchor.theta - step, 1e-5L) -
                           unit::finite_difference(posterior, anchor.theta + step, 1e-5L)) /
                          2e-4;
    EXPECT_LT((anchor.precision.col(j) - second).norm(), 1e-4 * second.norm());
  }
}

// |t| -> sqrt(t^2 + e_j^2), e_j = the lesser of 1 / sqrt(h_j) at the start and the prior's scale.
TYPED_TEST(NewtonOf, TheModelFindsTheModeUnderASmoothedLaplacePrior) {
  Problem<TypeParam> problem(kAllRows, BoundKind::kMapTuned);
  problem.prior = unit::laplace_prior(problem.size(), 0.05);
  const Curvature first =
      TypeParam::Model::kLogConcave ? Curvature::kInformation : Curvature::kMajoriser;
  const Vector start = problem.prior.location();
  const auto sums = likelihood_pass(problem.model, problem.data, 1)(start, first);
  const Vector h = sums.precision.diagonal();
  const auto smoothed = [&](const Reals& t) {
    unit::Real sum = problem.log_posterior(t) - problem.log_prior(t);
    for (std::size_t j = 0; j < t.size(); ++j) {
      const PriorTerm& term = problem.prior.terms()[j];
      const unit::Real e = std::min(1.0 / std::sqrt(h[static_cast<Index>(j)]), term.scale);
      const unit::Real u = t[j] - term.location;
      sum -= term.kind == PriorKind::kNormal ? u * u / (2 * term.scale * term.scale)
                                             : unit::sqrt(u * u + e * e) / term.scale;
    }
    return sum;
  };
  const Anchor anchor = find_anchor(problem.model, problem.prior, problem.data, {});
  EXPECT_LT(anchor.decrement, 0.01);
  EXPECT_LT(distance_to_mode(problem, smoothed, anchor), 1e-3);
}

TEST(Newton, FindsTheModeOfOverlappingDataUnderAFlatPrior) {
  Problem<unit::LogisticCase> problem({.rows = 200}, BoundKind::kMapTuned);
  problem.prior = Prior(std::vector<PriorTerm>(4, {PriorKind::kFlat}));
  const Anchor anchor = find_anchor(problem.model, problem.prior, problem.data, {});
  EXPECT_LT(distance_to_mode(problem, anchor), 1e-3);
}

TEST(Newton, RefusesDependentColumnsUnderAFlatPrior) {
  Problem<unit::LogisticCase> problem({.rows = 200}, BoundKind::kMapTuned);
  for (std::size_t n = 0; n < 200; ++n) {
    problem.table.x[3 * n + 2] = problem.table.x[3 * n] - 2.0 * problem.table.x[3 * n + 1];
  }
  const Dataset data(problem.table, problem.options);
  const Prior flat(std::vector<PriorTerm>(4, {PriorKind::kFlat}));
  try {
    std::ignore = find_anchor(problem.model, flat, data, {});
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
  }
  EXPECT_NO_THROW(std::ignore = find_anchor(problem.model, problem.prior, data, {}));
}

TEST(Newton, IsUnharmedByBadlyScaledColumns) {
  Problem<unit::LogisticCase> problem({.rows = 300, .standardise = false}, BoundKind::kMapTuned);
  for (std::size_t n = 0; n < 300; ++n) {
    problem.table.x[3 * n] *= 1e-6;
    problem.table.x[3 * n + 1] *= 1e6;
  }
  problem.data = Dataset(problem.table, problem.options);
  problem.prior = Prior(std::vector<PriorTerm>(4, {PriorKind::kFlat}));
  const Anchor anchor = find_anchor(problem.model, problem.prior, problem.data, {});
  EXPECT_LT(anchor.decrement, 0.01);
  const PassSums sums =
      likelihood_pass(problem.model, problem.data, 1)(anchor.theta, Curvature::kInformation);
  Vector step;
  ASSERT_TRUE(solve_scaled(sums.precision, sums.gradient.col(0), step));
  EXPECT_LT(std::sqrt(sums.gradient.col(0).dot(step)), 1e-3);
}

TEST(Newton, ComesBackFromAStartFarAwayAmongGrossOutliers) {
  Problem<unit::StudentTCase> problem({.rows = 300}, BoundKind::kMapTuned);
  for (std::size_t n = 0; n < 300; n += 7) {
    problem.table.response.values[n] = n % 2 == 0 ? 1e4 : -300.0;
  }
  problem.data = Dataset(problem.table, problem.options);
  const auto pass = likelihood_pass(problem.model, problem.data, 1);
  for (const double far : {0.0, 60.0, -1e4}) {
    const NewtonResult result =
        newton(problem.prior, pass, Vector::Constant(4, far), {.log_concave = false});
    EXPECT_LT(result.anchor.decrement, 0.01);
    EXPECT_LT(distance_to_mode(problem, result.anchor), 1e-3) << far;
    EXPECT_LT(result.anchor.theta.norm(), 10.0) << far;
  }
}

// Two clumps of responses: between them the Hessian has the wrong sign although the majoriser's
// step is short. The search must walk on, not ask the Hessian again and again at the same place.
TEST(Newton, WalksThroughARegionWhereTheHessianIsIndefinite) {
  Problem<unit::StudentTCase> problem(
      {.rows = 7, .columns = 0, .standardise = false, .weights = false, .offset = false},
      BoundKind::kMapTuned);
  problem.table.response.values = {-5.0, -5.2, -4.9, 5.0, 5.1, 4.8, 5.3};
  problem.data = Dataset(problem.table, problem.options);
  problem.prior = unit::normal_prior(1, 20.0);
  const auto pass = likelihood_pass(problem.model, problem.data, 1);
  const NewtonResult result = newton(problem.prior, pass, Vector::Zero(1), {.log_concave = false});
  EXPECT_LT(distance_to_mode(problem, result.anchor), 1e-2);
  EXPECT_GT(problem.log_posterior(unit::as_reals(result.anchor.theta)),
            problem.log_posterior({0.0L}));
}

// A column that says nothing leaves its coefficient to the prior.
TEST(Newton, KeepsThePrecisionOfALaplacePriorWhereTheDataAreSilent) {
  Problem<unit::LogisticCase> problem({.rows = 100, .standardise = false}, BoundKind::kMapTuned);
  for (std::size_t n = 0; n < 100; ++n) {
    problem.table.x[3 * n + 1] = 0.0;
  }
  problem.data = Dataset(problem.table, problem.options);
  problem.prior = unit::laplace_prior(4, 0.8);
  const Anchor anchor = find_anchor(problem.model, problem.prior, problem.data, {});
  EXPECT_NEAR(anchor.theta[2], 0.0, 1e-12);
  EXPECT_GT(anchor.precision(2, 2), 0.1 / (0.8 * 0.8));
  EXPECT_LT(anchor.precision(2, 2), 10.0 / (0.8 * 0.8));
}

TEST(SolveScaled, SolvesAndRefusesSingularMatrices) {
  Matrix precision(2, 2);
  precision << 2e12, 1e3, 1e3, 1e-6;
  Vector gradient(2);
  gradient << 1.0, 2.0;
  Vector step;
  ASSERT_TRUE(solve_scaled(precision, gradient, step));
  EXPECT_NEAR(step[0], (1e-6 - 2e3) / 1e6, 1e-14);
  EXPECT_NEAR(step[1], (4e12 - 1e3) / 1e6, 1e-6);
  precision << 1.0, 1.0, 1.0, 1.0;
  EXPECT_FALSE(solve_scaled(precision, gradient, step));
  precision << 1.0, 0.0, 0.0, -1.0;
  EXPECT_FALSE(solve_scaled(precision, gradient, step));
  precision << 1.0, 0.0, 0.0, std::nan("");
  EXPECT_FALSE(solve_scaled(precision, gradient, step));
}

}  // namespace
}  // namespace flymc
