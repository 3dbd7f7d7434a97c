#include "data/table/principal_components.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "flymc/error.hpp"
#include "flymc/random.hpp"

namespace flymc {
namespace {

ConstRowMatrixView view(const RowMatrix& x) { return {x.data(), x.rows(), x.cols()}; }

// Correlated columns of different size and mean, more than one piece of rows.
RowMatrix correlated(Index rows, Index columns) {
  Stream stream(3, 0, Purpose::kTest, 0);
  RowMatrix x(rows, columns);
  for (Index n = 0; n < rows; ++n) {
    const double shared = stream.normal();
    for (Index j = 0; j < columns; ++j) {
      x(n, j) = 5.0 + shared + static_cast<double>(j + 1) * stream.normal();
    }
  }
  return x;
}

TEST(Covariance, IsTheTextbookSumOfFourRows) {
  RowMatrix x(4, 2);
  x << 1, 10, 2, 14, 3, 12, 6, 20;
  const Covariance covariance = covariance_of(view(x), 1);
  EXPECT_DOUBLE_EQ(covariance.mean[0], 3.0);
  EXPECT_DOUBLE_EQ(covariance.mean[1], 14.0);
  // Deviations (-2, -1, 0, 3) and (-4, 0, -2, 6); divisor 3.
  EXPECT_DOUBLE_EQ(covariance.matrix(0, 0), 14.0 / 3.0);
  EXPECT_DOUBLE_EQ(covariance.matrix(1, 1), 56.0 / 3.0);
  EXPECT_DOUBLE_EQ(covariance.matrix(0, 1), 26.0 / 3.0);
  EXPECT_DOUBLE_EQ(covariance.matrix(1, 0), 26.0 / 3.0);
}

TEST(PrincipalComponents, OfPointsOnACrossAreItsArms) {
  // Arms along (3, 4) / 5 of length 10 and along (-4, 3) / 5 of length 5, about (1, -1).
  RowMatrix x(4, 2);
  x << 7, 7, -5, -9, -3, 2, 5, -4;
  const auto found = principal_components(view(x), 2, 1);
  EXPECT_NEAR(found.variances[0], 200.0 / 3.0, 1e-12);
  EXPECT_NEAR(found.variances[1], 50.0 / 3.0, 1e-12);
  Matrix loadings(2, 2);
  loadings << 0.6, 0.8, 0.8, -0.6;  // the largest entry of each positive
  EXPECT_TRUE(found.loadings.isApprox(loadings, 1e-12)) << found.loadings;
  Matrix scores(4, 2);
  scores << 10, 0, -10, 0, 0, -5, 0, 5;
  EXPECT_LT((found.scores - scores).cwiseAbs().maxCoeff(), 1e-12) << found.scores;
}

TEST(PrincipalComponents, AreOrthonormalUncorrelatedAndShareOutTheVariance) {
  const RowMatrix x = correlated(3000, 12);
  const auto found = principal_components(view(x), 12, 2);
  EXPECT_TRUE((found.loadings.transpose() * found.loadings).isIdentity(1e-12));
  const Covariance of_scores = covariance_of(view(found.scores), 1);
  const Matrix diagonal = found.variances.asDiagonal();
  EXPECT_LT((of_scores.matrix - diagonal).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT(of_scores.mean.cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_NEAR(found.total_variance, found.variances.sum(), 1e-10);
  EXPECT_TRUE(std::is_sorted(found.variances.begin(), found.variances.end(), std::greater<>()));
  const RowMatrix back =
      (found.scores * found.loadings.transpose()).rowwise() + found.mean.transpose();
  EXPECT_TRUE(back.isApprox(x, 1e-12));
}

TEST(PrincipalComponents, AreTheSameBitsForAnyNumberOfThreads) {
  const RowMatrix x = correlated(2500, 30);
  const auto one = principal_components(view(x), 5, 1);
  for (const unsigned threads : {2U, 5U}) {
    const auto many = principal_components(view(x), 5, threads);
    EXPECT_EQ(one.scores, many.scores);
    EXPECT_EQ(one.loadings, many.loadings);
  }
  for (Index k = 0; k < 5; ++k) {
    EXPECT_GT(one.loadings.col(k).maxCoeff(), -one.loadings.col(k).minCoeff());
  }
}

TEST(PrincipalComponents, RefuseMoreComponentsThanTheDataSpan) {
  const RowMatrix x = correlated(10, 20);
  EXPECT_NO_THROW((void)principal_components(view(x), 9, 1));
  EXPECT_THROW((void)principal_components(view(x), 10, 1), Error);
  EXPECT_THROW((void)principal_components(view(x), 0, 1), Error);
  const RowMatrix narrow = correlated(10, 3);
  EXPECT_THROW((void)principal_components(view(narrow), 4, 1), Error);
}

}  // namespace
}  // namespace flymc
