#include "flymc/family/student_t.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "flymc/detail/family/tangent.hpp"
#include "flymc/error.hpp"
#include "flymc/random.hpp"
#include "support/unit_gap.hpp"

namespace flymc::student_t_test {
namespace {

constexpr double kNus[] = {0.5, 1.0, 4.0, 30.0, 100.0};
constexpr double kScales[] = {0.1, 1.0, 10.0};
// y = (t - eta) / s is rounded before it is squared, so a digit more than for the other models.
constexpr unit::GapTolerance kTolerance{.share = 2e-13L, .rounding = 4e-16L};

TEST(StudentT, RefusesANuOrScaleThatIsNotPositiveAndFinite) {
  EXPECT_THROW(StudentT(0.0, 1.0), Error);
  EXPECT_THROW(StudentT(-1.0, 1.0), Error);
  EXPECT_THROW(StudentT(4.0, 0.0), Error);
  EXPECT_THROW(StudentT(std::nan(""), 1.0), Error);
  EXPECT_THROW(StudentT(4.0, INFINITY), Error);
}

TEST(StudentT, LikelihoodMatchesItsDefinition) {
  for (const double nu : kNus) {
    const StudentT model(nu, 0.7);
    for (const double eta : unit::signed_grid(1e-9, 700.0, 100)) {
      double slope = 0.0;
      const double value = model.log_likelihood(eta, 0.3, slope);
      const auto reference = unit::likely(model, {eta}, 0.3);
      EXPECT_EQ(value, model.log_likelihood(eta, 0.3));
      EXPECT_LE(unit::abs(value - reference.value), 1e-14L * (10 + unit::abs(reference.value)));
      EXPECT_LE(unit::abs(slope - reference.slopes[0]), 3e-14L * unit::abs(reference.slopes[0]));
    }
  }
}

// Substituting eta = s sqrt(nu) tan(phi) makes the tails finite; midpoint rule.
TEST(StudentT, DensityOfTheResponseIntegratesToOne) {
  for (const double nu : {1.0, 2.5, 4.0, 30.0, 100.0}) {
    const StudentT model(nu, 0.7);
    constexpr int kCells = 200000;
    const double width = 3.14159265358979323846 / kCells;
    double integral = 0.0;
    for (int i = 0; i < kCells; ++i) {
      const double angle = (i + 0.5) * width - 0.5 * 3.14159265358979323846;
      const double response = 0.7 * unit::sqrt(nu) * std::tan(angle);
      const double jacobian = 0.7 * unit::sqrt(nu) / (unit::cos(angle) * unit::cos(angle));
      integral += unit::exp(model.log_likelihood(0.0, response)) * jacobian * width;
    }
    EXPECT_NEAR(integral, 1.0, 1e-8) << "nu " << nu;
  }
}

TEST(StudentT, InformationIsMinusTheSecondDerivative) {
  for (const double nu : kNus) {
    for (const double s : kScales) {
      const StudentT model(nu, s);
      for (const double eta : unit::signed_grid(1e-2, 100.0, 30)) {
        const unit::Real h = 1e-6L * s;
        const auto above = unit::likely(model, {eta + h}, 1.0).slopes[0];
        const auto below = unit::likely(model, {eta - h}, 1.0).slopes[0];
        const auto second = static_cast<double>((above - below) / (2 * h));
        const double peak = (nu + 1.0) / nu / (s * s);
        EXPECT_NEAR(model.information(eta, 1.0), -second, 1e-8 * unit::abs(second) + 1e-10 * peak);
      }
    }
  }
}

TEST(StudentTBound, LiesBelowTheLikelihoodOnADenseGrid) {
  for (const double nu : kNus) {
    for (const double s : kScales) {
      const StudentT model(nu, s);
      for (const double anchor : unit::signed_grid(1e-8, 700.0, 12)) {
        for (const double u : unit::signed_grid(1e-10, 1400.0, 40)) {
          const unit::GapPoint at{{anchor}, {u}, 0.25};
          unit::expect_gap(model, at, kTolerance);
          ASSERT_FALSE(::testing::Test::HasFatalFailure())
              << unit::describe(at) << ", nu " << nu << ", s " << s;
        }
      }
    }
  }
}

TEST(StudentTBound, LiesBelowTheLikelihoodAtRandomPoints) {
  Stream stream(2, 0, Purpose::kTest, 0);
  for (int i = 0; i < 20000; ++i) {
    const StudentT model(0.5 * unit::pow(200.0, stream.uniform()),
                         0.1 * unit::pow(100.0, stream.uniform()));
    const double spread = unit::pow(10.0, 4.0 * stream.uniform() - 1.0);
    const unit::GapPoint at{{std::remainder(spread * stream.normal(), 1400.0)},
                            {std::remainder(spread * stream.normal(), 1400.0)},
                            10.0 * stream.normal()};
    unit::expect_gap(model, at, kTolerance);
    ASSERT_FALSE(::testing::Test::HasFatalFailure())
        << unit::describe(at) << ", nu " << model.nu() << ", s " << model.scale();
  }
}

double gap_at(const StudentT& model, double anchor, double u, double response) {
  double slope = 0.0;
  const double curvature = model.curvature(anchor, response);
  return evaluate_gap(model, {&anchor, &curvature, response}, &u, &slope);
}

TEST(StudentTBound, TouchesAtTheAnchorAndAtItsMirrorImage) {
  const double response = 0.25;
  for (const double nu : kNus) {
    const StudentT model(nu, 2.0);
    for (const double xi : unit::signed_grid(1e-4, 300.0, 40)) {
      const double anchor = model.untuned_anchor(response, xi);
      EXPECT_EQ(gap_at(model, anchor, 0.0, response), 0.0);
      const double u = 2.0 * (response - anchor);  // the residual changes its sign
      const double k = model.curvature(anchor, response);
      EXPECT_NEAR(gap_at(model, anchor, u, response), 1e-9 * (0.25 + k) * 0.5 * u * u,
                  1e-13 * k * u * u);
    }
  }
}

TEST(StudentTBound, TheUntunedAnchorIsTheResponseItself) {
  const StudentT model(4.0, 2.0);
  EXPECT_EQ(model.untuned_anchor(3.5, StudentT::kUntunedXi), 3.5);
  EXPECT_NEAR(model.curvature(3.5, 3.5), 5.0 / 4.0 / 4.0, 1e-8);
}

TEST(StudentTBound, StaysFiniteForAGrossOutlier) {
  const StudentT model(4.0, 1.0);
  for (const double response : {1e6, 1e12, 1e100}) {
    double slope = 0.0;
    const double anchor = 0.0;
    const double u = 3.0;
    const double curvature = model.curvature(anchor, response);
    const Tangent tangent{&anchor, &curvature, response};
    const double gap = evaluate_gap(model, tangent, &u, &slope);
    EXPECT_GE(gap, 0.0);
    EXPECT_TRUE(unit::isfinite(gap) && unit::isfinite(slope)) << response;
  }
}

}  // namespace
}  // namespace flymc::student_t_test
