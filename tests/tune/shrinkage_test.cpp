#include "tune/shrinkage.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "flymc/random.hpp"

namespace flymc {
namespace {

// n normal draws with covariance diag(variances), a mean far from zero.
Matrix normal_draws(Index n, const Vector& variances, std::uint64_t number) {
  Stream stream(31, 0, Purpose::kTest, number);
  Matrix draws(n, variances.size());
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < variances.size(); ++j) {
      draws(i, j) = 5.0 + std::sqrt(variances[j]) * stream.normal();
    }
  }
  return draws;
}

Matrix sample_covariance(const Matrix& draws) {
  const Matrix centred = draws.rowwise() - draws.colwise().mean();
  return centred.transpose() * centred / static_cast<double>(draws.rows() - 1);
}

double least_eigenvalue(const Matrix& matrix) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(matrix, Eigen::EigenvaluesOnly).eigenvalues()[0];
}

// A chain in which every draw is repeated.
Matrix repeated(const Matrix& draws, Index times) {
  Matrix result(draws.rows() * times, draws.cols());
  for (Index i = 0; i < result.rows(); ++i) {
    result.row(i) = draws.row(i / times);
  }
  return result;
}

TEST(Shrinkage, TakesRoundNoiseNearlyAllTheWayToTheIdentity) {
  const Index d = 40;
  const Matrix draws = normal_draws(100, Vector::Ones(d), 1);
  const Matrix identity = Matrix::Identity(d, d);
  const double noise = (sample_covariance(draws) - identity).norm();
  EXPECT_LT((shrunk_covariance(draws, 100.0) - identity).norm(), 0.15 * noise);
}

TEST(Shrinkage, HardlyTouchesAStrongShapeSeenByManyDraws) {
  Vector variances = Vector::Ones(10);
  variances.head(5).setConstant(25.0);
  const Matrix draws = normal_draws(20'000, variances, 2);
  const Matrix sample = sample_covariance(draws);
  EXPECT_LT((shrunk_covariance(draws, 20'000.0) - sample).norm(), 2e-3 * sample.norm());
}

TEST(Shrinkage, BeatsTheSampleCovarianceInMeanSquaredError) {
  const Vector variances = Vector::LinSpaced(30, 0.3, 3.0);
  double shrunk = 0.0;
  double sample = 0.0;
  for (std::uint64_t number = 10; number < 30; ++number) {
    const Matrix draws = normal_draws(60, variances, number);
    shrunk += (shrunk_covariance(draws, 60.0) - Matrix(variances.asDiagonal())).squaredNorm();
    sample += (sample_covariance(draws) - Matrix(variances.asDiagonal())).squaredNorm();
  }
  EXPECT_LT(shrunk, 0.5 * sample);
}

TEST(Shrinkage, IsSymmetricPositiveDefiniteForFewerDrawsThanDimensions) {
  for (const Index n : {1, 2, 3, 10, 25}) {
    const Matrix shrunk =
        shrunk_covariance(normal_draws(n, Vector::Ones(25), 3), static_cast<double>(n));
    EXPECT_EQ(shrunk, Matrix(shrunk.transpose()));
    EXPECT_GT(least_eigenvalue(shrunk), 1e-3) << n;
  }
}

TEST(Shrinkage, GivesTheIdentityWhereDrawsHaveNoSpread) {
  EXPECT_EQ(shrunk_covariance(Matrix::Constant(10, 3, 2.5), 10.0), Matrix::Identity(3, 3));
}

TEST(Shrinkage, ShrinksRepeatedDrawsAsFarAsTheDrawsThemselves) {
  const Matrix draws = normal_draws(80, Vector::LinSpaced(20, 0.3, 3.0), 4);
  const Matrix once = shrunk_covariance(draws, 80.0);
  const Matrix honest = shrunk_covariance(repeated(draws, 10), 80.0);
  const Matrix fooled = shrunk_covariance(repeated(draws, 10), 800.0);
  EXPECT_LT((honest - once).norm(), 0.02 * once.norm());  // n - 1 differs
  EXPECT_GT((fooled - once).norm(), 0.1 * once.norm());
}

TEST(Shrinkage, ScalesWithTheSquareOfTheUnits) {
  const Matrix draws = normal_draws(50, Vector::LinSpaced(8, 0.3, 3.0), 5);
  const Matrix one = shrunk_covariance(draws, 50.0);
  EXPECT_LT((shrunk_covariance(1000.0 * draws, 50.0) - 1e6 * one).norm(), 1e-6 * one.norm() * 1e6);
}

}  // namespace
}  // namespace flymc
