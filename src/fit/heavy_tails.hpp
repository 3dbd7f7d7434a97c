// Whether rows with power-law tails, under a flat prior, have a finite integral together:
//   I = int prod_n (1 + |x_n . theta|)^-a_n dtheta,  a_n = exponent w_n,
// what a Student-t likelihood with weights asks. It has if and only if the a_n hold more than one
// base of rows, in fractions: bases B_j of D independent rows and lambda_j > 0 with
//   sum_j lambda_j > 1  and, for every n,  sum over j with n in B_j of lambda_j <= a_n.
// See docs/method/families.md, Priors.
#pragma once

#include "flymc/dataset.hpp"

namespace flymc {

// REQUIRES: columns of full rank. True is a proof; false may be a lack of one where that is close,
// or the rows are very many. The intercept alone: every row is a base. Collective; where rows are
// split over ranks only rows of a_n > 1 are looked at.
[[nodiscard]] bool tails_are_integrable(const Dataset& data, double exponent);
[[nodiscard]] bool intercept_is_integrable(const Dataset& data, double exponent);

}  // namespace flymc
