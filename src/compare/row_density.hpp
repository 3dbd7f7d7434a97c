// log p(y_n | theta) of rows that a run was fitted to, for many theta at once, with all that is in
// it: the row's weight, and the constants that the engine leaves out of likelihoods.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "fit/prepare.hpp"
#include "fit/theta_draws.hpp"
#include "flymc/detail/core/linalg.hpp"
#include "flymc/family/family.hpp"
#include "run/group_draws.hpp"

namespace flymc {

// Some rows, standardised: rows x columns.
[[nodiscard]] RowMatrix standardised(const Dataset& data, std::span<const std::size_t> rows);

// What predictors are linear in: coefficients, and those that vary by level.
struct LinearDraws : ThetaDraws {
  std::optional<GroupDraws> levels{};  // of the same draws
};
// At most so many, evenly spaced. REQUIRES: the chains are of this problem; where it has groups,
// with draws of their levels.
[[nodiscard]] LinearDraws linear_draws(const Problem& problem, const RunChains& run,
                                       std::size_t at_most);

// Predictors of rows less their offsets: draws x rows, those of predictor k from column k * rows
// on.
[[nodiscard]] Matrix linear_parts(const Problem& problem, std::span<const std::size_t> rows,
                                  const RowMatrix& x, const LinearDraws& draws);
// With them.
[[nodiscard]] Matrix predictors(const Problem& problem, std::span<const std::size_t> rows,
                                const RowMatrix& x, const LinearDraws& draws);
// One row's of these: thetas x predictors.
[[nodiscard]] DrawsView predictors_of(Matrix& eta, std::size_t row, std::size_t rows);

// A row of weight w counts as w rows, a share of successes as one row of all its trials.
void log_densities(const Problem& problem, std::size_t row, const DrawsView& eta,
                   std::span<double> out);

// What the engine leaves out of the log density of all rows.
[[nodiscard]] double log_constants(const Problem& problem);

// sum_n log p(y_n | theta) for every column of theta, in one pass over the data. The sum does not
// depend on the number of threads.
[[nodiscard]] Vector log_likelihoods(const Problem& problem, const Matrix& theta, unsigned threads);

// Minus the second derivatives of that sum in theta at the mean of some draws (parameters x draws,
// two at least), by differences of each row's log density over a standard deviation of its
// predictors: the information, smoothed over the posterior. One pass.
[[nodiscard]] Matrix information(const Problem& problem, const Matrix& draws);

}  // namespace flymc
