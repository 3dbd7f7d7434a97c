#pragma once

#include <cpp11.hpp>

#include "flymc/fit.hpp"

namespace flymc::r {

// What the pointer holds. REQUIRES: is_alive().
[[nodiscard]] const Fit& fit_of(SEXP pointer);

// An external pointer; no draw yet.
[[nodiscard]] SEXP make_fit(SEXP data, SEXP asked);
// To so many draws a chain in all, or to R's interrupt, which is then swallowed: TRUE. The draws so
// far are kept.
[[nodiscard]] SEXP advance_fit(SEXP pointer, SEXP draws, SEXP progress);
// Draws and what is known of them. REQUIRES: a draw.
[[nodiscard]] SEXP read_fit(SEXP pointer);
// FALSE: the pointer was read from a file, and what it pointed at is gone.
[[nodiscard]] SEXP is_alive(SEXP pointer);
[[nodiscard]] SEXP count_draws(SEXP pointer);

}  // namespace flymc::r
