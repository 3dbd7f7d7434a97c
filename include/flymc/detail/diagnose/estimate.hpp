// What a sample says about one quantity, with how far it can be trusted.
#pragma once

#include "flymc/detail/diagnose/chains.hpp"

namespace flymc {

// Sample moments over all chains, type 7 quantiles, and the diagnostics of coda_ess.hpp and
// rank_ess.hpp with their rules for degenerate draws.
struct Estimate {
  double mean = 0.0;
  double sd = 0.0;
  double mcse_mean = 0.0;
  double q5 = 0.0;
  double q50 = 0.0;
  double q95 = 0.0;
  double ess_bulk = 0.0;
  double ess_tail = 0.0;
  double ess_coda = 0.0;
  double rhat = 0.0;
};

[[nodiscard]] Estimate estimate(const Chains& draws);

}  // namespace flymc
