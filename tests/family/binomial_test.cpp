#include "flymc/family/binomial.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "flymc/detail/family/tangent.hpp"
#include "flymc/random.hpp"
#include "support/scalar_bound.hpp"

namespace flymc::binomial_test {
namespace {

const Binomial kModel;
constexpr double kInf = std::numeric_limits<double>::infinity();

struct Exact {
  unit::Real y;
  [[nodiscard]] unit::Real value(unit::Real eta) const {
    const unit::Real spread = unit::log1p(unit::exp(-unit::abs(eta)));
    return eta > 0.0L ? (y - 1.0L) * eta - spread : y * eta - spread;
  }
  [[nodiscard]] unit::Real slope(unit::Real eta) const {
    return y / (1.0L + unit::exp(eta)) - (1.0L - y) / (1.0L + unit::exp(-eta));
  }
  [[nodiscard]] unit::Real information(unit::Real eta) const {
    return 1.0L / ((1.0L + unit::exp(eta)) * (1.0L + unit::exp(-eta)));
  }
};

// The last bit of a number near 1, see Logistic::remainder: a share of the value, or of the margin
// of 1e-9 by which every curvature is raised.
constexpr unit::RemainderTolerance kTolerance{.share = 2e-13L, .floor = 1e-13L};

const std::vector<double> kAnchors{-40.0, -8.0, -2.0, -0.3, -1e-5, 0.0, 0.7, 1.5, 4.0, 20.0};
const std::vector<double> kRadii{1e-3, 0.02, 0.0999, 0.1001, 0.5, 2.0, 8.0, 31.0};
const std::vector<double> kFractions{0.0, 0.1, 0.5, 2.0 / 3.0, 1.0};

TEST(Binomial, LikelihoodAndDerivativesMatchTheDefinition) {
  for (const double response : kFractions) {
    for (const double eta : unit::both_signs(1e-6, 30.0, 60)) {
      SCOPED_TRACE(testing::Message() << "y " << response << ", eta " << eta);
      unit::expect_likelihood(kModel, Exact{response}, eta, response);
    }
  }
}

// The weight m times phi is the log of a binomial mass, up to its coefficient.
TEST(Binomial, WeightedMassesAddToOne) {
  for (const int trials : {1, 2, 10, 50}) {
    for (const double eta : {-6.0, -0.4, 0.0, 2.5}) {
      double sum = 0.0;
      for (int s = 0; s <= trials; ++s) {
        const double log_choose =
            unit::lgamma(trials + 1.0) - unit::lgamma(s + 1.0) - unit::lgamma(trials - s + 1.0);
        const double fraction = static_cast<double>(s) / trials;
        sum += unit::exp(log_choose + trials * kModel.log_likelihood(eta, fraction));
      }
      EXPECT_NEAR(sum, 1.0, 1e-13);
    }
  }
}

TEST(Binomial, OfOneTrialIsLogistic) {
  const Logistic logistic;
  for (const double eta : unit::both_signs(1e-6, 700.0, 60)) {
    for (const double label : {-1.0, 1.0}) {
      const double fraction = 0.5 * (label + 1.0);
      EXPECT_DOUBLE_EQ(kModel.log_likelihood(eta, fraction), logistic.log_likelihood(eta, label));
      EXPECT_EQ(kModel.untuned_anchor(fraction, 1.5), logistic.untuned_anchor(label, 1.5));
    }
  }
}

TEST(Binomial, RemainderKeepsItsDigits) {
  for (const double anchor : kAnchors) {
    for (const double u : unit::both_signs(1e-12, 50.0, 120)) {
      SCOPED_TRACE(testing::Message() << "a " << anchor << ", u " << u);
      const unit::Real tiny = unit::abs(u) > 0.1 ? 4e-16L / (u * u) : 0.0L;
      unit::expect_remainder(kModel, Exact{0.3}, anchor, u, 0.3,
                             {kTolerance.share, kTolerance.floor + tiny});
    }
  }
}

TEST(BinomialBound, LiesBelowTheLikelihoodInsideItsRadius) {
  for (const double response : kFractions) {
    for (const double anchor : kAnchors) {
      for (const double radius : kRadii) {
        const double k = kModel.local_curvature(anchor, response, radius);
        SCOPED_TRACE(testing::Message() << "a " << anchor << ", radius " << radius << ", k " << k);
        unit::expect_below(kModel, Exact{response}, anchor, response, k, radius);
        ASSERT_FALSE(::testing::Test::HasFailure());
      }
    }
  }
}

TEST(BinomialBound, TheGlobalOneHoldsEverywhere) {
  for (const double anchor : kAnchors) {
    const double k = kModel.curvature(anchor, 0.4);
    unit::expect_below(kModel, Exact{0.4}, anchor, 0.4, k, 1e3);
    EXPECT_NEAR(kModel.local_curvature(anchor, 0.4, kInf), k, 1e-6);
  }
}

TEST(BinomialBound, LiesBelowTheLikelihoodAtRandomPoints) {
  Stream stream(5, 0, Purpose::kTest, 0);
  for (int i = 0; i < 50000; ++i) {
    const double anchor = 8.0 * stream.normal();
    const double response = stream.uniform();
    unit::expect_below_at_random(kModel, anchor, response, stream);
    ASSERT_FALSE(::testing::Test::HasFatalFailure());
  }
}

TEST(BinomialBound, BendsMoreForAWiderRadius) {
  for (const double anchor : kAnchors) {
    unit::expect_monotone(kModel, anchor, 0.5, kRadii);
  }
}

TEST(BinomialBound, ACurvatureOnePerCentTooSmallIsSeen) {
  for (const double anchor : {-3.0, -1.0, 1.5, 4.0}) {
    for (const double radius : {0.02, 0.1, 1.0, 6.0}) {
      const double k = 0.99 * kModel.local_curvature(anchor, 0.2, radius);
      EXPECT_LT(unit::least_gap(kModel, anchor, 0.2, k, radius), 0.0) << anchor << " " << radius;
    }
    const double global = 0.99 * kModel.curvature(anchor, 0.2);
    EXPECT_LT(unit::gap_at(kModel, anchor, -2.0 * anchor, 0.2, global), 0.0);
  }
}

}  // namespace
}  // namespace flymc::binomial_test
