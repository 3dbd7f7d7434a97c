#include "flymc/family/probit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "flymc/detail/family/tangent.hpp"
#include "flymc/random.hpp"
#include "support/normal_reference.hpp"
#include "support/scalar_bound.hpp"

namespace flymc::probit_test {
namespace {

const Probit kModel;
constexpr double kInf = std::numeric_limits<double>::infinity();

struct Exact {
  unit::Real t;
  [[nodiscard]] unit::Real value(unit::Real eta) const {
    return unit::normal_reference(t * eta).value;
  }
  [[nodiscard]] unit::Real slope(unit::Real eta) const {
    return t * unit::normal_reference(t * eta).slope;
  }
  [[nodiscard]] unit::Real information(unit::Real eta) const {
    const unit::NormalReference at = unit::normal_reference(t * eta);
    return at.slope * at.excess;
  }
};

// Either side of the tail's beginning at -2 and of the continued fraction's at -4.
const std::vector<double> kAnchors{-300.0, -40.0, -9.0, -4.01, -3.99, -2.01, -1.99, -0.8,
                                   0.0,    0.3,   1.0,  2.0,   3.0,   4.5,   6.0};
const std::vector<double> kRadii{1e-10, 1e-6, 1e-3, 0.02, 0.24, 0.26, 1.0, 4.0, 20.0};

TEST(Probit, LikelihoodAndDerivativesMatchTheDefinition) {
  for (const double response : {-1.0, 1.0}) {
    for (const double eta : unit::both_signs(1e-6, 15.0, 60)) {
      SCOPED_TRACE(testing::Message() << "t " << response << ", eta " << eta);
      unit::expect_likelihood(kModel, Exact{response}, eta, response);
    }
  }
}

TEST(Probit, LikelihoodHoldsFarOutInBothTails) {
  for (const double eta : {-1e4, -300.0, -40.0, -38.0, 20.0, 37.0}) {
    double slope = 0.0;
    const double value = kModel.log_likelihood(eta, 1.0, slope);
    const unit::NormalReference reference = unit::normal_reference(eta);
    unit::expect_digits(value, reference.value, 2e-15L, 0.0L);
    unit::expect_digits(slope, reference.slope, 2e-15L, 0.0L);
  }
  double slope = 1.0;
  EXPECT_EQ(kModel.log_likelihood(1e6, 1.0, slope), 0.0);
  EXPECT_EQ(slope, 0.0);
  EXPECT_TRUE(unit::isfinite(kModel.log_likelihood(-1e6, 1.0, slope)));
  EXPECT_NEAR(kModel.information(-1e6, 1.0), 1.0, 2e-12);
  EXPECT_EQ(kModel.information(1e6, 1.0), 0.0);
}

TEST(Probit, ProbabilitiesOfBothResponsesAddToOne) {
  for (const double eta : unit::both_signs(1e-3, 40.0, 50)) {
    const double sum =
        unit::exp(kModel.log_likelihood(eta, 1.0)) + unit::exp(kModel.log_likelihood(eta, -1.0));
    EXPECT_NEAR(sum, 1.0, 1e-15);
  }
}

TEST(Probit, RemainderKeepsItsDigits) {
  double response = 1.0;
  for (const double anchor : kAnchors) {
    for (const double u : unit::both_signs(1e-12, 50.0, 100)) {
      SCOPED_TRACE(testing::Message() << "a " << anchor << ", u " << u);
      response = -response;
      unit::expect_remainder(kModel, Exact{response}, response * anchor, u, response,
                             {4e-14L, 0.0L});
    }
  }
}

// Further right only the rounding of a + u is left, of a curvature below 1e-8.
TEST(Probit, RemainderFarRightIsSmallAndSmooth) {
  for (const double anchor : {8.0, 12.0, 20.0, 36.0, 45.0}) {
    for (const double u : unit::both_signs(1e-12, 50.0, 40)) {
      SCOPED_TRACE(testing::Message() << "a " << anchor << ", u " << u);
      unit::expect_remainder(kModel, Exact{1.0}, anchor, u, 1.0,
                             {2e-15L * anchor * anchor, 1e-300L});
    }
  }
}

// The other response is the mirror image: of it the random points below are enough.
TEST(ProbitBound, LiesBelowTheLikelihoodInsideItsRadius) {
  for (const double anchor : kAnchors) {
    for (const double radius : kRadii) {
      const double k = kModel.local_curvature(anchor, 1.0, radius);
      SCOPED_TRACE(testing::Message() << "a " << anchor << ", radius " << radius << ", k " << k);
      unit::expect_below(kModel, Exact{1.0}, anchor, 1.0, k, radius);
      ASSERT_FALSE(::testing::Test::HasFailure());
    }
  }
}

TEST(ProbitBound, LiesBelowTheLikelihoodAtRandomPoints) {
  Stream stream(4, 0, Purpose::kTest, 0);
  for (int i = 0; i < 50000; ++i) {
    const double anchor = 8.0 * stream.normal();
    const double response = stream.uniform() < 0.5 ? -1.0 : 1.0;
    unit::expect_below_at_random(kModel, anchor, response, stream);
    ASSERT_FALSE(::testing::Test::HasFatalFailure());
  }
}

TEST(ProbitBound, TheGlobalOneHoldsEverywhere) {
  for (const double anchor : kAnchors) {
    EXPECT_EQ(kModel.local_curvature(anchor, 1.0, kInf), kModel.curvature(anchor, 1.0));
    unit::expect_below(kModel, Exact{1.0}, anchor, 1.0, kModel.curvature(anchor, 1.0), 1e3);
  }
}

TEST(ProbitBound, BendsMoreForAWiderRadiusUpToTheGlobalOne) {
  for (const double anchor : kAnchors) {
    for (const double response : {-1.0, 1.0}) {
      unit::expect_monotone(kModel, anchor, response, kRadii);
      EXPECT_LE(kModel.local_curvature(anchor, response, 1e7),
                kModel.curvature(anchor, response) * (1.0 + 1e-12));
    }
  }
}

TEST(ProbitBound, ACurvatureOnePerCentTooSmallIsSeen) {
  for (const double anchor : {-40.0, -3.0, 0.0, 1.5, 4.0}) {
    for (const double radius : {1e-8, 1e-3, 0.1, 1.0, 6.0}) {
      const double k = 0.99 * kModel.local_curvature(anchor, 1.0, radius);
      EXPECT_LT(unit::least_gap(kModel, anchor, 1.0, k, radius), 0.0) << anchor << " " << radius;
    }
    EXPECT_LT(unit::gap_at(kModel, anchor, -1e4, 1.0, 0.99 * kModel.curvature(anchor, 1.0)), 0.0);
  }
}

TEST(ProbitBound, TheUntunedAnchorIsOnTheSideOfTheResponse) {
  EXPECT_EQ(kModel.untuned_anchor(-1.0, 1.5), -1.5);
  EXPECT_EQ(kModel.untuned_anchor(1.0, Probit::kUntunedXi), 1.5);
}

}  // namespace
}  // namespace flymc::probit_test
