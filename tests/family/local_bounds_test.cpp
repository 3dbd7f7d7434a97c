// Bounds that hold for |u| <= radius only: docs/method/engine.md, Local bounds.
#include <gtest/gtest.h>

#include <cmath>

#include "flymc/family/logistic.hpp"
#include "flymc/family/student_t.hpp"
#include "flymc/random.hpp"
#include "support/unit_local.hpp"

namespace flymc {
namespace {

constexpr double kNus[] = {0.5, 1.0, 2.5, 4.0, 30.0, 100.0};
constexpr double kScales[] = {0.1, 1.0, 10.0};
constexpr unit::GapTolerance kTolerance{.share = 2e-13L, .rounding = 4e-16L};

const Logistic kLogistic;

unit::LocalDatum logistic_datum(double anchor, double response = 1.0) {
  return {anchor, response, -2.0 * anchor};
}

// y = (t - a) / (s sqrt(nu)) is the residual in the model's own unit.
unit::LocalDatum student_datum(const StudentT& model, double y) {
  const double response = 0.37;
  const double anchor = response - y * model.scale() * unit::sqrt(model.nu());
  return {anchor, response, 2.0 * (response - anchor)};
}

double student_unit(const StudentT& model) {
  return (model.nu() + 1.0) / model.nu() / (model.scale() * model.scale());
}

// Residuals on both sides of 1 (negative information) and sqrt(3) (outward end).
constexpr double kResiduals[] = {0.0, 1e-12, 1e-7,  3e-4,  0.01, -0.2, 0.4142, 0.7,   1.0, -1.4,
                                 1.7, 1.732, 1.733, -1.75, 1.9,  2.5,  -4.0,   2.414, 10.0};

template <class F>
void for_each_student(F check) {
  for (const double nu : kNus) {
    for (const double scale : kScales) {
      const StudentT model(nu, scale);
      for (const double y : kResiduals) {
        check(model, student_datum(model, y));
        ASSERT_FALSE(::testing::Test::HasFatalFailure())
            << "nu " << nu << ", scale " << scale << ", y " << y;
      }
    }
  }
}

TEST(LogisticLocalBound, LiesBelowTheLikelihoodOnADenseGrid) {
  for (const double anchor : unit::signed_grid(1e-12, 100.0, 30)) {
    for (const double radius : unit::signed_grid(1e-12, 300.0, 45)) {
      if (radius > 0.0) {
        unit::expect_local_bound(kLogistic, logistic_datum(anchor), radius, kTolerance);
        ASSERT_FALSE(::testing::Test::HasFatalFailure());
      }
    }
  }
}

TEST(LogisticLocalBound, LiesBelowTheLikelihoodAtRandomPoints) {
  Stream stream(11, 0, Purpose::kTest, 0);
  for (int i = 0; i < 1200; ++i) {
    const auto datum = logistic_datum(4.0 * stream.normal(), stream.uniform() < 0.5 ? -1.0 : 1.0);
    const double radius = unit::pow(10.0, 14.0 * stream.uniform() - 12.0);
    unit::expect_local_bound(kLogistic, datum, radius, kTolerance);
    ASSERT_FALSE(::testing::Test::HasFatalFailure());
  }
}

TEST(LogisticLocalBound, RisesWithTheRadiusFromTheInformationToTheGlobalCurvature) {
  for (const double anchor : unit::signed_grid(1e-12, 100.0, 80)) {
    unit::expect_bound_ordered_in_radius(kLogistic, logistic_datum(anchor), 1.0);
    unit::expect_limits(kLogistic, logistic_datum(anchor), 1.0);
    ASSERT_FALSE(::testing::Test::HasFailure());
  }
}

TEST(LogisticLocalBound, AHundredthLessIsNoBound) {
  for (const double anchor : unit::signed_grid(1e-3, 8.0, 40)) {
    for (const double radius : {1e-8, 1e-4, 0.01, 0.1, 1.0, 5.0, 40.0}) {
      const unit::LocalDatum datum = logistic_datum(anchor);
      const double k = kLogistic.local_curvature(anchor, 1.0, radius);
      unit::expect_tight(kLogistic, datum, radius, k);
      // The sup sits inwards, at the end of the region or at the second touching point.
      const double u = std::copysign(std::min(radius, 2.0 * unit::abs(anchor)), -anchor);
      double slope = 0.0;
      const double gap = evaluate_gap(kLogistic, {&anchor, &k, 1.0}, &u, &slope);
      EXPECT_LE(gap, 2.1e-9 * (1.0 + k) * 0.5 * u * u) << unit::describe(datum, radius);
    }
  }
}

// max |h'| / 3 of h = -phi'', by differences: 1 / (18 sqrt 3) against 0.0321.
TEST(LogisticLocalBound, TheConstantForSmallRadiiCoversTheSteepestInformation) {
  double steepest = 0.0;
  for (double eta = -10.0; eta < 10.0; eta += 1e-3) {
    const double rise =
        kLogistic.information(eta + 5e-4, 1.0) - kLogistic.information(eta - 5e-4, 1.0);
    steepest = std::max(steepest, unit::abs(rise) / 1e-3);
  }
  EXPECT_LT(steepest / 3.0, 0.0321);
  EXPECT_NEAR(steepest / 3.0, 1.0 / (18.0 * unit::sqrt(3.0)), 1e-7);
}

TEST(StudentTLocalBound, LiesBelowTheLikelihoodOnADenseGrid) {
  for_each_student([](const StudentT& model, const unit::LocalDatum& datum) {
    for (double radius = 1e-12 * model.scale(); radius < 1e3 * model.scale(); radius *= 10.0) {
      unit::expect_local_bound(model, datum, radius, kTolerance);
    }
  });
}

TEST(StudentTLocalBound, LiesBelowTheLikelihoodAtRandomPoints) {
  Stream stream(12, 0, Purpose::kTest, 0);
  for (int i = 0; i < 1200; ++i) {
    const StudentT model(0.5 * unit::pow(200.0, stream.uniform()),
                         0.1 * unit::pow(100.0, stream.uniform()));
    const auto datum = student_datum(model, 2.0 * stream.normal());
    const double radius = model.scale() * unit::pow(10.0, 15.0 * stream.uniform() - 12.0);
    unit::expect_local_bound(model, datum, radius, kTolerance);
    ASSERT_FALSE(::testing::Test::HasFatalFailure()) << model.nu() << " " << model.scale();
  }
}

TEST(StudentTLocalBound, RisesWithTheRadiusFromTheInformationToTheGlobalCurvature) {
  for_each_student([](const StudentT& model, const unit::LocalDatum& datum) {
    unit::expect_bound_ordered_in_radius(model, datum, student_unit(model));
    unit::expect_limits(model, datum, student_unit(model));
  });
}

TEST(StudentTLocalBound, AHundredthLessIsNoBound) {
  for_each_student([](const StudentT& model, const unit::LocalDatum& datum) {
    // Where the sup is the information itself the grid only comes near the anchor.
    for (const double share : {1e-9, 1e-4, 0.01, 0.1, 0.5, 1.0, 2.0, 5.0, 50.0}) {
      const double radius = share * model.scale() * unit::sqrt(model.nu());
      const double unit = model.curvature(datum.anchor, datum.response);
      unit::expect_tight(model, datum, radius, unit);
    }
  });
}

// Beyond sqrt(3 nu) the tail straightens: the end away from the response asks for most.
TEST(StudentTLocalBound, BeyondSqrtThreeNuTheOutwardEndDecides) {
  for (const double nu : kNus) {
    const StudentT model(nu, 1.0);
    const unit::LocalDatum datum = student_datum(model, 3.0);
    const double radius = 0.5 * unit::sqrt(nu);
    double slope = 0.0;
    const double inwards =
        -2.0 * model.remainder(datum.anchor, radius, datum.response, slope) / (radius * radius);
    const double k = model.local_curvature(datum.anchor, datum.response, radius);
    EXPECT_LT(k, 0.0);
    EXPECT_GT(k, inwards);
    EXPECT_LT(unit::least_room(model, datum, radius, inwards), 0.0);
    // Of the two ends the outward one is where the bound touches.
    const double u = -radius;
    EXPECT_LT(evaluate_gap(model, {&datum.anchor, &k, datum.response}, &u, &slope),
              2.1e-9 * (1.0 - k) * 0.5 * u * u);
  }
}

// max |h'| / 3 of h = -phi'' is attained at y = (sqrt 2 - 1) sqrt nu: 0.4857 (nu+1) nu^-1.5.
TEST(StudentTLocalBound, TheConstantForSmallRadiiCoversTheSteepestInformation) {
  for (const double nu : kNus) {
    const StudentT model(nu, 1.0);
    const double step = 1e-4 * unit::sqrt(nu);
    double steepest = 0.0;
    for (double y = 0.0; y < 20.0 * unit::sqrt(nu); y += step) {
      const double rise =
          model.information(y + 0.5 * step, 0.0) - model.information(y - 0.5 * step, 0.0);
      steepest = std::max(steepest, unit::abs(rise) / step);
    }
    const double unit = (nu + 1.0) / (nu * unit::sqrt(nu));
    EXPECT_LT(steepest / 3.0, 0.486 * unit);
    EXPECT_GT(steepest / 3.0, 0.4856 * unit);
  }
}

}  // namespace
}  // namespace flymc
