// A wide table of indicators, whose sums are formed entry by entry, and how far the joint density
// with every coin summed out is from its posterior.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "flymc/dataset.hpp"
#include "flymc/family/logistic.hpp"
#include "flymc/posterior/joint_target.hpp"
#include "flymc/posterior/local_bounds.hpp"
#include "flymc/random.hpp"
#include "support/exact_problem.hpp"

namespace flymc::exact {

// One of 126 levels and one of 20 in every row, a number that is never zero and far from it, and
// one that is zero half of the time.
inline Table levels_table(Stream& stream, std::size_t rows) {
  constexpr std::size_t kFirst = 126;
  constexpr std::size_t kSecond = 20;
  constexpr std::size_t kColumns = kFirst + kSecond + 2;
  Table table;
  table.rows = rows;
  table.x.assign(rows * kColumns, 0.0);
  for (std::size_t n = 0; n < rows; ++n) {
    double* const row = table.x.data() + n * kColumns;
    row[n % kFirst] = 1.0;
    row[kFirst + stream.below(kSecond)] = 3.0;
    row[kColumns - 2] = 2000.0 + 10.0 * stream.normal();
    row[kColumns - 1] = stream.uniform() < 0.5 ? 0.0 : stream.normal();
    table.response.values.push_back(stream.uniform() < 0.5 ? -1.0 : 1.0);
  }
  for (std::size_t j = 0; j < kColumns; ++j) {
    table.columns.push_back("x" + std::to_string(j));
  }
  return table;
}

inline Dataset standardised(Table table) {
  const ColumnMoments moments = column_moments(table, 1);
  return {std::move(table), {true, moments.mean, moments.sd}};
}

// log of (prior times likelihood) in textbook form, less that of the joint density with every coin
// summed out, which is a product over data: a constant.
inline double excess_of_posterior(const Dataset& data, const Prior& prior, const Vector& theta,
                                  JointTarget<Logistic>& target) {
  double posterior = 0.0;
  Vector row(data.columns());
  for (std::size_t n = 0; n < data.rows(); ++n) {
    data.copy_row(n, row.data());
    posterior -= std::log1p(std::exp(-data.response(n) * row.dot(theta)));
  }
  for (Index j = 0; j < theta.size(); ++j) {
    const double scaled = theta[j] / prior.terms()[static_cast<std::size_t>(j)].scale;
    posterior -= 0.5 * scaled * scaled;
  }
  Point point(theta.size());
  target.from_theta(theta, point);
  target.evaluate(point, Order::kValue);
  std::vector<Datum> all(data.rows());
  std::iota(all.begin(), all.end(), Datum{0});
  double joint = point.log_density;
  for (const double log_factor : target.query(point, all)) {
    joint += std::log1p(std::exp(log_factor));
  }
  return posterior - joint;
}

// How much that constant varies over some thetas, in units of its rounding.
inline double wide_score() {
  constexpr double kRounding = 1e-10;
  Stream stream(7, 0, Purpose::kTest, 0);
  const Dataset data = standardised(levels_table(stream, 600));
  const Logistic model;
  const Prior prior = equal_prior(PriorKind::kNormal, static_cast<int>(data.columns()), 0.0, 1.0);
  Anchor anchor;
  anchor.theta = Vector::NullaryExpr(data.columns(), [&] { return 0.2 * stream.normal(); });
  anchor.precision = 4.0 * Matrix::Identity(data.columns(), data.columns());
  const Bounds bounds = make_local_bounds(model, data, anchor, {.threads = 1});
  const Frame frame = Frame::oscillator(anchor, gaussian_precision(prior, bounds.gaussian));
  JointTarget<Logistic> target(model, prior, data, bounds, frame);
  const double constant = excess_of_posterior(data, prior, anchor.theta, target);
  double worst = 0.0;
  for (int i = 0; i < 4; ++i) {
    Vector theta = anchor.theta;
    for (double& one : theta) {
      one += 0.4 * stream.normal();
    }
    const double excess = excess_of_posterior(data, prior, theta, target) - constant;
    worst = std::isfinite(excess) ? std::max(worst, std::abs(excess) / kRounding) : HUGE_VAL;
  }
  return worst;
}

}  // namespace flymc::exact
