// Convergence diagnostics as the R package posterior: Vehtari, Gelman, Simpson, Carpenter,
// Buerkner, "Rank-normalization, folding, and localization: an improved R-hat", Bayesian Analysis
// 16 (2021).
//
// Chains are split in halves (odd length: the middle draw is dropped); values become normal scores
// z = Phi^-1((r - 3/8)/(S + 1/4)) of their rank r among all S, tied values sharing the mean rank.
//   R-hat    max over z(x) and z(|x - median|) of sqrt((B/W + n - 1)/n)
//   ESS(x)   S/tau, tau = -1 + 2 sum of the kept rho + the last even rho, tau >= 1/log10 S, with
//            rho_t = 1 - (W - g_t)/var_plus kept while pairs are positive, then made monotone
//            (Geyer)
//   bulk     ESS(z(x));   tail   min over p = 5 %, 95 % of ESS(1[x <= q_p])
//   mean     ESS(x);      MCSE   sd(x)/sqrt(ESS(x))
// Where posterior answers NA these answer NaN: a NaN draw, constant draws (range < 2^-52), halves
// of fewer than 3 draws (R-hat: 2), and infinite draws except for R-hat and bulk ESS, which see
// ranks. All are pure, O(S log S).
#pragma once

#include "flymc/detail/diagnose/chains.hpp"

namespace flymc {

// What ranks say, sorted once.
struct RankDiagnostics {
  double ess_bulk = 0.0;
  double rhat = 0.0;
};
[[nodiscard]] RankDiagnostics rank_diagnostics(const Chains& draws);

[[nodiscard]] double rhat(const Chains& draws);
[[nodiscard]] double ess_bulk(const Chains& draws);
[[nodiscard]] double ess_tail(const Chains& draws);
[[nodiscard]] double ess_mean(const Chains& draws);
[[nodiscard]] double mcse_mean(const Chains& draws);

}  // namespace flymc
