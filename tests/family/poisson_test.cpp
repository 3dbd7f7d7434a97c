#include "flymc/family/poisson.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "flymc/detail/family/tangent.hpp"
#include "flymc/random.hpp"
#include "support/scalar_bound.hpp"

namespace flymc::poisson_test {
namespace {

const Poisson kModel;
constexpr double kInf = std::numeric_limits<double>::infinity();

struct Exact {
  unit::Real t;
  [[nodiscard]] unit::Real value(unit::Real eta) const { return t * eta - unit::exp(eta); }
  [[nodiscard]] unit::Real slope(unit::Real eta) const { return t - unit::exp(eta); }
  [[nodiscard]] unit::Real information(unit::Real eta) const { return unit::exp(eta); }
};

const std::vector<double> kAnchors{-40.0, -12.0, -3.0, -0.7, 0.0, 0.4, 2.0, 5.0, 11.0, 40.0};
const std::vector<double> kRadii{1e-10, 1e-6, 1e-3, 0.02, 0.0999, 0.1001, 0.5, 2.0, 8.0, 31.0};
const std::vector<double> kCounts{0.0, 1.0, 17.0, 1e6};

TEST(Poisson, LikelihoodAndDerivativesMatchTheDefinition) {
  for (const double response : kCounts) {
    for (const double eta : unit::both_signs(1e-6, 20.0, 60)) {
      SCOPED_TRACE(testing::Message() << "t " << response << ", eta " << eta);
      unit::expect_likelihood(kModel, Exact{response}, eta, response);
    }
  }
}

TEST(Poisson, MassesAddToOneOnceTheLeftOutConstantIsPutBack) {
  for (const double eta : {-5.0, 0.0, 1.3, 4.0}) {
    double sum = 0.0;
    for (int t = 0; t < 400; ++t) {
      sum += unit::exp(kModel.log_likelihood(eta, t) - unit::lgamma(t + 1.0));
    }
    EXPECT_NEAR(sum, 1.0, 1e-12);
  }
}

TEST(Poisson, AnOverflowingMeanHasDensityZeroAndIsNeverNaN) {
  for (const double response : kCounts) {
    for (const double eta : {710.0, 1e4, 1e300, kInf}) {
      double slope = 0.0;
      EXPECT_EQ(kModel.log_likelihood(eta, response, slope), -kInf);
      EXPECT_FALSE(unit::isnan(slope));
    }
    double slope = 0.0;
    EXPECT_TRUE(unit::isfinite(kModel.log_likelihood(709.0, response, slope)));
    EXPECT_TRUE(unit::isfinite(slope));
    const double lowest = kModel.log_likelihood(-kInf, response, slope);
    EXPECT_EQ(lowest, response > 0.0 ? -kInf : 0.0);
    EXPECT_EQ(slope, response);
  }
}

TEST(Poisson, RemainderKeepsItsDigits) {
  for (const double anchor : kAnchors) {
    std::vector<double> moves = unit::both_signs(1e-12, 50.0, 120);
    moves.insert(moves.end(), {0.1, std::nextafter(0.1, 1.0), 30.0, std::nextafter(30.0, 31.0)});
    for (const double u : moves) {
      SCOPED_TRACE(testing::Message() << "a " << anchor << ", u " << u);
      unit::expect_remainder(kModel, Exact{0.0}, anchor, u, 3.0, {1e-14L, 0.0L});
    }
  }
}

TEST(Poisson, RemainderAtExtremesIsMinusInfinityOrRight) {
  double slope = 0.0;
  // e^805 alone overflows; e^(-800 + 805) does not.
  EXPECT_NEAR(kModel.remainder(-800.0, 805.0, 1.0, slope), -unit::exp(5.0), 1e-11);
  EXPECT_NEAR(slope, -unit::exp(5.0), 1e-11);
  EXPECT_EQ(kModel.remainder(700.0, 1e9, 1.0, slope), -kInf);
  EXPECT_EQ(kModel.remainder(-1e9, 100.0, 1.0, slope), 0.0);
  EXPECT_NEAR(kModel.remainder(0.0, -1e6, 1.0, slope), -(1e6 - 1.0), 1e-9);
}

TEST(PoissonBound, LiesBelowTheLikelihoodInsideItsRadius) {
  for (const double anchor : kAnchors) {
    for (const double radius : kRadii) {
      const double k = kModel.local_curvature(anchor, 2.0, radius);
      SCOPED_TRACE(testing::Message() << "a " << anchor << ", radius " << radius << ", k " << k);
      unit::expect_below(kModel, Exact{2.0}, anchor, 2.0, k, radius);
      ASSERT_FALSE(::testing::Test::HasFailure());
    }
  }
}

TEST(PoissonBound, LiesBelowTheLikelihoodAtRandomPoints) {
  Stream stream(3, 0, Purpose::kTest, 0);
  for (int i = 0; i < 20000; ++i) {
    const double anchor = 6.0 * stream.normal();
    const double radius = unit::pow(10.0, 6.0 * stream.uniform() - 4.5);
    const double u = radius * (2.0 * stream.uniform() - 1.0);
    const double k = kModel.local_curvature(anchor, 0.0, radius);
    ASSERT_GE(unit::gap_at(kModel, anchor, u, 0.0, k), 0.0) << anchor << " " << u;
  }
}

TEST(PoissonBound, BendsMoreForAWiderRadiusAndTouchesThere) {
  for (const double anchor : kAnchors) {
    unit::expect_monotone(kModel, anchor, 1.0, kRadii);
    for (const double radius : {0.1, 1.0, 6.0}) {
      const double k = kModel.local_curvature(anchor, 1.0, radius);
      const double margin = 1e-9 * (1.0 + k) * 0.5 * radius * radius;
      EXPECT_NEAR(unit::gap_at(kModel, anchor, radius, 1.0, k), margin,
                  1e-5 * margin + 4e-15 * k * radius * radius);
    }
  }
}

TEST(PoissonBound, ACurvatureOnePerCentTooSmallIsSeen) {
  for (const double anchor : {-3.0, 0.0, 5.0}) {
    for (const double radius : {1e-8, 1e-3, 0.1, 1.0, 6.0}) {
      const double k = 0.99 * kModel.local_curvature(anchor, 1.0, radius);
      EXPECT_LT(unit::least_gap(kModel, anchor, 1.0, k, radius), 0.0) << anchor << " " << radius;
    }
  }
}

TEST(PoissonBound, IsInfiniteRatherThanWrongWhereItOverflows) {
  EXPECT_EQ(kModel.local_curvature(0.0, 1.0, 800.0), kInf);
  EXPECT_EQ(kModel.local_curvature(0.0, 1.0, 1e300), kInf);
  EXPECT_TRUE(unit::isfinite(kModel.local_curvature(-800.0, 1.0, 805.0)));
  EXPECT_GT(kModel.local_curvature(1.0, 1.0, 0.0), unit::exp(1.0));
}

}  // namespace
}  // namespace flymc::poisson_test
