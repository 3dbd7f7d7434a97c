// Autocovariances of all lags, averaged over chains, by the fast Fourier transform.
#pragma once

#include <vector>

#include "flymc/detail/diagnose/chains.hpp"

namespace flymc {

// g_k = mean over chains of (1/n) sum_t (x_t - m)(x_{t+k} - m), k = 0 .. n - 1, each chain centred
// at its own mean m. Accurate to about 1e-15 g_0. O(n log n) a chain whatever the lags needed: when
// chains disagree, Geyer's sequence runs to the last one. Pure.
[[nodiscard]] std::vector<double> mean_autocovariance(const Chains& chains);

}  // namespace flymc
