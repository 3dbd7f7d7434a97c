#include "flymc/posterior/frame.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "flymc/error.hpp"
#include "support/unit_problem.hpp"

namespace flymc {
namespace {

constexpr Index kSize = 6;

struct Frames : ::testing::Test {
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
    const Vector zeta = unit::normal_vector(stream, kSize);
    Vector theta(kSize);
    frame.to_theta(zeta, theta);
    EXPECT_LT((frame.from_theta(theta) - zeta).norm(), 1e-12);
    EXPECT_LT((theta - anchor.theta - map_of(frame) * zeta).norm(), 1e-13);
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
    Vector zeta(kSize);
    Vector scratch(kSize);
    Vector delta(kSize);
    frame.laplace_draw(z, zeta);
    frame.to_delta(zeta, delta);
    EXPECT_NEAR(delta.dot(anchor.precision * delta), z.squaredNorm(), 1e-12 * z.squaredNorm());
    EXPECT_NEAR(frame.laplace_log_density(zeta, scratch), -0.5 * z.squaredNorm(), 1e-12);
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

TEST_F(Frames, MeasureThePosteriorNormOfTheta) {
  Vector scratch(kSize);
  Vector delta(kSize);
  for (const Frame& frame : all) {
    for (const double spread : {0.0, 0.3, 20.0}) {
      const Vector zeta = unit::normal_vector(stream, kSize, spread);
      frame.to_delta(zeta, delta);
      const double norm = std::sqrt(delta.dot(anchor.precision * delta));
      EXPECT_NEAR(frame.posterior_norm(zeta, scratch), norm, 1e-12 * (1.0 + norm));
    }
  }
}

TEST_F(Frames, PullFormsBackAndHoldARootOfTheCovariance) {
  const Matrix form = unit::random_anchor(stream, kSize).precision;
  const Matrix covariance = anchor.precision.inverse();
  for (const Frame& frame : all) {
    const Matrix map = map_of(frame);
    EXPECT_LT((frame.pull_back_form(form) - map.transpose() * form * map).norm(), 1e-12);
    const Matrix root = frame.covariance_root();
    EXPECT_LT((root * root.transpose() - covariance).norm(), 1e-13);
  }
}

}  // namespace
}  // namespace flymc
