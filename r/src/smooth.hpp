#pragma once

#include <cpp11.hpp>

namespace flymc::r {

// The curve s(x, knots) of these values: what smooth_values() needs of the rows of the fit.
// REQUIRES: finite values, as many different ones as knots.
[[nodiscard]] SEXP smooth_constants_of(SEXP values, SEXP knots);
// Its columns, values x (knots - 2), at any values.
[[nodiscard]] SEXP smooth_values(SEXP values, SEXP knots, SEXP constants);

}  // namespace flymc::r
