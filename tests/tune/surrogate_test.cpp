#include "tune/surrogate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "flymc/detail/posterior/dark_target.hpp"
#include "flymc/tune/find_anchor.hpp"
#include "support/unit_joint.hpp"

namespace flymc {
namespace {

using unit::Problem;

// The mean of f(u), u ~ N(0, r^2), by the trapezoidal rule: exact to rounding for a smooth f.
double normal_mean(double r, const std::function<double(double)>& f) {
  double sum = 0.0;
  double mass = 0.0;
  for (double z = -9.0; z <= 9.0; z += 0.01) {
    const double density = std::exp(-0.5 * z * z);
    sum += density * f(r * z);
    mass += density;
  }
  return sum / mass;
}

// An intercept alone: every row is x = 1, every leverage the posterior's standard deviation.
constexpr unit::Shape kInterceptOnly{
    .rows = 1, .columns = 0, .standardise = false, .weights = false, .offset = false};

template <class Case>
class SurrogateOf : public ::testing::Test {};
using SurrogateCases = ::testing::Types<unit::LogisticCase, unit::PoissonCase, unit::ProbitCase,
                                        unit::BinomialCase, unit::NegativeBinomialCase>;
TYPED_TEST_SUITE(SurrogateOf, SurrogateCases);

TYPED_TEST(SurrogateOf, OneRowHasItsAverageSlopeAndInformation) {
  double largest_effect = 0.0;
  for (const double a : {-1.0, 0.0, 0.3, 1.2, 2.2}) {
    const double r = 0.6;
    Problem<TypeParam> problem(kInterceptOnly, BoundKind::kLocal);
    problem.anchor.theta[0] = a;
    problem.anchor.precision(0, 0) = 1.0 / (r * r);
    problem.set_beacons({}, {.threads = 1});
    const Surrogate surrogate = make_surrogate(problem.model, problem.data, problem.bounds, 1);
    const double t = problem.response(0);
    const auto slope = [&](double u) {
      double s = 0.0;
      std::ignore = problem.model.log_likelihood(a + u, t, s);
      return s;
    };
    const auto information = [&](double u) { return problem.model.information(a + u, t); };
    const double mean_slope = normal_mean(r, slope);
    const double mean_information = normal_mean(r, information);
    EXPECT_NEAR(surrogate.light.linear()[0], mean_slope, 2e-3 * (1.0 + std::abs(mean_slope)));
    EXPECT_NEAR(surrogate.light.precision()(0, 0), mean_information, 0.01 * mean_information);
    largest_effect = std::max(largest_effect, std::abs(mean_information / information(0.0) - 1.0));
    EXPECT_EQ(surrogate.queries, 1U);
  }
  EXPECT_GT(largest_effect, 0.03);  // so that the tangent's own curvature would not pass
}

// No shell and no coin: far outside of all radii it is the same parabola and the same beacons.
TYPED_TEST(SurrogateOf, ItsDensityIsPriorTimesParabolaTimesBeaconsEverywhere) {
  Problem<TypeParam> problem({.sharpness = 30.0}, BoundKind::kLocal);
  problem.set_beacons({3, 11, 20}, {.threads = 1});
  const Surrogate surrogate = make_surrogate(problem.model, problem.data, problem.bounds, 1);
  const Frame frame =
      Frame::oscillator(problem.anchor, gaussian_precision(problem.prior, surrogate.gaussian));
  DarkTarget<typename TypeParam::Model> target(
      std::make_shared<const DarkSetting<typename TypeParam::Model>>(
          problem.model, problem.prior, problem.data, surrogate.parts(), frame));
  Point point(problem.size());
  Vector product(problem.size());
  for (const double distance : {0.5, 3.0, 2.0 * problem.bounds.tangents.shells.radii.back()}) {
    const Vector theta = unit::theta_at_distance(problem, distance);
    target.from_theta(theta, point);
    target.evaluate(point, Order::kValue);
    const unit::Reals t = unit::as_reals(theta);
    auto expected = problem.log_prior(t);
    expected += surrogate.light.evaluate(theta - problem.anchor.theta, product, nullptr);
    for (const Datum n : surrogate.beacons.rows) {
      expected += problem.log_likelihood(n, t);
    }
    const auto value = static_cast<double>(expected);
    EXPECT_NEAR(point.log_density, value, 1e-10 * (1.0 + std::abs(value)));
  }
  EXPECT_EQ(target.queries_total(), 3 * surrogate.beacons.size());
}

// Mean and variance of theta under the naive posterior of an intercept.
struct Moments {
  double mean;
  double variance;
};
template <class Case>
Moments posterior_moments(const Problem<Case>& problem, double from, double to) {
  unit::Real mass = 0;
  unit::Real first = 0;
  unit::Real second = 0;
  const unit::Real top = problem.log_posterior({problem.anchor.theta[0]});
  for (unit::Real t = from; t <= to; t += 0.002L) {
    const unit::Real density = unit::exp(problem.log_posterior({t}) - top);
    mass += density;
    first += density * t;
    second += density * t * t;
  }
  const unit::Real mean = first / mass;
  return {static_cast<double>(mean), static_cast<double>(second / mass - mean * mean)};
}

TEST(GaussianAnchor, MovesFromTheModeOfASkewedPosteriorTowardsItsMean) {
  unit::Shape shape = kInterceptOnly;
  shape.rows = 4;
  Problem<unit::PoissonCase> problem(shape, BoundKind::kLocal);
  problem.table.response.values = {0.0, 1.0, 0.0, 0.0};
  problem.data = Dataset(problem.table, problem.options);
  problem.prior = unit::normal_prior(1, 3.0);
  problem.anchor = find_anchor(problem.model, problem.prior, problem.data, {.tolerance = 1e-8});
  const double mode = problem.anchor.theta[0];
  problem.set_beacons({}, {.threads = 1});
  const Moments exact = posterior_moments(problem, -14.0, 6.0);
  ASSERT_GT(unit::abs(exact.mean - mode), 0.15);
  const Surrogate surrogate = make_surrogate(problem.model, problem.data, problem.bounds, 1);
  const auto moved = gaussian_anchor(problem.prior, surrogate.gaussian);
  ASSERT_TRUE(moved.has_value());
  EXPECT_LT(std::abs(moved->theta[0] - exact.mean), 0.5 * std::abs(mode - exact.mean));
}

TEST(GaussianAnchor, IsNoneWhereTheSurrogateIsNotPositiveDefinite) {
  Problem<unit::LogisticCase> problem({.rows = 30}, BoundKind::kLocal);
  for (std::size_t n = 0; n < 30; ++n) {
    problem.table.x[3 * n + 2] = 2.0 * problem.table.x[3 * n];
  }
  problem.options.center = Vector();
  problem.data = Dataset(problem.table, problem.options);
  problem.set_beacons({}, {.threads = 1});
  const Prior flat(std::vector<PriorTerm>(4, {PriorKind::kFlat}));
  const Surrogate surrogate = make_surrogate(problem.model, problem.data, problem.bounds, 1);
  EXPECT_FALSE(gaussian_anchor(flat, surrogate.gaussian).has_value());
  EXPECT_TRUE(gaussian_anchor(problem.prior, surrogate.gaussian).has_value());
}

// An outlier of Student-t bends the other way: what a beacon, falling as a logarithm, cannot hold.
TEST(Surrogate, OfOutliersIsNotPositiveDefinite) {
  unit::Shape shape = kInterceptOnly;
  shape.rows = 3;
  Problem<unit::StudentTCase> problem(shape, BoundKind::kLocal);
  problem.table.response.values = {0.0, 0.1, 4.0};
  problem.data = Dataset(problem.table, problem.options);
  problem.prior = unit::normal_prior(1, 100.0);
  problem.anchor = find_anchor(problem.model, problem.prior, problem.data, {.tolerance = 1e-8});
  problem.set_beacons({0, 1}, {.threads = 1});  // far out: no parabola of theirs is left
  problem.bounds.beacons.parabolic_count = 0;
  const Surrogate outlier = make_surrogate(problem.model, problem.data, problem.bounds, 1);
  EXPECT_LT(outlier.gaussian.precision()(0, 0), 0.0);
  EXPECT_FALSE(is_positive_definite(problem.prior, outlier.gaussian));
  EXPECT_TRUE(is_positive_definite(unit::normal_prior(1, 0.5), outlier.gaussian));
}

// Beacons stay exact: they leave the smoothed sums and keep their parabolas.
TEST(Surrogate, LeavesBeaconsOut) {
  Problem<unit::LogisticCase> problem({.sharpness = 30.0}, BoundKind::kLocal);
  const Surrogate all = make_surrogate(problem.model, problem.data, problem.bounds, 1);
  problem.set_beacons({3, 8}, {.threads = 1});
  const Surrogate surrogate = make_surrogate(problem.model, problem.data, problem.bounds, 1);
  EXPECT_EQ(surrogate.beacons.rows, problem.bounds.beacons.rows);
  Cubature cubature(problem.model);
  Matrix gone = Matrix::Zero(4, 4);
  Matrix kept = Matrix::Zero(4, 4);
  Vector row(4);
  for (const Datum n : problem.bounds.beacons.rows) {
    double smooth = 0.0;
    const Tangent tangent{problem.bounds.tangents.touch_point(n), nullptr, problem.response(n)};
    cubature.expected_information(tangent, problem.bounds.tangents.leverage(n), &smooth);
    problem.data.copy_row(n, row.data());
    const auto weight = static_cast<double>(problem.weight(n));
    gone += weight * smooth * row * row.transpose();
    kept += weight * problem.model.information(*tangent.anchor, 1.0) * row * row.transpose();
  }
  EXPECT_LT((all.light.precision() - gone - surrogate.light.precision()).norm(), 1e-10);
  EXPECT_LT((surrogate.light.precision() + kept - surrogate.gaussian.precision()).norm(), 1e-10);
}

// A beacon whose mean overflows within its leverage has no average; it is not needed either.
TEST(Surrogate, IsFiniteWhereABeaconsAverageOverflows) {
  Problem<unit::PoissonCase> problem(
      {.rows = 12, .columns = 1, .intercept = false, .standardise = false}, BoundKind::kLocal);
  problem.table.x[5] = 3000.0;
  problem.data = Dataset(problem.table, problem.options);
  problem.anchor.theta[0] = -0.01;
  problem.anchor.precision(0, 0) = 9.0;
  problem.set_beacons({}, {.threads = 1});
  ASSERT_EQ(problem.bounds.beacons.rows, (std::vector<Datum>{5}));
  const Surrogate surrogate = make_surrogate(problem.model, problem.data, problem.bounds, 1);
  EXPECT_TRUE(std::isfinite(surrogate.light.constant()));
  EXPECT_TRUE(surrogate.light.linear().allFinite());
  EXPECT_TRUE(surrogate.gaussian.precision().allFinite());
}

TEST(Surrogate, KnowsTheLogPosteriorAtTheAnchorOfAPass) {
  Problem<unit::StudentTCase> problem({.rows = 40}, BoundKind::kLocal);
  const LocalPass pass = local_pass(problem.model, problem.data, problem.anchor, {.threads = 1});
  double sum = problem.prior.log_density(problem.anchor.theta);
  for (std::size_t n = 0; n < 40; ++n) {
    sum += problem.data.weight(n) *
           problem.model.log_likelihood(pass.tangents.touch_point(n)[0], problem.response(n));
  }
  EXPECT_NEAR(log_posterior(problem.prior, problem.data, pass), sum, 1e-9 * std::abs(sum));
}

TEST(Surrogate, KnowsHowFarTheModeAndTheMeanAre) {
  Problem<unit::PoissonCase> problem({.rows = 60, .weights = false}, BoundKind::kLocal, 3);
  problem.anchor = find_anchor(problem.model, problem.prior, problem.data, {.tolerance = 1e-8});
  const LocalPass at_mode = local_pass(problem.model, problem.data, problem.anchor, {.threads = 1});
  EXPECT_LT(distance_to_mode(problem.prior, at_mode, problem.anchor), 1e-6);
  Anchor off = problem.anchor;
  off.theta += 0.5 * problem.anchor.precision.llt().matrixU().solve(Vector::Unit(4, 1));
  const LocalPass away = local_pass(problem.model, problem.data, off, {.threads = 1});
  EXPECT_NEAR(distance_to_mode(problem.prior, away, off), 0.5, 0.1);
  // The smoothed gradient of the pass is that of the surrogate.
  problem.set_beacons({}, {.threads = 1});
  const Surrogate surrogate = make_surrogate(problem.model, problem.data, problem.bounds, 1);
  EXPECT_LT((surrogate.light.linear() - at_mode.smooth_gradient).norm(),
            1e-10 * at_mode.smooth_gradient.norm());
  EXPECT_GT(smooth_shift(problem.prior, at_mode, problem.anchor), 0.02);
}

}  // namespace
}  // namespace flymc
