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

struct CentralInterval {
  double lower = 0.0;
  double upper = 0.0;
};
// Between the quantiles that leave (1 - prob) / 2 on either side. `error`: the standard deviation
// of one normal number that all of the sample are off by, independent of them. The distance d of an
// end from the mean is then (d^2 + (z error)^2)^1/2, exact for a sample that is normal itself.
[[nodiscard]] CentralInterval central_interval(std::span<const double> sample, double prob,
                                               double error = 0.0);

}  // namespace flymc
