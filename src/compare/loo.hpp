// elpd_loo = sum_n log p(y_n | y_-n), what a model would have said of each row without it, for any
// number of rows (docs/method/comparison.md).
//
// Of one row, with r_s = 1 / p(y_n | theta_s),  p(y_n | y_-n) = 1 / E[r]. Every row gets a cheap
// value a_n: E[r] by a rule of few points over its predictors' Gaussian, whose moments are those of
// the draws (where levels have coefficients, spreads are those of some draws). m rows chosen at
// random get their exact value e_n, all draws with Pareto smoothed weights, and
//   elpd_loo = sum_n a_n + (N/m) sum over these of (e_n - a_n)
// has no bias, however rough a is (Magnusson, Riis Andersen, Jonasson, Vehtari 2020).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "compare/row_density.hpp"
#include "fit/prepare.hpp"

namespace flymc {

// Row by row: `cheap` of all, `exact` and k of the chosen ones.
struct PointwiseLoo {
  std::vector<double> cheap;
  std::vector<std::size_t> rows;  // chosen, ascending
  std::vector<double> exact;
  std::vector<double> khat;
  double draw_variance = 0.0;  // of the sum, because draws are finitely many
};

// `exact_rows`: how many are chosen, all where there are no more. Problems with as many rows get
// the same ones, so that two models of the same data can be paired. REQUIRES: rows as given, none
// merged; five draws at least.
[[nodiscard]] PointwiseLoo pointwise_loo(const Problem& problem, const LinearDraws& draws,
                                         std::size_t exact_rows);

struct ElpdEstimate {
  double value = 0.0;
  double se = 0.0;    // of elpd as a sum over rows that might have been others
  double mcse = 0.0;  // of this estimate of it: rows not chosen, draws not made
};

[[nodiscard]] ElpdEstimate elpd_loo(const PointwiseLoo& loo);
// Of a over b, row by row. REQUIRES: the same rows.
[[nodiscard]] ElpdEstimate elpd_difference(const PointwiseLoo& a, const PointwiseLoo& b);

}  // namespace flymc
