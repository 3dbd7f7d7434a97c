#include "report/first_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "data/load/input_kind.hpp"
#include "data/load/open_input.hpp"
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

std::vector<std::string> first_names(const LoadSpec& data) {
  const LoadSpec spec = as_text(data, {});
  OpenedInput input = open_input(spec);
  if (!is_separated_text(input.kind.format)) {
    return {};
  }
  const CsvBlocks blocks(spec, std::move(input.files), BlockLimits{.rows = 1});
  std::vector<std::string> names = blocks.layout().header.names();
  std::erase(names, data.response);
  names.resize(std::min(names.size(), kColumnsShown));
  return names;
}

}  // namespace

Json first_columns(const LoadSpec& data, const std::vector<std::size_t>& rows) {
  constexpr std::size_t kBlockRows = 100'000;
  const std::vector<std::string> names = first_names(data);
  if (names.empty() || rows.empty()) {
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
