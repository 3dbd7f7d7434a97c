// What a user is told about a row that cannot be used.
#pragma once

#include <string>

#include "data/csv/csv_rows.hpp"
#include "data/table/columns.hpp"
#include "flymc/detail/data/table/row_counts.hpp"
#include "flymc/error.hpp"

namespace flymc::csv {

// Where an issue was found, and the totals its message gives.
struct IssueContext {
  const LoadSpec& spec;
  const Header& header;
  std::string place;  // "train.csv:1042"
  RowCounts counts;
};

// "train.csv:1042: column 'age' is empty. ..."
[[nodiscard]] Error describe(const Issue& issue, const IssueContext& context);

}  // namespace flymc::csv
