#include "flymc/detail/diagnose/estimate.hpp"

#include "diagnose/coda_ess.hpp"
#include "diagnose/moments.hpp"
#include "diagnose/rank_ess.hpp"

namespace flymc {

Estimate estimate(const Chains& draws) {
  const RankDiagnostics ranks = rank_diagnostics(draws);
  return {.mean = mean(draws.values()),
          .sd = standard_deviation(draws.values()),
          .mcse_mean = mcse_mean(draws),
          .q5 = quantile(draws.values(), 0.05),
          .q50 = quantile(draws.values(), 0.50),
          .q95 = quantile(draws.values(), 0.95),
          .ess_bulk = ranks.ess_bulk,
          .ess_tail = ess_tail(draws),
          .ess_coda = coda_ess(draws),
          .rhat = ranks.rhat};
}

}  // namespace flymc
