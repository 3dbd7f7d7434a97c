#pragma once

#include <cpp11.hpp>

namespace flymc::r {

// Of draws (draw x chain x parameter): mean, sd, mcse_mean, q5, q50, q95, ess_bulk, ess_tail, rhat,
// a column each parameter.
[[nodiscard]] SEXP estimate_draws(SEXP draws);

}  // namespace flymc::r
