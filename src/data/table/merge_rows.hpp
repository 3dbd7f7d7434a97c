// Equal rows as one weighted row: sum_n w_n log L(y, x) over equal (x, y, offset) is one likelihood
// term of weight sum_n w_n. Exact, and a merged row is one query.
// See docs/method/engine.md, Beacons and merged rows.
#pragma once

#include <cstdint>
#include <vector>

#include "flymc/table.hpp"

namespace flymc {

// What a row of the merged table was: its number before, and how many rows it stands for.
struct MergedRow {
  std::uint32_t first = 0;
  std::uint32_t count = 1;

  [[nodiscard]] bool operator==(const MergedRow&) const = default;
};

// Merges rows equal in every feature, response and offset (compared in full; -0 equals 0) into the
// first of them, weights added, order kept; returns what the rows held here were, one by one, and
// nothing where a sixteenth of all sections has no two equal rows: a table of numbers that never
// repeat pays for that much, is not written, and weights that were absent stay so. Only within
// sections (shard.hpp), so that the result is the same for any number of threads and ranks. Rows
// that the table does not own (a mapped file) are selected, at 4 bytes a row that stays, never
// copied; looking for equal ones costs them one pass in order, as every other step of set-up. The
// labels of a text response are a dictionary that rows point into: it does not change. REQUIRES:
// less than 2^32 rows; no number is NaN; no trials (they are weights by now).
std::vector<MergedRow> merge_equal_rows(Table& table, unsigned threads);

}  // namespace flymc
