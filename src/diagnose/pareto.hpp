// Pareto smoothed importance weights: Vehtari, Simpson, Gelman, Yao, Gabry, "Pareto smoothed
// importance sampling", JMLR 25 (2024), with the fit of Zhang & Stephens (2009) as R's loo has it.
//
// The largest of S weights, min(S/5, 3 sqrt S) of them, are replaced by the expected order
// statistics of a generalised Pareto law
//   P(w > t) = (1 + k (t - u)/sigma)^(-1/k),  t > u = the largest weight that is not among them,
// none above the largest weight there was. k says whether the mean of the weights can be trusted:
// they have finite moments of order below 1/k; beyond 0.7 no number of draws would do.
#pragma once

#include <span>

namespace flymc {

struct ParetoFit {
  double k = 0.0;
  double sigma = 0.0;
};

// To exceedances in ascending order: an approximate posterior mean, its k drawn towards 1/2 by ten
// draws' worth of prior. REQUIRES: at least five, none negative, the last positive.
[[nodiscard]] ParetoFit fit_pareto(std::span<const double> exceedances);

// Smooths logarithms of weights in place, up to a constant that is the same for all. Returns k:
// 0 where the largest are equal, infinite where there is no tail to fit (fewer than 25 weights, or
// many ties). REQUIRES: finite.
double smooth_weights(std::span<double> log_weights);

}  // namespace flymc
