// What a user is told about a row that cannot be used.
#pragma once

#include "flymc/core/error.hpp"
#include "flymc/data/columns.hpp"
#include "flymc/data/csv_rows.hpp"
#include "flymc/data/row_counts.hpp"

namespace flymc::csv {

// The text an issue was found in, and the totals its message gives.
struct IssueContext {
  const LoadSpec& spec;
  const Header& header;
  const char* text_begin;
  RowCounts counts;
};

// "train.csv:1042: column 'age' is empty. ..." O(bytes before the issue), to count the lines.
[[nodiscard]] Error describe(const Issue& issue, const IssueContext& context);

}  // namespace flymc::csv
