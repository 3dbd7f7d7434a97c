// Autocovariances, averaged over chains: of all lags by the fast Fourier transform, or of few.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "flymc/detail/diagnose/chains.hpp"

namespace flymc {

// g_k = mean over chains of (1/n) sum_t (x_t - m)(x_{t+k} - m), k = 0 .. n - 1, each chain centred
// at its own mean m. Accurate to about 1e-15 g_0. O(n log n) a chain whatever the lags needed: when
// chains disagree, Geyer's sequence runs to the last one. Pure.
[[nodiscard]] std::vector<double> mean_autocovariance(const Chains& chains);

// sum_t x_t x_{t+lag}.
[[nodiscard]] double lagged_product(std::span<const double> x, std::size_t lag) noexcept;

// The same numbers one after another: chains that mix need few lags, and each of these is a
// product; beyond a few all of them come at once.
class MeanAutocovariance {
 public:
  explicit MeanAutocovariance(const Chains& chains);  // which outlive it

  [[nodiscard]] std::size_t lags() const noexcept { return chains_.length(); }
  [[nodiscard]] double operator[](std::size_t lag);

 private:
  Chains chains_;
  std::vector<double> centred_;
  std::vector<double> known_;  // of the first lags
};

}  // namespace flymc
