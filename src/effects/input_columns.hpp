// The columns of the input behind a formula: what each holds, and where it can be set.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "flymc/detail/data/table/row_counts.hpp"

namespace flymc {

struct InputColumn {
  enum class Kind { kNumber, kFlag, kCategory };

  std::string name;
  Kind kind = Kind::kNumber;
  std::size_t first = 0;  // its place in a row
  // kCategory: the first has no number in a row, each other has its indicator; kFlag: 0 and 1.
  std::vector<std::string> levels{};
  double sd = 0.0;             // kNumber
  std::vector<double> grid{};  // kNumber: ascending
};

// Those of rows as they were read. A number that is 0 or 1 in every row, and both in some, is a
// flag. The grid: every value where there are no more than `points`, else so many, evenly spaced
// from the 1 % to the 99 % quantile. REQUIRES: one row at least, which the table owns.
[[nodiscard]] std::vector<InputColumn> input_columns(const TableRead& raw, std::size_t points);

// The values of one number, row after row.
[[nodiscard]] std::vector<double> values_of(const Table& table, std::size_t column);

// Sets the column of every row to one of its levels.
void set_level(Table& table, const InputColumn& column, std::size_t level);

}  // namespace flymc
