// A covariance from few draws, shrunk towards a multiple of the identity (Ledoit and Wolf 2004):
//   rho m I + (1 - rho) S,  m = tr(S)/D,  rho = min(1, beta^2 / delta^2),
//   delta^2 = |S - m I|^2 (Frobenius),  beta^2 = E|S - Sigma|^2 as estimated from the draws.
// The noise of a sample covariance spreads its eigenvalues even where the truth is round: as a
// metric that costs as much as having no pilot.
#pragma once

#include "flymc/detail/core/linalg.hpp"

namespace flymc {

// `draws`: one a row, in coordinates in which the identity is a sensible guess. `effective_draws`:
// how many independent draws they are worth, at most their number; it scales the noise. The result
// is symmetric and positive definite, also for fewer draws than dimensions; draws without any
// spread give the identity.
[[nodiscard]] Matrix shrunk_covariance(const Matrix& draws, double effective_draws);

}  // namespace flymc
