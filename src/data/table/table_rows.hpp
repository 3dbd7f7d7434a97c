// Some rows of a table as a table of their own.
#pragma once

#include <cstddef>
#include <vector>

#include "flymc/table.hpp"

namespace flymc {

// Only these rows (ascending), as they are numbered now: in place where the table owns them, else
// by selection. REQUIRES: no other rank holds more.
void keep_rows(Table& table, const std::vector<std::size_t>& kept);

// The rows are copied, wherever they lie.
[[nodiscard]] Table rows_of(const Table& table, RowRange range);

// REQUIRES: both own their rows and have the same columns and parts.
void append_rows(Table& table, const Table& more);

}  // namespace flymc
