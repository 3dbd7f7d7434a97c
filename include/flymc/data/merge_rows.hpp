// Equal rows as one weighted row: sum_n w_n log L(y, x) over equal (x, y, offset) is one likelihood
// term of weight sum_n w_n. Exact, and a merged row is one query.
#pragma once

#include <cstddef>

#include "flymc/data/table.hpp"

namespace flymc {

// Merges rows equal in every feature, response and offset (compared in full; -0 equals 0) into the
// first of them, weights added, order kept; returns the number of rows removed, at all ranks. Only
// within sections (shard.hpp), so that the result is the same for any number of threads and ranks.
// Where all rows are distinct the table is read once and not written: weights that were absent stay
// so. Rows that the table does not own (a mapped file) are selected, at 4 bytes a row that stays,
// never copied; looking for equal ones costs them one pass in order, as every other step of set-up.
// The labels of a text response are a dictionary that rows point into: it does not change.
// REQUIRES: no number is NaN; no trials (they are weights by now).
std::size_t merge_equal_rows(Table& table, unsigned threads);

}  // namespace flymc
