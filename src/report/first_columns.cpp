#include "report/first_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <ranges>

#include "core/text.hpp"
#include "data/format/parquet.hpp"
#include "data/load/input_kind.hpp"
#include "data/load/open_input.hpp"
#include "data/load/read_table.hpp"
#include "flymc/error.hpp"
#include "report/isolated.hpp"

namespace flymc {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kColumnsShown = 3;

// The file, and of its columns these alone, as text.
LoadSpec as_text(const LoadSpec& data, const std::vector<std::string>& columns) {
  LoadSpec spec;
  spec.path = data.path;
  spec.format = data.format;
  spec.header = data.header;
  spec.threads = data.threads;
  spec.features = columns;
  spec.categorical = columns;
  spec.missing = Missing::kKeep;
  spec.matches_earlier = true;
  return spec;
}

void add_value(std::string& words, const std::string& name, const std::string& value) {
  words += fmt::format("{}{} {}", words.empty() ? "" : ", ", isolated(shortened(name)),
                       value.empty() ? "missing" : isolated(shortened(value)));
}

// Which row of the table has this number in the file; none where it was left out.
std::optional<std::size_t> place_of(std::size_t number, const Table& table) {
  const auto rows = std::views::iota(std::size_t{0}, table.rows);
  const auto in_file = [&](std::size_t row) { return table.gaps.number_of(row); };
  const auto found = std::ranges::lower_bound(rows, number, {}, in_file);
  return found != rows.end() && in_file(*found) == number ? std::optional(*found) : std::nullopt;
}

// Of files that have numbers only: where rows lie is known, and nothing is copied that is mapped.
// Of rows that are mostly 0 (LIBSVM) the first columns that are not.
Json first_numbers(const LoadSpec& data, bool sparse, const std::vector<std::size_t>& rows) {
  LoadSpec spec;
  spec.path = data.path;
  spec.format = data.format;
  spec.threads = data.threads;
  spec.missing = Missing::kKeep;
  spec.drops_unanswered = true;
  const ReadTable all = read_table(spec, {});
  const Table& table = all.read.table;
  Buffer<double> scratch(table.columns.size());
  std::vector<std::string> cells(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::optional<std::size_t> place = place_of(rows[i] - 1, table);
    if (!place) {
      return nullptr;  // others than the file has
    }
    const double* const x = table.row(*place, scratch.data());
    std::size_t shown = 0;
    for (std::size_t j = 0; j < table.columns.size() && shown < kColumnsShown; ++j) {
      if (table.columns[j] != data.response && !(sparse && x[j] == 0.0)) {
        add_value(cells[i], table.columns[j], std::isnan(x[j]) ? "" : fmt::format("{:.10g}", x[j]));
        ++shown;
      }
    }
  }
  return cells;
}

Json first_of_parquet(const LoadSpec& data, const std::vector<std::string>& paths,
                      const std::vector<std::size_t>& rows) {
  const ParquetCells found = parquet_cells(paths, kColumnsShown, data.response, rows);
  std::vector<std::string> cells(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < found.names.size(); ++j) {
      add_value(cells[i], found.names[j], found.rows[i][j]);
    }
  }
  return cells;
}

std::vector<std::string> first_names(const LoadSpec& spec, const std::string& response,
                                     OpenedInput input) {
  const CsvBlocks blocks(spec, std::move(input.files), BlockLimits{.rows = 1});
  std::vector<std::string> names = blocks.layout().header.names();
  std::erase(names, response);
  names.resize(std::min(names.size(), kColumnsShown));
  return names;
}

}  // namespace

Json first_columns(const LoadSpec& data, const std::vector<std::size_t>& rows) {
  constexpr std::size_t kBlockRows = 100'000;
  if (rows.empty()) {
    return nullptr;
  }
  const LoadSpec header_only = as_text(data, {});
  OpenedInput input = open_input(header_only);
  switch (input.kind.format) {
    case Format::kNpy:
    case Format::kNpz:
    case Format::kFly:
    case Format::kLibsvm:
      return first_numbers(data, input.kind.format == Format::kLibsvm, rows);
    case Format::kParquet:
      return first_of_parquet(data, input.files.paths, rows);
    case Format::kCsv:
    case Format::kTsv:
      break;
    case Format::kAuto:
    case Format::kFrame:
      return nullptr;
  }
  const std::vector<std::string> names = first_names(header_only, data.response, std::move(input));
  if (names.empty()) {
    return nullptr;
  }
  const LoadSpec spec = as_text(data, names);
  CsvBlocks blocks(spec, open_input(spec).files, BlockLimits{.rows = kBlockRows});
  std::vector<std::string> cells(rows.size());
  std::size_t before = 0;  // rows in the blocks that are past
  while (before < std::ranges::max(rows)) {
    const std::optional<csv::CodedRows> block = blocks.next_coded();
    if (!block) {
      throw Error(ErrorKind::kIo, escaped(spec.path) + ": the file changed while it was read.");
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t at = rows[i] - 1 - before;  // wraps around for a row that is past
      for (std::size_t j = 0; at < block->rows && j < names.size(); ++j) {
        const double code = block->raw.x[at * names.size() + j];
        add_value(cells[i], names[j],
                  std::isnan(code) ? "" : block->levels[j][static_cast<std::size_t>(code)]);
      }
    }
    before += block->rows;
  }
  return cells;
}

Json first_columns(const DataFrame& data, const std::string& response,
                   const std::vector<std::size_t>& rows) {
  if (std::ranges::any_of(rows, [&](std::size_t row) { return row > data.rows; })) {
    return nullptr;
  }
  std::vector<const FrameColumn*> columns;
  for (const FrameColumn& column : data.columns) {
    if (column.name != response && columns.size() < kColumnsShown) {
      columns.push_back(&column);
    }
  }
  const auto value = [](const FrameColumn& column, std::size_t row) {
    if (column.is_number()) {
      return std::isnan(column.numbers[row]) ? "" : fmt::format("{}", column.numbers[row]);
    }
    return column.codes[row] < 0 ? "" : column.labels[static_cast<std::size_t>(column.codes[row])];
  };
  std::vector<std::string> cells(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const FrameColumn* const column : columns) {
      add_value(cells[i], column->name, value(*column, rows[i] - 1));
    }
  }
  return cells;
}

}  // namespace flymc
