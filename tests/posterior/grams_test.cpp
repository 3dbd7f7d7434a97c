// Sums of weighted products of rows, and how far predictors move, for every number of columns: the
// tiles that they are made of have edges.
#include "posterior/grams.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "flymc/detail/posterior/leverage.hpp"
#include "support/unit_problem.hpp"

namespace flymc {
namespace {

class Products : public ::testing::TestWithParam<int> {
 protected:
  [[nodiscard]] Index columns() const { return GetParam(); }
  [[nodiscard]] RowMatrix normal(Index rows, Index width) {
    RowMatrix result(rows, width);
    for (Index i = 0; i < result.size(); ++i) {
      result.data()[i] = stream_.normal();
    }
    return result;
  }
  // R with R R' a precision of `size` parameters, well conditioned.
  [[nodiscard]] Matrix root(Index size) {
    Matrix result = normal(size, size).triangularView<Eigen::Lower>().toDenseMatrix() /
                    static_cast<double>(size);
    result.diagonal().array() += 1.0;
    return result;
  }

  Stream stream_{7, 0, Purpose::kTest, 0};
};

// Each element by its own magnitude; weights of either sign.
void expect_sums(const Matrix& sums, const RowMatrix& left, const RowMatrix& right,
                 const Vector& weights, bool lower) {
  const Matrix expected = left.transpose() * weights.asDiagonal() * right;
  const Matrix size =
      left.cwiseAbs().transpose() * weights.cwiseAbs().asDiagonal() * right.cwiseAbs();
  for (Index j = 0; j < sums.cols(); ++j) {
    for (Index i = lower ? j : 0; i < sums.rows(); ++i) {
      EXPECT_NEAR(sums(i, j), expected(i, j), 1e-14 * size(i, j))
          << sums.rows() << " x " << sums.cols() << ", " << i << ", " << j;
    }
  }
}

TEST_P(Products, OfAllColumnsAddUpForAnyNumberOfRows) {
  const Design design(columns());
  for (const Index rows : {1, 2, 63, 64, 65, 200}) {
    const RowMatrix x = normal(rows, columns());
    const RowMatrix weights = normal(rows, 2);
    Grams grams(design, 1, 2);
    grams.add({x.data(), rows, columns()}, weights);
    for (std::size_t p = 0; p < 2; ++p) {
      expect_sums(grams.at(p), x, x, weights.col(static_cast<Index>(p)), true);
    }
    grams.add({x.data(), rows, columns()}, weights);  // to what is there
    expect_sums(grams.at(1), x, x, 2.0 * weights.col(1), true);
  }
}

TEST_P(Products, OfTwoPredictorsAddUp) {
  std::vector<std::vector<Index>> chosen(2);
  for (Index column = 0; column < columns(); ++column) {
    chosen[0].push_back(column);
    if (column % 3 == 0) {
      chosen[1].push_back(column);
    }
  }
  const Design design(columns(), chosen);
  constexpr Index kRows = 70;
  const RowMatrix x = normal(kRows, columns());
  const RowMatrix weights = normal(kRows, 3);
  Grams grams(design, 2, 3);
  grams.add({x.data(), kRows, columns()}, weights);
  const RowMatrix second = x(Eigen::all, chosen[1]);
  expect_sums(grams.at(0), x, x, weights.col(0), true);
  expect_sums(grams.at(1), second, x, weights.col(1), false);
  expect_sums(grams.at(2), second, second, weights.col(2), true);
}

// |R^-1 x|.
double norm(const Matrix& r, const Vector& x) {
  return r.triangularView<Eigen::Lower>().solve(x).norm();
}

// What is left of rounding by floats is less than what it is raised by.
void expect_raised(double ratio) {
  EXPECT_GE(ratio, 1.0);
  EXPECT_LE(ratio, 1.0011);
}

// Some rows as they are, and one of every sixteen that floats do not hold.
TEST_P(Products, OfARowWithTheRootOfACovarianceIsItsLeverage) {
  const Design design(columns());
  const Matrix r = root(columns());
  const Anchor anchor{.theta = Vector::Zero(columns()), .precision = r * r.transpose()};
  const Leverage leverage(anchor, design, 1);
  for (const Index rows : {1, 7, 8, 9, 16, 17, 30}) {
    for (const double size : {1.0, 1e30, 1e-30}) {
      RowMatrix x = normal(rows, columns());
      for (Index i = 0; i < rows; i += 16) {
        x.row(i) *= size;
      }
      RowMatrix found(rows, 1);
      leverage.compute({x.data(), rows, columns()}, {found.data(), rows, 1});
      for (Index i = 0; i < rows; ++i) {
        expect_raised(found(i, 0) / norm(r, x.row(i).transpose()));
      }
    }
  }
}

// The covariance of theta_1 - theta_0 and so on, each of a root below its diagonal.
TEST_P(Products, OfARowWithTheRootsOfDifferencesAreTheirLeverages) {
  constexpr int kClasses = 3;
  const Design design(columns());
  const Index size = kClasses * columns();
  const Matrix r = root(size);
  const Anchor anchor{.theta = Vector::Zero(size), .precision = r * r.transpose()};
  constexpr Index kRows = 30;
  for (const double factor : {1.0, 1e30}) {
    RowMatrix x = normal(kRows, columns());
    x.row(3) *= factor;
    RowMatrix found(kRows, 3);
    Leverage(anchor, design, kClasses)
        .compute({x.data(), kRows, columns()}, {found.data(), kRows, 3});
    for (Index i = 0; i < kRows; ++i) {
      Index pair = 0;
      for (Index k = 1; k < kClasses; ++k) {
        for (Index j = 0; j < k; ++j, ++pair) {
          Vector difference = Vector::Zero(size);
          difference.segment(j * columns(), columns()) = x.row(i).transpose();
          difference.segment(k * columns(), columns()) = -x.row(i).transpose();
          expect_raised(found(i, pair) / norm(r, difference));
        }
      }
    }
  }
}

// R = (1 0; 1 b): |R^-1 x| of x = (1, 1 + b t) is |(1, t)|, and what x loses by rounding is t / b
// times as much of it.
double leverage_over_exact(double b, double t, double size) {
  Matrix r(2, 2);
  r << 1.0, 0.0, 1.0, b;
  const Design design(2);
  const Anchor anchor{.theta = Vector::Zero(2), .precision = r * r.transpose()};
  RowMatrix x(1, 2);
  x << size, size * (1.0 + b * t);
  RowMatrix found(1, 1);
  Leverage(anchor, design, 1).compute({x.data(), 1, 2}, {found.data(), 1, 1});
  return found(0, 0) / norm(r, x.transpose());
}

TEST(Leverage, IsRaisedByMoreThanFloatsLose) {
  Stream stream(8, 0, Purpose::kTest, 0);
  double largest = 0.0;
  double least = 2.0;
  for (int i = 0; i < 1000; ++i) {
    const double ratio = leverage_over_exact(1e-3, stream.normal(), 1.0);
    expect_raised(ratio);
    largest = std::max(largest, ratio);
    least = std::min(least, ratio);
  }
  EXPECT_GT(largest - least, 5e-5);  // they do lose
}

TEST(Leverage, IsOfDoublesWhereFloatsAreNotEnough) {
  // Too narrow a posterior: floats would be raised by 6e-3. H itself is rounded, by 4e8 times
  // 1e-16.
  EXPECT_NEAR(leverage_over_exact(1e-4, 1.0, 1.0), 1.0 + 1e-6, 5e-8);
  for (const double size : {1e-100, 1e-20, 1e20, 1e100}) {  // too small or large a row
    EXPECT_NEAR(leverage_over_exact(0.5, 1.0, size), 1.0 + 1e-6, 1e-9) << size;
  }
}

INSTANTIATE_TEST_SUITE_P(Columns, Products,
                         ::testing::Values(1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 16, 17, 51));

}  // namespace
}  // namespace flymc
