// What a fit says of new rows: the posterior predictive, row by row.
//
//   E[y | theta_s] = g(eta_s) for every draw s;  its mean, sd and quantiles over the draws.
//
// g is the family's inverse link: a probability (of one trial; of each class), or the mean.
#pragma once

#include <array>
#include <vector>

#include "flymc/detail/core/linalg.hpp"
#include "flymc/fit.hpp"
#include "flymc/table.hpp"

namespace flymc {

// Rows in the order of the table.
struct PredictedRows {
  // mean, sd, 5 %, 95 %. One predictor a class: the mean probability of each.
  RowMatrix values;
  std::vector<double> log_density;  // empty where it was not asked for
  RowMatrix responses{};            // a new one a draw; empty where they were not asked for
};

inline constexpr std::array<const char*, 4> kPredictedColumns = {"mean", "sd", "q5", "q95"};

// By the fit's draws so far; the table's offset counts, its response and weights do not. REQUIRES:
// fit.draws() > 0. THROWS Error(kData) where the table has other columns than the fit, or another
// order.
[[nodiscard]] PredictedRows predict(const Fit& fit, const Table& rows, unsigned threads = 0);

}  // namespace flymc
