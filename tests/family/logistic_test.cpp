#include "flymc/family/logistic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "flymc/detail/family/tangent.hpp"
#include "flymc/detail/posterior/cubature.hpp"
#include "flymc/random.hpp"
#include "support/unit_gap.hpp"

namespace flymc::logistic_test {
namespace {

// The last bit of a number near 1, over the smallest parabola of the direct branch: see
// Logistic::remainder.
constexpr unit::GapTolerance kTolerance{.share = 2e-13L, .rounding = 4e-16L};

const Logistic kModel;

TEST(Logistic, LikelihoodMatchesItsDefinition) {
  for (const double eta : unit::signed_grid(1e-9, 700.0, 200)) {
    for (const double response : {-1.0, 1.0}) {
      double slope = 0.0;
      const double value = kModel.log_likelihood(eta, response, slope);
      const auto reference = unit::likely(kModel, {eta}, response);
      EXPECT_EQ(value, kModel.log_likelihood(eta, response));
      EXPECT_LE(unit::abs(value - reference.value), 1e-15L * unit::abs(reference.value));
      EXPECT_LE(unit::abs(slope - reference.slopes[0]), 1e-15L * unit::abs(reference.slopes[0]));
    }
  }
}

TEST(Logistic, ProbabilitiesOfBothResponsesAddToOne) {
  for (const double eta : unit::signed_grid(1e-3, 40.0, 50)) {
    const double sum =
        unit::exp(kModel.log_likelihood(eta, 1.0)) + unit::exp(kModel.log_likelihood(eta, -1.0));
    EXPECT_NEAR(sum, 1.0, 1e-15);
  }
}

TEST(Logistic, InformationIsMinusTheSecondDerivative) {
  for (const double eta : unit::signed_grid(1e-3, 30.0, 60)) {
    const unit::Real h = 1e-5L;
    const auto above = unit::likely(kModel, {eta + h}, 1.0).slopes[0];
    const auto below = unit::likely(kModel, {eta - h}, 1.0).slopes[0];
    const auto second = static_cast<double>((above - below) / (2 * h));
    EXPECT_NEAR(kModel.information(eta, 1.0), -second, 1e-9 * -second + 1e-14);
    EXPECT_EQ(kModel.information(eta, 1.0), kModel.information(eta, -1.0));
  }
}

TEST(LogisticBound, LiesBelowTheLikelihoodOnADenseGrid) {
  for (const double anchor : unit::signed_grid(1e-8, 700.0, 40)) {
    for (const double u : unit::signed_grid(1e-12, 1400.0, 90)) {
      const unit::GapPoint at{{anchor}, {u}, 1.0};
      unit::expect_gap(kModel, at, kTolerance);
      ASSERT_FALSE(::testing::Test::HasFatalFailure()) << unit::describe(at);
    }
  }
}

TEST(LogisticBound, LiesBelowTheLikelihoodAtRandomPoints) {
  Stream stream(1, 0, Purpose::kTest, 0);
  for (int i = 0; i < 20000; ++i) {
    const double spread = unit::pow(10.0, 4.0 * stream.uniform() - 1.0);
    const unit::GapPoint at{{std::remainder(spread * stream.normal(), 1400.0)},
                            {std::remainder(spread * stream.normal(), 1400.0)},
                            stream.uniform() < 0.5 ? -1.0 : 1.0};
    unit::expect_gap(kModel, at, kTolerance);
    ASSERT_FALSE(::testing::Test::HasFatalFailure()) << unit::describe(at);
  }
}

// Just around the switch from log1p to the direct form at |u| = 30.
TEST(LogisticBound, IsContinuousAcrossItsBranches) {
  for (const double anchor : unit::signed_grid(1e-5, 700.0, 60)) {
    for (const double u : {30.0, std::nextafter(30.0, 31.0), -30.0, std::nextafter(-30.0, -31.0)}) {
      const unit::GapPoint at{{anchor}, {u}, 1.0};
      unit::expect_gap(kModel, at, kTolerance);
      ASSERT_FALSE(::testing::Test::HasFatalFailure()) << unit::describe(at);
    }
  }
}

double gap_at(double anchor, double u, double response) {
  double slope = 0.0;
  const double curvature = kModel.curvature(anchor, response);
  return evaluate_gap(kModel, {&anchor, &curvature, response}, &u, &slope);
}

TEST(LogisticBound, TouchesAtTheAnchorAndAtItsMirrorImage) {
  for (const double xi : unit::signed_grid(1e-6, 700.0, 60)) {
    EXPECT_EQ(gap_at(xi, 0.0, 1.0), 0.0);
    // What the raised curvature leaves there: 1e-9 (1 + k) u^2 / 2 and the rounding of tanh.
    const double u = -2.0 * xi;
    const double parabola = 0.5 * kModel.curvature(xi, 1.0) * u * u;
    EXPECT_NEAR(gap_at(xi, u, 1.0), 1e-9 * (1.0 + kModel.curvature(xi, 1.0)) * 0.5 * u * u,
                1e-14 * parabola + 1e-15 * unit::abs(xi));
  }
}

TEST(LogisticBound, KeepsItsDigitsCloseToTheAnchor) {
  for (const double u : {1e-2, 1e-4, 1e-6, 1e-8, 1e-12, 1e-100}) {
    const unit::Real p = 1.0L / (1.0L + unit::exp(-1.5L));
    const unit::Real k = kModel.curvature(1.5, 1.0);
    // gap = (k - p q) u^2/2 - p q (q - p) u^3/6 - O(u^4).
    const unit::Real q = 1.0L - p;
    const unit::Real series = (k - p * q) * u * u / 2 - p * q * (q - p) * u * u * u / 6;
    EXPECT_NEAR(static_cast<double>(gap_at(1.5, u, 1.0) / series), 1.0, 0.03 * u * u + 1e-14);
  }
}

TEST(LogisticBound, TheUntunedAnchorNeedsNoSign) {
  for (const double eta : {-40.0, -3.0, 0.0, 0.7, 5.0, 100.0}) {
    const double far =
        unit::abs(eta) + 1.5;  // the raised curvatures differ by 1e-9 (1 + k) u^2 / 2
    EXPECT_NEAR(gap_at(1.5, eta - 1.5, 1.0), gap_at(-1.5, eta + 1.5, 1.0), 1e-9 * far * far);
  }
  EXPECT_EQ(kModel.untuned_anchor(-1.0, 1.5), -1.5);
}

TEST(LogisticBound, ACurvatureAFewPerCentTooSmallIsSeen) {
  const double anchor = 2.0;
  const double u = -4.0;
  double slope = 0.0;
  const double curvature = 0.97 * kModel.curvature(anchor, 1.0);
  EXPECT_LT(evaluate_gap(kModel, {&anchor, &curvature, 1.0}, &u, &slope), 0.0);
}

TEST(LogisticBlock, SumsWhatItsRowsSay) {
  Stream stream(5, 0, Purpose::kTest, 0);
  std::vector<double> eta, response;
  double expected = 0.0;
  for (std::size_t rows = 0; rows < 2000; ++rows) {
    if (rows < 20 || rows % 97 == 0) {  // ends of blocks, and products that are full
      EXPECT_NEAR(kModel.sum(rows, eta.data(), response.data()), expected,
                  1e-14 * unit::abs(expected));
    }
    eta.push_back(rows % 13 == 0 ? 0.0 : 40.0 * stream.normal() * stream.uniform());
    response.push_back(stream.uniform() < 0.5 ? -1.0 : 1.0);
    expected += kModel.log_likelihood(eta.back(), response.back());
  }
}

// Chunks whose rows all move little, chunks where some move far, and a last one that is not full.
TEST(LogisticBlock, SaysWhatItsRowsSay) {
  constexpr std::size_t kRows = 64 * 40 + 11;
  constexpr double kRadius = 9.5;
  Stream stream(3, 0, Purpose::kTest, 0);
  std::vector<double> eta(kRows), response(kRows), leverage(kRows);
  for (std::size_t i = 0; i < kRows; ++i) {
    const double size = unit::pow(10.0, 6.0 * stream.uniform() - 3.0);
    eta[i] = i % 97 == 0 ? 0.0 : size * stream.normal();
    response[i] = stream.uniform() < 0.5 ? -1.0 : 1.0;
    const bool far = (i / 64) % 3 == 0;
    leverage[i] = (far ? 2.0 : 0.1 / kRadius) * stream.uniform();
    leverage[i] = i % 89 == 0 ? 1e-13 : leverage[i];
  }
  std::vector<double> value(kRows), slope(kRows), alone_value(kRows), alone_slope(kRows);
  std::vector<double> curvature(kRows), gap(kRows), smooth(kRows);
  const LikelihoodBlock block{kRows, eta.data(), response.data(), value.data(), slope.data()};
  kModel.evaluate(block, {leverage.data(), kRadius, curvature.data(), gap.data(), smooth.data()});
  kModel.evaluate({kRows, eta.data(), response.data(), alone_value.data(), alone_slope.data()});
  EXPECT_EQ(alone_value, value);
  EXPECT_EQ(alone_slope, slope);
  Cubature<Logistic> cubature(kModel);
  for (std::size_t i = 0; i < kRows; ++i) {
    double one_slope = 0.0;
    const double one = kModel.log_likelihood(eta[i], response[i], one_slope);
    ASSERT_NEAR(value[i], one, 1e-15 * unit::abs(one) + 1e-300) << eta[i];
    ASSERT_NEAR(slope[i], one_slope, 1e-15 * unit::abs(one_slope) + 1e-300) << eta[i];
    const double k = kModel.local_curvature(eta[i], response[i], kRadius * leverage[i]);
    ASSERT_NEAR(curvature[i], k, 1e-12) << eta[i] << " " << leverage[i];
    double one_smooth = one_slope;
    const double one_gap =
        cubature.expected_gap({&eta[i], &k, response[i]}, &leverage[i], &one_smooth);
    const double square = leverage[i] * leverage[i];
    ASSERT_NEAR(gap[i], one_gap, 1e-12 * square) << eta[i] << " " << leverage[i];
    ASSERT_NEAR(smooth[i], one_smooth, 1e-14) << eta[i] << " " << leverage[i];
  }
}

}  // namespace
}  // namespace flymc::logistic_test
