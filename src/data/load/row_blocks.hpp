// The table that load() reads, some rows at a time, for one who looks at each row once.
//
//   RowBlocks blocks({.path = "new.csv", .matches_earlier = true}, {.rows = 10'000});
//   while (std::optional<Table> rows = blocks.next()) { ... }
//
// Memory: of csv and tsv (plain, packed, piped or in parts) a block; of .fly and of npy floats,
// whose features stay in their file, a block and the response, weights, offset and trials of all
// rows; of other formats the table. Every block makes its own products of a formula.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "data/csv/csv_blocks.hpp"
#include "data/csv/text_blocks.hpp"
#include "data/load/input_kind.hpp"
#include "data/table/formula.hpp"
#include "flymc/detail/data/table/sequential_read.hpp"
#include "flymc/load.hpp"

namespace flymc {

// Not thread safe.
class RowBlocks {
 public:
  // REQUIRES: spec.levels has every categorical column; text_response where labels may look like
  // numbers. THROWS Error as load(), but for what is wrong with the rows of text.
  RowBlocks(const LoadSpec& spec, const BlockLimits& limits);
  RowBlocks(const RowBlocks&) = delete;
  RowBlocks& operator=(const RowBlocks&) = delete;

  // The rows in their order, one at least; none after the last. Labels of a text response are those
  // of the block. THROWS Error as load() for the first mistake in these rows.
  [[nodiscard]] std::optional<Table> next();

  // In place of next(): the same rows before the formula makes columns of them, factors of group
  // terms apart. make_columns() does, of any such rows, NaN where a function has no number for an
  // answer; thread safe.
  [[nodiscard]] std::optional<TableRead> next_raw();
  void make_columns(TableRead& rows, unsigned threads) const;

  // As load() gives them. REQUIRES: next() has come to the end.
  [[nodiscard]] std::string note() const;
  [[nodiscard]] const RowCounts& counts() const noexcept { return all_.counts; }
  // Of the rows read so far.
  [[nodiscard]] const RowGaps& gaps() const noexcept {
    return text_ ? text_->gaps() : whole_->read.table.gaps;
  }
  [[nodiscard]] const std::vector<std::string>& warnings() const noexcept { return all_.warnings; }

 private:
  // Rows that were all read, wherever they lie.
  struct Whole {
    explicit Whole(TableRead table) : read(std::move(table)), in_order(read.table.source) {}
    TableRead read;
    SequentialRead in_order;
    std::size_t at = 0;
  };

  [[nodiscard]] std::optional<TableRead> next_read();
  void note_block(const TableRead& block);

  LoadSpec spec_;
  Formula formula_;  // what to read,
  Formula columns_;  // and to make of it
  BlockLimits limits_;
  InputKind kind_{};
  LoadSpec text_spec_{};             // what the formula makes of it
  std::optional<CsvBlocks> text_{};  // one of the two
  std::optional<Whole> whole_{};
  TableRead all_{};  // what is known of all rows; not the rows
  std::set<std::string> labels_{};
};

}  // namespace flymc
