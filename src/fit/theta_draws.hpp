// The way back from draw_values.hpp: draws of a chain file as the engine had them.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "fit/prepare.hpp"
#include "flymc/detail/core/linalg.hpp"
#include "flymc/diagnose/summary.hpp"

namespace flymc {

// Of standardised columns and on the scale of predictors: parameters x draws, chain after chain.
struct ThetaDraws {
  Matrix theta;
  std::size_t chains = 1;

  [[nodiscard]] std::size_t draws() const noexcept {
    return static_cast<std::size_t>(theta.cols());
  }
};

// At most so many, evenly spaced, as many of each chain: their numbers, chain after chain.
[[nodiscard]] std::vector<std::size_t> spaced_draws(const RunChains& run, std::size_t at_most);
// These. Of a problem with groups: without what varies by level. REQUIRES: the chains are of this
// problem.
[[nodiscard]] ThetaDraws theta_draws(const Problem& problem, const RunChains& run,
                                     std::size_t at_most = std::numeric_limits<std::size_t>::max());

}  // namespace flymc
