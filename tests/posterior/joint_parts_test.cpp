// The joint with local bounds and beacons in parts: every part has the force that belongs to its
// value, and together they are the joint, in every shell and frame.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/unit_joint.hpp"

namespace flymc {
namespace {

using unit::as_reals;
using unit::light;
using unit::Problem;
using unit::Reals;

constexpr Index kLevels = 3;

template <class Case>
class JointPartsOf : public ::testing::Test {
 protected:
  using Model = typename Case::Model;
  using Target = JointTarget<Model>;

  // Five beacons of twenty-four data, two of them walls: their rows are long.
  static void prepare(Problem<Case>& problem, bool laplace) {
    problem.prior = laplace ? unit::laplace_prior(problem.size(), 0.1) : problem.prior;
    for (std::size_t j = 0; j < 2 * problem.shape.columns; ++j) {
      problem.table.x[j] *= 30.0;
    }
    problem.data = Dataset(problem.table, problem.options);
    problem.set_beacons({7, 1, 12, 0, 20}, {.threads = 1});
    ASSERT_EQ(problem.bounds.beacons.size(), 5U);
    ASSERT_EQ(problem.bounds.beacons.parabolic_count, 3U);
  }
  static constexpr unit::Shape kShape{.sharpness = 60.0};
  static std::vector<Datum> some_bright() { return {2, 5, 23, 9, 14}; }

  // All parts, beacons in three levels, and the log density from them.
  static void evaluate_parts(Target& target, Point& point) {
    target.set_levels(point, kLevels, 0.1);
    target.evaluate_bright(point);
    if (target.prior_kink() > 0.0) {
      target.evaluate_prior(point);
    }
    const std::size_t cuts[] = {0, 2, 2, target.beacon_count()};  // one level is empty
    for (Index level = 0; level < kLevels; ++level) {
      target.evaluate_beacons(point, kFirstLevel + level, cuts[level], cuts[level + 1]);
    }
    target.finish(point);
  }

  static void expect_forces(Target& target, const Point& point) {
    // A gap has 1e-10 of noise where it is far below its parabola, and differences divide it.
    constexpr double kStep = 1e-5;
    Point moved = point;
    for (Index j = 0; j < point.zeta.size(); ++j) {
      moved.zeta = point.zeta + kStep * Vector::Unit(point.zeta.size(), j);
      evaluate_parts(target, moved);
      Vector slope = moved.parts;
      moved.zeta = point.zeta - kStep * Vector::Unit(point.zeta.size(), j);
      evaluate_parts(target, moved);
      slope = (slope - moved.parts) / (2.0 * kStep);
      for (Index part = 0; part < point.parts.size(); ++part) {
        const double size = point.forces.col(part).norm() + 1e-3 * std::abs(point.parts[part]);
        EXPECT_NEAR(point.forces(j, part), slope[part], 5e-5 * (1.0 + size)) << "part " << part;
      }
    }
  }

  // Parts, generic evaluation and the naive joint.
  static void expect_one_function(Problem<Case>& problem, Target& target, const Frame& frame,
                                  const Point& point) {
    Point generic(problem.size());
    generic.zeta = point.zeta;
    target.evaluate(generic, Order::kGradient);
    const double tolerance = 1e-10 * (1.0 + std::abs(generic.log_density));
    EXPECT_NEAR(point.log_density, generic.log_density, tolerance);
    Vector force = generic.gradient - generic.forces.rowwise().sum();  // of the Gaussian part
    force += point.forces.rowwise().sum();
    EXPECT_LT((force - generic.gradient).norm(), 1e-11 * (1.0 + generic.gradient.norm()));
    Vector theta(problem.size());
    target.to_theta(point, theta);
    const auto joint = [&](const Reals& t) { return problem.log_joint(t, some_bright()); };
    EXPECT_NEAR(generic.log_density, static_cast<double>(joint(as_reals(theta))), tolerance);
    Vector slope(problem.size());
    frame.pull_back(unit::finite_difference(joint, theta), slope);
    EXPECT_LT((generic.gradient - slope).norm(), 1e-6 * (1.0 + slope.norm()));
    Point value_only(problem.size());
    value_only.zeta = point.zeta;
    target.evaluate(value_only, Order::kValue);
    EXPECT_EQ(value_only.log_density, generic.log_density);
  }

