// Data drawn from a model, addressed by a seed.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "flymc/detail/core/numeric.hpp"
#include "flymc/random.hpp"
#include "support/exact_problem.hpp"

namespace flymc::exact {

// Standard normal columns; the intercept is not among them.
inline Table normal_columns(std::size_t rows, std::size_t columns, Stream& stream) {
  std::vector<double> x(rows * columns);
  for (double& value : x) {
    value = stream.normal();
  }
  return table_of(x, std::vector<double>(rows, 0.0));
}

inline double predictor_of(const Table& table, std::size_t n, const Vector& theta) {
  const std::size_t d = table.columns.size();
  double eta = theta[0];
  for (std::size_t j = 0; j < d; ++j) {
    eta += theta[static_cast<Index>(j + 1)] * table.x[n * d + j];
  }
  return eta;
}

// theta: intercept, then one slope a column.
inline void draw_labels(Table& table, const Vector& theta, Stream& stream) {
  for (std::size_t n = 0; n < table.rows; ++n) {
    const double p = sigmoid(predictor_of(table, n, theta));
    table.response.values[n] = stream.uniform() < p ? 1.0 : -1.0;
  }
}

// Slopes of equal size and alternating sign, so that the predictors have the given spread.
inline Problem<Logistic> simulated_logistic(std::size_t rows, std::size_t columns,
                                            double predictor_sd, double prior_sd) {
  Stream stream(2014, 0, Purpose::kSimulate, rows);
  Table table = normal_columns(rows, columns, stream);
  Vector theta = Vector::Zero(static_cast<Index>(columns) + 1);
  for (Index j = 1; j < theta.size(); ++j) {
    theta[j] = (j % 2 == 0 ? 1.0 : -1.0) * predictor_sd / std::sqrt(static_cast<double>(columns));
  }
  draw_labels(table, theta, stream);
  return {Logistic{}, equal_prior(PriorKind::kNormal, static_cast<int>(columns) + 1, 0.0, prior_sd),
          Dataset(std::move(table), {}), 1.5};
}

}  // namespace flymc::exact
