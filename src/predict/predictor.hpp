// The posterior predictive, row by row: with eta_s the predictor of a row under draw s,
//
//   E[y | theta_s] = g(eta_s),   mean, sd and quantiles of g over the draws,
//   log p(y | data) = log (1/S) sum_s p(y | theta_s).
//
// g is the family's inverse link: a probability (of one trial; of each class), or the mean.
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "flymc/dataset.hpp"
#include "flymc/detail/core/linalg.hpp"
#include "flymc/table.hpp"
#include "run/run_draws.hpp"

namespace flymc {

// Rows in the order of the table.
struct PredictedRows {
  // mean, sd, 5 %, 95 %. One predictor a class: the mean probability of each.
  RowMatrix values;
  std::vector<double> log_density;  // empty where it was not asked for
};

inline constexpr std::array<const char*, 4> kPredictedColumns = {"mean", "sd", "q5", "q95"};

// Immutable, thread-safe. Results depend on the rows of a block only, so that a table cut into
// blocks of block_rows() gives the same numbers for any number of threads.
class Predictor {
 public:
  explicit Predictor(RunDraws draws) : draws_(std::move(draws)) {}

  [[nodiscard]] const RunDraws& draws() const noexcept { return draws_; }

  // So few that a block's predictors (draws x rows x predictors) stay in the cache; 1 at least.
  [[nodiscard]] std::size_t block_rows() const noexcept;

  // g(eta) of every draw: draws x rows, several predictors side by side (draws x (classes x rows)).
  // REQUIRES: table.columns == draws().features. So do the others.
  [[nodiscard]] Matrix means(const Table& table, RowRange range) const;

  // `log_density`: of the responses too. REQUIRES then: a response as NewRows leaves it.
  [[nodiscard]] PredictedRows predict(const Table& table, RowRange range, bool log_density) const;

 private:
  [[nodiscard]] Matrix predictors(const Table& table, RowRange range) const;

  RunDraws draws_;
};

}  // namespace flymc
