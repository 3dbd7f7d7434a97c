// Effective sample size by the spectral density at zero, as effectiveSize of the R package coda
// (the one the FlyMC paper reports).
//
// An autoregression of order m is fitted by Levinson-Durbin on the autocovariances (divisor n);
// m <= min(n - 1, floor(10 log10 n)) minimises n ln v_m + 2 m, the first on ties, where v_m is the
// innovation variance. Then
//   spec0 = v_m n / (n - m - 1) / (1 - sum_j phi_{m,j})^2,   ESS = n var(x) / spec0, not capped.
// A chain within rounding of a straight line (residual sd <= 2^-26), shorter than 3 draws or with a
// draw that is not finite has spec0 = 0 and ESS 0. O(n log n) at most; pure.
#pragma once

#include <cstddef>
#include <span>

#include "flymc/detail/diagnose/chains.hpp"

namespace flymc {

struct ArSpectrum {
  std::size_t order = 0;
  double spec0 = 0.0;
};

[[nodiscard]] ArSpectrum ar_spectrum(std::span<const double> chain);

[[nodiscard]] double coda_ess(std::span<const double> chain);

// Effective sizes of independent chains add up.
[[nodiscard]] double coda_ess(const Chains& chains);

}  // namespace flymc
