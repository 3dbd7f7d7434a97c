#include "data/load/row_blocks.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/text.hpp"
#include "data/load/open_input.hpp"
#include "data/load/read_table.hpp"
#include "data/table/dates.hpp"
#include "data/table/factors.hpp"
#include "data/table/fill_missing.hpp"
#include "data/table/table_rows.hpp"

namespace flymc {

RowBlocks::RowBlocks(const LoadSpec& spec, const BlockLimits& limits)
    : spec_(spec),
      formula_(formula_of(spec)),
      columns_(with_missing_columns(formula_, spec.constants)),
      limits_(limits) {
  std::optional<OpenedInput> input;
  if (spec.frame == nullptr) {
    input = open_input(spec);
    kind_ = input->kind;
  }
  if (is_separated_text(kind_.format)) {
    text_spec_ = spec.formula.empty() ? spec : resolve_formula(spec, formula_);
    text_.emplace(text_spec_, std::move(input->files), limits);
    all_.warnings = text_->warnings();
    return;
  }
  ReadTable table = within_memory(spec, [&] {
    return read_table(spec, formula_, input ? input->files.first.taken() : std::string_view{});
  });
  kind_ = table.kind;
  all_.counts = std::move(table.read.counts);
  all_.details = std::move(table.read.details);
  all_.warnings = std::exchange(table.read.warnings, {});
  whole_.emplace(std::move(table.read));
}

std::optional<TableRead> RowBlocks::next_read() {
  if (text_) {
    std::optional<TableRead> block = text_->next();
    const std::size_t valueless = all_.counts.valueless;
    all_.counts = text_->counts();
    all_.counts.valueless = valueless;
    return block;
  }
  const Table& table = whole_->read.table;
  const RowRange range{whole_->at, std::min(table.rows, whole_->at + limits_.rows)};
  whole_->at = range.last;
  if (range.size() == 0) {
    return std::nullopt;
  }
  TableRead block;
  block.table = rows_of(table, range);
  block.features = whole_->read.features;
  block.factor_labels = whole_->read.factor_labels;
  return block;
}

// Its place among all rows, and what it tells of them.
void RowBlocks::note_block(const TableRead& block) {
  if (all_.table.rows == 0) {
    all_.table.columns = block.table.columns;
    all_.table.response.name = block.table.response.name;
  }
  std::ranges::copy_if(block.warnings, std::back_inserter(all_.warnings),
                       [&](const std::string& warning) {  // blocks may say the same
                         return std::ranges::find(all_.warnings, warning) == all_.warnings.end();
                       });
  all_.table.rows += block.table.rows;
  labels_.insert(block.table.response.labels.begin(), block.table.response.labels.end());
}

std::optional<TableRead> RowBlocks::next_raw() {
  while (std::optional<TableRead> block = next_read()) {
    take_factors(formula_, *block);
    count_from_first_day(spec_, *block);
    fill_missing(spec_, *block);
    if (drops_valueless_rows(spec_)) {
      drop_valueless_rows(columns_, *block, spec_.threads);
      all_.counts.valueless += block->counts.valueless;
    }
    if (block->table.rows > 0) {
      return block;
    }
  }
  if (all_.counts.valueless > 0) {
    require_rows(all_.counts, escaped(spec_.path));
  }
  return std::nullopt;
}

void RowBlocks::make_columns(TableRead& rows, unsigned threads) const {
  Formula formula = columns_;
  formula.keeps_missing = true;
  apply_formula(formula, rows, threads);
}

std::optional<Table> RowBlocks::next() {
  std::optional<TableRead> block = next_raw();
  if (!block) {
    all_.table.response.labels.assign(labels_.begin(), labels_.end());
    return std::nullopt;
  }
  block->table.first_row = all_.table.rows;
  apply_formula(columns_, *block, spec_.threads);
  note_block(*block);
  block->table.left_out =
      all_.counts.rows -
      (text_ ? all_.table.rows : whole_->read.table.rows - all_.counts.valueless);
  return std::move(block->table);
}

std::string RowBlocks::note() const { return read_note(spec_, kind_, all_); }

}  // namespace flymc
