// The posterior predictive of rows (flymc/predict.hpp) from draws, in memory or read from a folder.
// Of a response that was observed also
//
//   log p(y | data) = log (1/S) sum_s p(y | theta_s).
#pragma once

#include <cstddef>
#include <utility>

#include "diagnose/order_statistics.hpp"
#include "flymc/dataset.hpp"
#include "flymc/detail/core/linalg.hpp"
#include "flymc/predict.hpp"
#include "flymc/table.hpp"
#include "run/run_draws.hpp"

namespace flymc {

// What to say of a row.
struct PredictHow {
  double tail = 0.05;            // probability below the interval, and above it
  bool class_intervals = false;  // of each class's probability, too
  bool log_density = false;      // of the response. REQUIRES then: one as NewRows leaves it
  // Of a new response instead of its mean: one for each draw, by a stream of the row's own. Of
  // classes the share of each among these, without intervals.
  bool predictive = false;
  bool keeps_responses = false;  // these themselves, too: rows x draws
  std::size_t first_row = 0;     // number of the table's first row among all, for the streams
};

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

  // A new response of every row under every draw: draws x rows, by a stream of the row's own
  // (`first_row` as in PredictHow); classes by their codes from 0. NaN in a row with a NaN. THROWS
  // Error(kUsage) for a family that is text.
  [[nodiscard]] Matrix responses(const Table& table, RowRange range, std::size_t first_row) const;
  // log p(y | theta_s) of every row, whose weight does not count: draws x rows. REQUIRES: numbers
  // or counts, as NewRows leaves them.
  [[nodiscard]] Matrix log_densities(const Table& table, RowRange range) const;
  // The same of any response, as NewRows leaves it; of successes in the trials of the row.
  [[nodiscard]] Matrix log_likelihoods(const Table& table, RowRange range) const;

  // Numbers that predict() has of a row.
  [[nodiscard]] std::size_t width(const PredictHow& how) const noexcept;
  // A row with a NaN has NaN everywhere.
  [[nodiscard]] PredictedRows predict(const Table& table, RowRange range,
                                      const PredictHow& how) const;
  // All rows, in blocks.
  [[nodiscard]] PredictedRows predict(const Table& table, unsigned threads,
                                      const PredictHow& how = {}) const;

 private:
  [[nodiscard]] Matrix predictors(const Table& table, RowRange range) const;
  [[nodiscard]] Eigen::RowVectorXd class_numbers(const DrawsView& draws, const PredictHow& how,
                                                 TailSearch& search) const;
  [[nodiscard]] std::vector<double> responses_of(const Table& table, std::size_t row,
                                                 const DrawsView& draws,
                                                 std::size_t first_row) const;
  template <class Trials>
  [[nodiscard]] Matrix log_densities_in(const Table& table, RowRange range,
                                        const Trials& trials) const;
  [[nodiscard]] Stream row_stream(std::size_t row) const noexcept;
  [[nodiscard]] bool takes_offset(Index predictor) const noexcept;  // auxiliary parameters do not

  RunDraws draws_;
};

// The draws of a fit in memory, `at_most` as in read_run_draws, and what `data` its table was made
// of. REQUIRES: fit.draws() > 0.
[[nodiscard]] RunDraws draws_of(const Fit& fit, const RunSettings& asked, std::size_t at_most = 0);

}  // namespace flymc
