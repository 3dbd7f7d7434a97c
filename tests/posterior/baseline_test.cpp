#include "flymc/detail/posterior/baseline.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "flymc/error.hpp"
#include "support/unit_joint.hpp"

namespace flymc {
namespace {

using unit::as_reals;
using unit::Problem;
using unit::Reals;

template <class Case>
class BaselineOf : public ::testing::Test {
 protected:
  // Gaussian part, region and remainder at zeta, and the gradient in zeta.
  struct Sum {
    double value;
    Vector gradient;
  };
  static Sum sum_at(const Baseline& baseline, const Frame& frame, int shell, const Vector& zeta) {
    Vector scratch(zeta.size());
    Vector delta(zeta.size());
    Sum result{0.0, Vector::Zero(zeta.size())};
    result.value = baseline.gaussian(zeta, scratch, &result.gradient);
    EXPECT_EQ(result.value, baseline.gaussian(zeta, scratch, nullptr));
    if (baseline.has_region(shell)) {
      result.value += baseline.region(shell, zeta, scratch);
      result.gradient += scratch;
    }
    if (baseline.has_remainder()) {
      Vector in_theta(zeta.size());
      frame.to_delta(zeta, delta);
      result.value += baseline.remainder(delta, scratch, &in_theta);
      frame.pull_back(in_theta, scratch);
      result.gradient += scratch;
    }
    return result;
  }

