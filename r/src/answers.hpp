#pragma once

#include <cpp11.hpp>

namespace flymc::r {

// Rows as R holds them: list(count, of_fit, table, inputs, changed), three functions of rows by
// their numbers from 1 (R/answers.R). changed() gives list(x, columns, offset), or list(why_not).

// asked: of, rows (NULL: the default), draws, prob, cores. list(text, outcomes, effects, curves,
// rows, rows_of, draws, prob, notes); effects and curves are lists of columns.
[[nodiscard]] SEXP fit_effects(SEXP pointer, SEXP rows, SEXP asked);
// asked: rows, draws, prob, cores.
[[nodiscard]] SEXP fit_check(SEXP pointer, SEXP rows, SEXP asked);
// fits: each list(name, run, rows).
[[nodiscard]] SEXP compare_runs(SEXP fits, SEXP all);
// The page, as text.
[[nodiscard]] SEXP fit_report(SEXP pointer, SEXP rows);

}  // namespace flymc::r
