// Some rows of a table as a table of their own.
#pragma once

#include "flymc/table.hpp"

namespace flymc {

// The rows are copied, wherever they lie.
[[nodiscard]] Table rows_of(const Table& table, RowRange range);

// REQUIRES: both own their rows and have the same columns and parts.
void append_rows(Table& table, const Table& more);

}  // namespace flymc