  // Prior times the bounds of a shell by their definition, with the gradient by differences.
  static void expect_naive(Problem<Case>& problem, int shell, bool laplace) {
    problem.prior = laplace ? unit::laplace_prior(problem.size()) : problem.prior;
    for (const Frame& frame : unit::all_frames(problem)) {
      const ShellSums wider(problem.model, problem.data, problem.bounds);
      const Baseline baseline(problem.prior, problem.bounds.gaussian, frame, &wider);
      const auto naive = [&](const Reals& t) {
        return problem.log_prior(t) + problem.log_bounds_in(shell, t);
      };
      for (const double spread : {0.0, 0.3, 1.0}) {
        const Vector zeta = unit::normal_vector(problem.stream, problem.size(), spread);
        Vector theta(problem.size());
        frame.to_theta(zeta, theta);
        const Sum sum = sum_at(baseline, frame, shell, zeta);
        const auto expected = static_cast<double>(naive(as_reals(theta)));
        EXPECT_NEAR(sum.value, expected, 1e-10 * (1.0 + std::abs(expected)));
        Vector slope(problem.size());
        frame.pull_back(unit::finite_difference(naive, theta), slope);
        EXPECT_LT((sum.gradient - slope).norm(), 1e-7 * (1.0 + slope.norm()));
      }
    }
  }
};
using BaselineCases = ::testing::Types<unit::LogisticCase, unit::StudentTCase, unit::SoftmaxCase,
                                       unit::SoftmaxPairCase, unit::PoissonCase,
                                       unit::NormalScaleCase, unit::NormalVaryingScaleCase>;
TYPED_TEST_SUITE(BaselineOf, BaselineCases);

TYPED_TEST(BaselineOf, TheModelIsPriorTimesBoundsInEveryShellAndFrame) {
  for (const bool laplace : {false, true}) {
    Problem<TypeParam> problem({.sharpness = 30.0}, BoundKind::kLocal, 31);
    problem.anchor.theta[1] = 0.0;  // at the kink of a Laplace prior
    problem.set_beacons({}, {.threads = 1});
    for (int shell = 0; shell < problem.bounds.tangents.shells.tangent_count(); ++shell) {
      this->expect_naive(problem, shell, laplace);
    }
  }
}

TYPED_TEST(BaselineOf, TheModelExpectsMoreFirefliesInAWiderShell) {
  Problem<TypeParam> problem({.sharpness = 30.0}, BoundKind::kLocal, 32);
  const Frame frame = unit::all_frames(problem)[1];
  const ShellSums wider(problem.model, problem.data, problem.bounds);
  const Baseline baseline(problem.prior, problem.bounds.gaussian, frame, &wider);
  double before = 0.0;
  for (int shell = 0; shell < problem.bounds.tangents.shells.tangent_count(); ++shell) {
    EXPECT_GT(baseline.expected_bright(shell), before);
    before = baseline.expected_bright(shell);
  }
  EXPECT_EQ(baseline.expected_bright(0), problem.bounds.coins.expected_bright);
}

TEST(Baseline, TheOscillatorHasTheGaussianPartsFrequenciesAndPull) {
  Problem<unit::LogisticCase> problem({}, BoundKind::kUntuned);
  const Frame frame = unit::all_frames(problem)[1];
  const ShellSums wider(problem.model, problem.data, problem.bounds);
  const Baseline baseline(problem.prior, problem.bounds.gaussian, frame, &wider);
  Vector scratch(problem.size());
  Vector gradient(problem.size());
  std::ignore = baseline.gaussian(Vector::Zero(problem.size()), scratch, &gradient);
  EXPECT_LT((gradient - baseline.pull()).norm(), 1e-12 * gradient.norm());
  const Matrix precision = gaussian_precision(problem.prior, problem.bounds.gaussian);
  const Matrix q = baseline.squared_frequencies().asDiagonal();
  EXPECT_LT((frame.pull_back_form(precision) - q).norm(), 1e-12 * q.norm());
}

// Outliers of a Student-t bend the wrong way: a squared frequency below zero counts as zero, and
// what is left of it is region, in every shell.
using StudentTBaseline = BaselineOf<unit::StudentTCase>;
TEST_F(StudentTBaseline, MovesANegativeCurvatureIntoTheRegion) {
  Problem<unit::StudentTCase> problem({.sharpness = 30.0}, BoundKind::kLocal, 33);
  for (double& response : problem.table.response.values) {
    response = response > 1.0 ? 9.0 : -7.0;
  }
  problem.data = Dataset(problem.table, problem.options);
  problem.prior = unit::normal_prior(problem.size(), 30.0);
  problem.set_beacons({}, {.threads = 1});
  const Frame frame = unit::all_frames(problem)[1];
  ASSERT_LT(frame.squared_frequencies().minCoeff(), -1e-4);
  const ShellSums wider(problem.model, problem.data, problem.bounds);
  const Baseline baseline(problem.prior, problem.bounds.gaussian, frame, &wider);
  EXPECT_GE(baseline.squared_frequencies().minCoeff(), 0.0);
  EXPECT_TRUE(baseline.has_region(0));
  for (int shell = 0; shell < problem.bounds.tangents.shells.tangent_count(); ++shell) {
    expect_naive(problem, shell, false);
  }
}

TEST(Baseline, SmoothsALaplacePriorAtTheLesserOfItsScaleAndTheDatasOwn) {
  Problem<unit::LogisticCase> problem({.rows = 200}, BoundKind::kMapTuned);
  problem.prior = unit::laplace_prior(problem.size(), 0.05);
  problem.anchor.theta.setZero();
  problem.bounds =
      unit::bounds_of(problem.model, problem.data, problem.anchor, BoundKind::kMapTuned);
  const PriorParabola parabola = prior_parabola(problem.prior, problem.bounds.gaussian);
  const Matrix likelihood = problem.bounds.gaussian.precision();
  EXPECT_NEAR(parabola.precision[0], 1.0 / (1.5 * 1.5), 1e-15);
  EXPECT_NEAR(parabola.slope[0], 0.4 / (1.5 * 1.5), 1e-15);
  for (Index j = 1; j < problem.size(); ++j) {
    const double e = std::min(1.0 / std::sqrt(likelihood(j, j)), 0.05);
    EXPECT_NEAR(parabola.precision[j], 1.0 / (e * 0.05), 1e-12 * parabola.precision[j]);
    EXPECT_EQ(parabola.slope[j], 0.0);
  }
  EXPECT_LT((gaussian_precision(problem.prior, problem.bounds.gaussian) - likelihood -
             Matrix(parabola.precision.asDiagonal()))
                .norm(),
            1e-10);
}

TEST(Baseline, ItsKinkIsTheLargestDeviationPerLaplaceScale) {
  Problem<unit::LogisticCase> problem({}, BoundKind::kLocal);
  problem.prior = unit::laplace_prior(problem.size(), 0.3);
  const Matrix covariance = problem.anchor.precision.inverse();
  const double expected = std::sqrt(covariance.diagonal().tail(3).maxCoeff()) / 0.3;
  for (const Frame& frame : unit::all_frames(problem)) {
    EXPECT_NEAR(Baseline(problem.prior, problem.bounds.gaussian, frame, nullptr).kink(), expected,
                1e-12);
  }
}

// Neither diagonal nor taken at delta: a frame of its own kind, the same function of theta.
TEST(Baseline, IsTheSameFunctionInAWhitenedFrame) {
  const Problem<unit::LogisticCase> problem({}, BoundKind::kLocal);
  const Frame frame = Frame::whitened(problem.anchor);
  const ShellSums wider(problem.model, problem.data, problem.bounds);
  const Baseline whitened(problem.prior, problem.bounds.gaussian, frame, &wider);
  const Frame plain_frame = Frame::plain(problem.anchor);
  const Baseline plain(problem.prior, problem.bounds.gaussian, plain_frame, &wider);
  Vector zeta = Vector::LinSpaced(problem.size(), -1.0, 2.0);
  Vector delta(zeta.size());
  Vector scratch(zeta.size());
  frame.to_delta(zeta, delta);
  EXPECT_NEAR(whitened.gaussian(zeta, scratch, nullptr), plain.gaussian(delta, scratch, nullptr),
              1e-10);
}

}  // namespace
}  // namespace flymc
