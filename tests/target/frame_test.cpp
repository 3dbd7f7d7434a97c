#include "flymc/target/frame.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "flymc/core/error.hpp"
#include "flymc/target/baseline.hpp"
#include "support/unit_problem.hpp"

namespace flymc {
namespace {

constexpr Index kSize = 6;

struct Frames : testing::Test {
  Stream stream{1, 0, Purpose::kTest, 0};
  Anchor anchor = unit::random_anchor(stream, kSize);
  Matrix gaussian = unit::random_anchor(stream, kSize).precision;
  std::vector<Frame> all{Frame::plain(anchor), Frame::whitened(anchor),
                         Frame::oscillator(anchor, gaussian)};

  // F, column by column.
  static Matrix map_of(const Frame& frame) {
    Matrix map(kSize, kSize);
    Vector column(kSize);
    for (Index j = 0; j < kSize; ++j) {
      frame.to_delta(Vector::Unit(kSize, j), column);
      map.col(j) = column;
    }
    return map;
  }
};

TEST_F(Frames, WhitenThePosteriorPrecision) {
  EXPECT_TRUE(map_of(all[0]).isIdentity(0.0));
  for (const std::size_t i : {1U, 2U}) {
    const Matrix map = map_of(all[i]);
    EXPECT_LT((map.transpose() * anchor.precision * map - Matrix::Identity(kSize, kSize)).norm(),
              1e-12);
  }
}

TEST_F(Frames, TheOscillatorDiagonalisesTheGaussianPart) {
  const Matrix map = map_of(all[2]);
  const Matrix q = all[2].squared_frequencies().asDiagonal();
  EXPECT_LT((map.transpose() * gaussian * map - q).norm(), 1e-12 * gaussian.norm());
  EXPECT_TRUE(all[2].is_oscillator() && !all[1].is_oscillator() && all[0].is_plain());
}

TEST_F(Frames, GoThereAndBack) {
  for (const Frame& frame : all) {
    const Vector eta = unit::normal_vector(stream, kSize);
    Vector theta(kSize);
    frame.to_theta(eta, theta);
    EXPECT_LT((frame.from_theta(theta) - eta).norm(), 1e-12);
    EXPECT_LT((theta - anchor.theta - map_of(frame) * eta).norm(), 1e-13);
    EXPECT_LT(frame.from_theta(anchor.theta).norm(), 1e-15);
  }
}

TEST_F(Frames, PullGradientsBackByTheTranspose) {
  for (const Frame& frame : all) {
    const Vector gradient = unit::normal_vector(stream, kSize);
    Vector pulled(kSize);
    frame.pull_back(gradient, pulled);
    EXPECT_LT((pulled - map_of(frame).transpose() * gradient).norm(), 1e-13);
  }
}

TEST_F(Frames, TheLaplaceDensityIsThatOfThetaAndItsDrawsAreWhite) {
  for (const Frame& frame : all) {
    const Vector z = unit::normal_vector(stream, kSize);
    Vector eta(kSize);
    Vector scratch(kSize);
    Vector delta(kSize);
    frame.laplace_draw(z, eta);
    frame.to_delta(eta, delta);
    EXPECT_NEAR(delta.dot(anchor.precision * delta), z.squaredNorm(), 1e-12 * z.squaredNorm());
    EXPECT_NEAR(frame.laplace_log_density(eta, scratch), -0.5 * z.squaredNorm(), 1e-12);
  }
}

TEST_F(Frames, APlainFrameKnowsTheWidestDirection) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(anchor.precision);
  EXPECT_NEAR(all[0].length_scale(), 1.0 / std::sqrt(eigen.eigenvalues()[0]),
              0.05 * all[0].length_scale());
  EXPECT_EQ(all[1].length_scale(), 1.0);
}

TEST_F(Frames, AreUnharmedByBadlyScaledPrecisions) {
  Vector scale(kSize);
  scale << 1e-6, 1e6, 1.0, 1e3, 1e-3, 1.0;
  Anchor bad = anchor;
  bad.precision = scale.asDiagonal() * anchor.precision * scale.asDiagonal();
  const Matrix map = map_of(Frame::whitened(bad));
  EXPECT_LT((map.transpose() * bad.precision * map - Matrix::Identity(kSize, kSize)).norm(), 1e-10);
}

TEST_F(Frames, RefuseAPrecisionThatIsNotPositiveDefinite) {
  Anchor bad = anchor;
  bad.precision(0, 0) = -1.0;
  EXPECT_THROW(Frame::whitened(bad), Error);
}

TEST(Baseline, IsTheSameFunctionAtEtaAndAtDelta) {
  unit::Problem<unit::LogisticCase> problem({}, BoundKind::kUntuned);
  const Collapsed& collapsed = problem.bounds.collapsed;
  const Frame frame =
      Frame::oscillator(problem.anchor, gaussian_precision(problem.prior, collapsed));
  Baseline baseline(problem.prior, collapsed, frame);
  for (int i = 0; i < 5; ++i) {
    const Vector eta = unit::normal_vector(problem.stream, problem.size(), 2.0);
    Vector delta(problem.size());
    Vector in_theta(problem.size());
    Vector in_eta(problem.size());
    Vector pulled(problem.size());
    frame.to_delta(eta, delta);
    const double value = baseline.at_delta(delta, &in_theta);
    EXPECT_NEAR(baseline.at_eta(eta, &in_eta), value, 1e-11 * (1.0 + std::abs(value)));
    frame.pull_back(in_theta, pulled);
    EXPECT_LT((pulled - in_eta).norm(), 1e-11 * (1.0 + in_eta.norm()));
  }
}

TEST(Baseline, RefusesALaplacePriorInAnOscillatorFrame) {
  unit::Problem<unit::LogisticCase> problem({}, BoundKind::kMapTuned);
  const Collapsed& collapsed = problem.bounds.collapsed;
  const Frame frame =
      Frame::oscillator(problem.anchor, gaussian_precision(problem.prior, collapsed));
  problem.prior = unit::laplace_prior(problem.size());
  EXPECT_THROW(Baseline(problem.prior, collapsed, frame), Error);
}

}  // namespace
}  // namespace flymc
