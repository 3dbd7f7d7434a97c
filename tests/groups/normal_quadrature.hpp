// Posterior moments of a normal response with levels: a grid over the scales, given which all
// coefficients are normal, by dense algebra from the rows; and chains against them.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <vector>

#include "groups/chain_moments.hpp"

namespace flymc::test {

inline double as_it_is(double response) { return response; }

// Rows of (x, w) and responses less offsets.
struct DenseRows {
  Matrix v;
  Vector y;
  Vector weight;
};

// Of levels given scales: their precision, and half the logarithm of its determinant.
struct LevelsPrior {
  Matrix precision;
  double half_log_det = 0.0;
};

struct GridAxis {
  double from = 0.0;
  double to = 0.0;
  int nodes = 0;
};

// Means of (coefficients, scales), then of their squares. Scales: of levels, then log sigma.
inline Vector normal_quadrature(const DenseRows& rows, const FixedPrior& prior,
                                const std::function<LevelsPrior(const Vector&)>& levels,
                                const std::function<double(const Vector&)>& log_prior,
                                const std::vector<GridAxis>& axes) {
  const Index p = prior.mean.size(), size = rows.v.cols();
  const auto scales = static_cast<Index>(axes.size());
  const Matrix weighted = rows.weight.asDiagonal() * rows.v;
  const Matrix gram = rows.v.transpose() * weighted;
  const Vector moment = weighted.transpose() * rows.y;
  const double squares = rows.weight.dot(rows.y.cwiseAbs2().eval());
  Vector sum = Vector::Zero(2 * (size + scales));
  double total = 0.0, top = -1e300;
  std::vector<int> at(axes.size(), 0);
  Vector psi(scales);
  for (bool more = true; more;) {
    for (std::size_t j = 0; j < axes.size(); ++j) {
      psi[static_cast<Index>(j)] =
          axes[j].from + (axes[j].to - axes[j].from) * at[j] / (axes[j].nodes - 1);
    }
    const double log_sigma = psi[scales - 1], information = std::exp(-2.0 * log_sigma);
    const LevelsPrior of_levels = levels(psi);
    Matrix precision = information * gram;
    Vector pull = information * moment;
    precision.diagonal().head(p) += prior.precision;
    pull.head(p) += prior.precision.cwiseProduct(prior.mean);
    precision.bottomRightCorner(size - p, size - p) += of_levels.precision;
    const Eigen::LLT<Matrix> llt(precision);
    const Vector mean = llt.solve(pull);
    const double log_density = -rows.weight.sum() * log_sigma - 0.5 * information * squares +
                               0.5 * pull.dot(mean) -
                               Matrix(llt.matrixL()).diagonal().array().log().sum() +
                               of_levels.half_log_det + log_prior(psi);
    if (log_density > top) {
      sum *= std::exp(top - log_density);
      total *= std::exp(top - log_density);
      top = log_density;
    }
    const double weight = std::exp(log_density - top);
    const Vector variance = llt.solve(Matrix::Identity(size, size)).diagonal();
    sum.head(size) += weight * mean;
    sum.segment(size, scales) += weight * psi;
    sum.segment(size + scales, size) += weight * (mean.cwiseAbs2() + variance);
    sum.tail(scales) += weight * psi.cwiseAbs2();
    total += weight;
    more = false;
    for (std::size_t j = 0; j < at.size() && !more; ++j) {
      more = ++at[j] < axes[j].nodes;
      at[j] = more ? at[j] : 0;
    }
  }
  return sum / total;
}

// Of theta and its squares, without a query.
template <class Setting, class Moves>
void expect_normal_moments(const Setting& setting, const Vector& expected, const Moves& moves,
                           std::size_t shortest = 100'000) {
  const std::span<const double> moments(expected.data(), static_cast<std::size_t>(expected.size()));
  const std::uint64_t queries = expect_chain_moments(
      setting, moves, moments,
      [&](const Vector& theta) {
        Vector both(expected.size());
        both << theta, theta.cwiseAbs2();
        return both;
      },
      shortest);
  EXPECT_EQ(queries, 0U);
}

}  // namespace flymc::test
