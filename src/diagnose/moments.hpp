// Mean, variance and quantiles of a sample, as R computes them. All are pure and O(n).
#pragma once

#include <span>

namespace flymc {

// In two passes, so that the log densities of tall data (1e7 with an sd of 1) lose nothing. NaN for
// an empty sample.
[[nodiscard]] double mean(std::span<const double> sample) noexcept;

// sum (x - mean)^2 / (n - 1); NaN for n < 2.
[[nodiscard]] double variance(std::span<const double> sample) noexcept;
[[nodiscard]] double standard_deviation(std::span<const double> sample) noexcept;

// Type 7 (R's default): with h = (n - 1) prob, x_(floor h) + (h - floor h)(x_(floor h + 1) -
// x_(floor h)) over the order statistics x_(0) <= ... <= x_(n-1). NaN for an empty sample or one
// that holds a NaN. REQUIRES: 0 <= prob <= 1.
[[nodiscard]] double quantile(std::span<const double> sample, double prob);

}  // namespace flymc
