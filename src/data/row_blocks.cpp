#include "flymc/data/row_blocks.hpp"

#include <algorithm>
#include <utility>

#include "flymc/data/input_files.hpp"
#include "flymc/data/read_table.hpp"
#include "flymc/data/table_rows.hpp"

namespace flymc {

RowBlocks::RowBlocks(const LoadSpec& spec, const BlockLimits& limits)
    : spec_(spec), formula_(formula_of(spec)), limits_(limits) {
  InputFiles files = input_files(spec.path);
  ByteSource first(files.paths[0]);
  const std::string head = first.head();
  kind_ = {.format = decide_format(spec, files.paths[0], head),
           .packing = first.packing(),
           .parts = files.parts ? files.paths.size() : 0};
  if (is_separated_text(kind_.format)) {
    open_text(std::move(first), std::move(files.paths), head);
    return;
  }
  ReadTable table = within_memory(spec, [&] { return read_table(spec, formula_, first.taken()); });
  all_.counts = std::move(table.read.counts);
  all_.details = std::move(table.read.details);
  all_.warnings = std::exchange(table.read.warnings, {});
  whole_.emplace(std::move(table.read));
}

void RowBlocks::open_text(ByteSource first, std::vector<std::string> paths, std::string_view head) {
  for (std::size_t i = 1; i < paths.size(); ++i) {
    require_same_format({paths[0], kind_.format},
                        {paths[i], decide_format(spec_, paths[i], ByteSource(paths[i]).head())});
  }
  kind_.separator = separator_of(kind_.format, head);
  text_spec_ = spec_.formula.empty() ? spec_ : resolve_formula(spec_, formula_);
  text_.emplace(text_spec_, CsvBlocks::Files{std::move(first), std::move(paths), kind_.separator},
                limits_);
  all_.warnings = text_->warnings();
}

std::optional<TableRead> RowBlocks::next_read() {
  if (text_) {
    std::optional<TableRead> block = text_->next();
    all_.counts = text_->counts();
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
  return block;
}

// Its place among all rows, and what it tells of them.
void RowBlocks::note_block(const TableRead& block) {
  if (all_.table.rows == 0) {
    all_.table.columns = block.table.columns;
    all_.table.response.name = block.table.response.name;
    all_.warnings.insert(all_.warnings.end(), block.warnings.begin(), block.warnings.end());
  }
  all_.table.rows += block.table.rows;
  labels_.insert(block.table.response.labels.begin(), block.table.response.labels.end());
}

std::optional<Table> RowBlocks::next() {
  std::optional<TableRead> block = next_read();
  if (!block) {
    all_.table.response.labels.assign(labels_.begin(), labels_.end());
    return std::nullopt;
  }
  apply_formula(formula_, *block, spec_.threads);
  block->table.first_row = all_.table.rows;
  note_block(*block);
  block->table.left_out =
      text_ ? all_.counts.rows - all_.table.rows : all_.counts.rows - whole_->read.table.rows;
  return std::move(block->table);
}

std::string RowBlocks::note() const { return read_note(spec_, kind_, all_); }

}  // namespace flymc
