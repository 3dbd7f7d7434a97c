// Parsed chunks into one table: gaps closed, labels in sort order, categories as indicators.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "data/csv/csv_rows.hpp"
#include "data/table/columns.hpp"
#include "flymc/detail/data/table/row_counts.hpp"

namespace flymc::csv {

struct Parsed {
  std::vector<Chunk> chunks;
  std::vector<ChunkResult> results;  // one a chunk
  RawRows raw;
};

// Names and parts of the columns, as the plan was made from them.
struct Layout {
  Header header;
  Columns columns;
};

// What was asked for, and where it was read; for messages.
struct Source {
  const LoadSpec& spec;
  std::function<std::string(const Issue&)> place_of;  // "train.csv:15"
};

// Over all ranks.
[[nodiscard]] RowCounts count_rows(Ranks& ranks, const Parsed& parsed, const Header& header);

// What is wrong first, in file order; null where nothing is.
[[nodiscard]] const Issue* first_issue(const Parsed& parsed);

// The rows that were kept, without gaps; a category or label is its position among its sorted
// names.
struct CodedRows {
  std::size_t rows = 0;
  std::vector<std::vector<std::string>> levels;  // one a feature; empty for numbers
  std::vector<std::string> labels;               // of the response; empty for numbers
  RawRows raw;
};

// Rows that were not kept.
[[nodiscard]] RowGaps gaps_of(const Parsed& parsed);

// Collective. O(table), in place. REQUIRES: no issues.
[[nodiscard]] CodedRows code_rows(Ranks& ranks, Parsed parsed, const Plan& plan);

// THROWS Error kData where a category has too many levels.
void require_levels(const std::string& name, std::size_t levels);

// The rows as a table. O(table), without a copy of it where nothing is categorical. Appends to
// `read.warnings`. THROWS Error kData for a category of too many levels.
void fill_table(CodedRows coded, const Layout& layout, TableRead& read);

// All of this, at every rank its share of the rows. THROWS Error kData for the first issue of the
// rows, too, and where no row is left.
[[nodiscard]] TableRead assemble(Parsed parsed, const Plan& plan, const Layout& layout,
                                 const Source& source, std::vector<std::string> warnings);

}  // namespace flymc::csv
