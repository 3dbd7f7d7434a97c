#pragma once

#include <cpp11.hpp>

namespace flymc::r {

// What every family is called and takes.
[[nodiscard]] SEXP list_families();

// A family is list(family, settings, classes). eta: draws x rows (x classes), the linear
// predictors; auxiliaries: draws x auxiliary parameters, on their natural scale.
// E[y]: draws x rows (x classes).
[[nodiscard]] SEXP family_means(SEXP family, SEXP eta, SEXP auxiliaries);
// log p(y) of the responses as the family codes them (of successes their share), one a row as the
// trials are.
[[nodiscard]] SEXP family_log_lik(SEXP family, SEXP eta, SEXP auxiliaries, SEXP y, SEXP trials);
// Responses, draws x rows; NA where a predictor is. Those of row i depend on the seed and on
// first_row + i alone.
[[nodiscard]] SEXP family_sample(SEXP family, SEXP eta, SEXP auxiliaries, SEXP trials,
                                 SEXP address);
// Which classes hold 1 - 2 tail of the draws, by the share of each (class_answer.hpp): from 1.
[[nodiscard]] SEXP class_set(SEXP shares, SEXP tail, SEXP ordered);

}  // namespace flymc::r