  // Not on a boundary: a difference across it means nothing.
  static std::vector<double> distances(const Bounds& bounds) {
    std::vector<double> result{0.6};
    for (const double radius : bounds.tangents.shells.radii) {
      result.push_back(radius - 0.2);
      result.push_back(radius + 0.2);
    }
    return result;
  }
};
using JointPartsCases = ::testing::Types<unit::LogisticCase, unit::StudentTCase, unit::SoftmaxCase,
                                         unit::PoissonCase, unit::NegativeBinomialCase,
                                         unit::NormalScaleCase, unit::NormalVaryingScaleCase>;
TYPED_TEST_SUITE(JointPartsOf, JointPartsCases);

TYPED_TEST(JointPartsOf, TheModelHasTheForceOfEveryPartAndTheyAddUpToTheJoint) {
  for (const bool laplace : {false, true}) {
    Problem<TypeParam> problem(this->kShape, BoundKind::kLocal, 41);
    this->prepare(problem, laplace);
    for (const Frame& frame : unit::all_frames(problem)) {
      typename TestFixture::Target target(problem.model, problem.prior, problem.data,
                                          problem.bounds, frame);
      Point point(problem.size());
      light(target, point, this->some_bright());
      for (const double distance : this->distances(problem.bounds)) {
        SCOPED_TRACE(::testing::Message() << "distance " << distance << ", plain "
                                          << frame.is_plain() << ", laplace " << laplace);
        target.from_theta(unit::theta_at_distance(problem, distance), point);
        this->evaluate_parts(target, point);
        this->expect_one_function(problem, target, frame, point);
        this->expect_forces(target, point);
      }
    }
  }
}

TYPED_TEST(JointPartsOf, TheModelRefreshesWithoutAQueryToWhatAFreshEvaluationGives) {
  Problem<TypeParam> problem(this->kShape, BoundKind::kLocal, 42);
  this->prepare(problem, true);
  for (const Frame& frame : unit::all_frames(problem)) {
    typename TestFixture::Target target(problem.model, problem.prior, problem.data, problem.bounds,
                                        frame);
    Point point(problem.size());
    for (const double distance : this->distances(problem.bounds)) {
      target.from_theta(unit::theta_at_distance(problem, distance), point);
      target.evaluate(point, Order::kGradient);
      for (int step = 0; step < 20; ++step) {
        const auto n = static_cast<Datum>(problem.stream.below(problem.shape.rows));
        if (target.is_bright(n)) {
          target.darken(point, target.slot_of(n));
        } else if (target.query(point, {&n, 1})[0] > -1e300) {
          target.brighten(point, 0);
        }
        const std::uint64_t before = target.queries_total();
        target.refresh(point, Order::kGradient);
        EXPECT_EQ(target.queries_total(), before);
        Point fresh(problem.size());
        fresh.zeta = point.zeta;
        target.evaluate(fresh, Order::kGradient);
        const double size = 1.0 + std::abs(fresh.log_density);
        ASSERT_NEAR(point.log_density, fresh.log_density, 1e-9 * size);
        ASSERT_LT((point.gradient - fresh.gradient).norm(), 1e-8 * (size + fresh.gradient.norm()));
      }
    }
  }
}

TYPED_TEST(JointPartsOf, TheModelRestoresABrightSetBitForBit) {
  Problem<TypeParam> problem(this->kShape, BoundKind::kLocal, 43);
  this->prepare(problem, true);
  const Frame frame = unit::all_frames(problem)[1];
  for (const double distance : this->distances(problem.bounds)) {
    typename TestFixture::Target first(problem.model, problem.prior, problem.data, problem.bounds,
                                       frame);
    typename TestFixture::Target second(problem.model, problem.prior, problem.data, problem.bounds,
                                        frame);
    Point point(problem.size());
    first.from_theta(unit::theta_at_distance(problem, distance), point);
    light(first, point, this->some_bright());
    this->evaluate_parts(first, point);
    first.darken(point, 1);
    first.refresh(point, Order::kGradient);
    std::vector<Datum> bright;
    for (std::size_t slot = 0; slot < first.bright_count(); ++slot) {
      bright.push_back(first.bright_at(slot));
    }
    second.restore(bright);
    Point restored = point;
    second.refresh(restored, Order::kGradient);
    EXPECT_EQ(second.queries_total(), 0U);
    EXPECT_EQ(restored.log_density, point.log_density);
    EXPECT_EQ(restored.gradient, point.gradient);
    this->evaluate_parts(first, point);
    this->evaluate_parts(second, restored);
    EXPECT_EQ(restored.log_density, point.log_density);
    EXPECT_EQ(restored.forces, point.forces);
  }
}

TYPED_TEST(JointPartsOf, TheModelCountsBeaconsAndOutsideAPoissonsRegionEveryRow) {
  Problem<TypeParam> problem(this->kShape, BoundKind::kLocal, 44);
  this->prepare(problem, false);
  const Frame frame = unit::all_frames(problem)[1];
  typename TestFixture::Target target(problem.model, problem.prior, problem.data, problem.bounds,
                                      frame);
  Point point(problem.size());
  light(target, point, {2, 5});
  EXPECT_EQ(target.queries_total(), 2U);
  target.evaluate(point, Order::kGradient);
  EXPECT_EQ(target.queries_total(), 2U + 2U + 5U);
  target.from_theta(
      unit::theta_at_distance(problem, problem.bounds.tangents.shells.radii.back() + 1.0), point);
  target.evaluate(point, Order::kGradient);
  const std::uint64_t outside = kHasGlobalBound<typename TypeParam::Model> ? 2U : 24U;
  EXPECT_EQ(target.queries_total(), 9U + outside + 5U);
  EXPECT_EQ(target.beacon_count(), 5U);
  EXPECT_EQ(target.beacons_within(1.0), 3U);
  EXPECT_EQ(target.beacons_within(0.0), 0U);
  EXPECT_EQ(target.beacons_within(1e9), 5U);
}

// Rates are scaled up with the distance, and by no less than one nor more than twenty.
TYPED_TEST(JointPartsOf, TheModelScalesItsRatesWithTheDistance) {
  Problem<TypeParam> problem(this->kShape, BoundKind::kLocal, 45);
  this->prepare(problem, false);
  const Frame frame = unit::all_frames(problem)[1];
  typename TestFixture::Target target(problem.model, problem.prior, problem.data, problem.bounds,
                                      frame);
  const auto d = static_cast<double>(problem.size());
  const double most = std::max(1.0, std::min(20.0, 24.0 / target.rates().total()));
  Point point(problem.size());
  for (const double distance : {0.0, 0.9 * std::sqrt(d), std::sqrt(d) + 2.0}) {  // innermost shell
    target.from_theta(unit::theta_at_distance(problem, distance), point);
    EXPECT_NEAR(target.rate_scale(point), std::min(most, std::max(1.0, distance * distance / d)),
                1e-9);
  }
  for (const double distance : {std::sqrt(d) + 3.0, std::sqrt(d) + 6.0, 1e6}) {
    target.from_theta(unit::theta_at_distance(problem, distance), point);
    EXPECT_GE(target.rate_scale(point), 1.0);
    EXPECT_LE(target.rate_scale(point), most);
  }
}

}  // namespace
}  // namespace flymc
