// What R calls: every function takes and gives R's own values. An Error of the library leaves as a
// condition of R with a class and R's words (wording.hpp).
#pragma once

#define CPP11_PARTIAL  // no using-directives for us
#include <cpp11.hpp>
#include <cpp11/declarations.hpp>
#include <memory>
#include <string>
#include <vector>

#include "flymc/error.hpp"
#include "flymc/family/family.hpp"
#include "flymc/fit.hpp"

namespace flymc::r {

// Signals R's condition for the error; does not return.
[[noreturn]] void raise(const Error& error);

// By name; NULL where it is not there.
[[nodiscard]] SEXP element(const cpp11::list& list, const char* name);
[[nodiscard]] std::vector<double> numbers(SEXP values);     // NULL: none
[[nodiscard]] std::vector<std::string> texts(SEXP values);  // NULL: none
[[nodiscard]] Settings to_settings(
    const cpp11::doubles& named);  // NaN: to be inferred; -Inf: chosen

// data: x (a matrix), columns, response, y, labels, weights, offset, trials, factors; numbers, of
// the rows among those of R's data, where some are left out. x is copied, row after row, as the
// sampler reads it.
[[nodiscard]] Table to_table(const cpp11::list& data);
// Of these x, columns and offset alone.
[[nodiscard]] Table to_features(const cpp11::list& data);
// asked: family, settings, intercept, prior, prior_intercept (kind and scale each), select_prior,
// engine, chains, warmup, draws, thin, seed, cores, ess, levels; columns of predictors where others
// than the first have some.
[[nodiscard]] FitSettings to_fit_settings(const cpp11::list& asked);

// One entry point: an Error becomes a condition, whatever else is thrown an error of R.
template <class Work>
SEXP called(const Work& work) {
  BEGIN_CPP11
  try {
    return work();
  } catch (const Error& error) {
    raise(error);
  }
  END_CPP11
}

}  // namespace flymc::r
