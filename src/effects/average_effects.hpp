// Average effects of input columns on the expected response, for every draw s of a posterior:
//
//   of a number x     AME_s(x)   = sum_n w_n dE[y | row n, theta_s]/dx_n / sum_n w_n
//   of a level l      AME_s(l)   = sum_n w_n (E[y | n, l] - E[y | n, reference]) / sum_n w_n
//   a curve at v      curve_s(v) = sum_n w_n E[y | n, x = v] / sum_n w_n
//
// with everything else in row n as it is. The column is that of the input: what a formula makes of
// it (log(x), poly(x, 2), x:z) changes with it. The derivative is a central difference over a
// ten thousandth of the column's standard deviation, its relative error of order 1e-8.
//
// Where only m of N rows are at hand, drawn at random, their average e differs from that of all by
// an error that all draws share, with the variance of a ratio of sums,
//
//   se^2 = (1 - m/N) m/(m - 1) sum_n w_n^2 (e_n - e)^2 / (sum_n w_n)^2,   e_n: mean over draws.
//
// It is a part of what is not known, independent of the draws and nearly normal: sd becomes
// (sd^2 + se^2)^1/2, intervals are those of central_interval(), and P(> 0) the mean of
// Phi(AME_s / se).
#pragma once

#include <cstddef>
#include <vector>

#include "effects/input_columns.hpp"
#include "effects/input_rows.hpp"
#include "flymc/detail/effects/effects.hpp"
#include "predict/predictor.hpp"
#include "predict/row_sample.hpp"

namespace flymc {

struct ColumnEffects {
  std::vector<AverageEffect> effects;
  EffectCurve curve;  // no points where it was not asked for
};

struct EffectsHow {
  double prob = 0.95;  // of the intervals
  unsigned threads = 0;
};

// Everything that is known of one column, or its average effects alone. The numbers do not depend
// on threads. Memory: rows x draws of a block of rows a thread, and draws x outcomes a point.
// REQUIRES: sample and `rows` are of the predictor's draws; the column is one of input_columns().
[[nodiscard]] ColumnEffects average_effects(const Predictor& predictor, const InputRows& rows,
                                            const RowSample& sample, const InputColumn& column,
                                            bool with_curve, const EffectsHow& how);

// How many means of all rows it takes.
[[nodiscard]] std::size_t settings_of(const InputColumn& column, bool with_curve);

}  // namespace flymc
