// Draws prepared for plots: thinned traces, rank histograms, autocorrelation, growth of the ESS,
// densities.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "flymc/detail/diagnose/chains.hpp"

namespace flymc {

// At most `most` values of a chain: all of them, or of most/2 equal stretches the smallest and the
// largest, in the order they came, so that no excursion is lost.
[[nodiscard]] std::vector<double> thinned(std::span<const double> chain, std::size_t most);

// For each chain how many of its draws fall in each of `bins` equal ranges of the rank among all
// draws. Chains that agree fill them evenly.
[[nodiscard]] std::vector<std::vector<std::size_t>> rank_histograms(const Chains& draws,
                                                                    std::size_t bins);

// rho_0 .. rho_lags, chains averaged; empty for draws that never move.
[[nodiscard]] std::vector<double> autocorrelations(const Chains& draws, std::size_t lags);

// Bulk and tail ESS of the first draws of every chain.
struct EssGrowth {
  std::vector<std::size_t> draws;  // per chain
  std::vector<double> bulk;
  std::vector<double> tail;
};
[[nodiscard]] EssGrowth ess_growth(const Chains& draws, std::size_t points);

// A kernel estimate of the density: normal kernels of the width 0.9 min(sd, IQR / 1.34) n^(-1/5),
// folded back at the bounds of the support, at equally spaced points. Empty for draws that never
// move.
struct Support {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};
struct DensityCurve {
  std::vector<double> x;
  std::vector<double> y;
};
[[nodiscard]] DensityCurve density_of(std::span<const double> draws, const Support& support,
                                      std::size_t points);

}  // namespace flymc
