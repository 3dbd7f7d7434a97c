// Parsed chunks into one table: gaps closed, labels in sort order, categories as indicators.
#pragma once

#include <string>
#include <vector>

#include "flymc/data/columns.hpp"
#include "flymc/data/csv_rows.hpp"
#include "flymc/data/table.hpp"

namespace flymc::csv {

struct Parsed {
  std::vector<Chunk> chunks;
  std::vector<ChunkResult> results;  // one a chunk, without issues
  RawRows raw;
};

// Names and parts of the columns, as the plan was made from them.
struct Layout {
  Header header;
  Columns columns;
};

// O(table), without a copy of it where nothing was dropped and nothing is categorical. Appends to
// `warnings`. THROWS Error kData for a category of too many levels.
[[nodiscard]] Table assemble(Parsed parsed, const Plan& plan, const Layout& layout,
                             std::vector<std::string>& warnings);

}  // namespace flymc::csv
