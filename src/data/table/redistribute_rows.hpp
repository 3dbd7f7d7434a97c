// Rows as ranks happened to read them, to the ranks they belong to.
#pragma once

#include <span>
#include <vector>

#include "flymc/ranks.hpp"
#include "flymc/table.hpp"

namespace flymc {

// Collective. The rows of the tables follow each other in the order of ranks; afterwards every rank
// has its whole sections (Shard::spread), and the table says so. Nothing happens to a process
// alone. A rank sends what it has too much, in messages of at most 256 KiB or a row; memory: its
// share once more. REQUIRES: the rows are the table's own; the same columns and parts everywhere.
void redistribute_rows(Ranks& ranks, Table& table);

// Rows of a rank that others read, too: in the order of all rows, which `numbers` tells.
struct DealtRows {
  Table table;
  std::vector<std::size_t> numbers;
};

// Collective. Every row to the rank that `to` says, one entry a row held here: features, response,
// weight, offset and codes, owned there, 8 bytes a number. What the table says of all of its rows
// but for these stays behind.
[[nodiscard]] DealtRows deal_rows(const Table& table, std::span<const int> to);

}  // namespace flymc
