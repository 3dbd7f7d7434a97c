#include "effects/input_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "data/table/table_rows.hpp"

namespace flymc {
namespace {

// What lies in rows of a sample where they were read: numbers, or indicators of all levels but the
// first.
InputVariable variable_of(const Table& rows, const InputColumn& column) {
  InputVariable variable{column.name, values_of(rows, column.first), {}};
  if (column.kind != InputColumn::Kind::kCategory) {
    return variable;
  }
  variable.levels = column.levels;
  const std::size_t width = rows.columns.size();
  for (std::size_t n = 0; n < rows.rows; ++n) {
    const double* const indicators = rows.x.data() + n * width + column.first;
    const std::size_t count = column.levels.size() - 1;
    const auto at =
        static_cast<std::size_t>(std::find(indicators, indicators + count, 1.0) - indicators);
    variable.values[n] = at < count ? static_cast<double>(at + 1) : 0.0;
  }
  return variable;
}

// The other way round; a level that is missing is missing in every indicator.
void write_input(const InputVariable& input, std::size_t first, Table& rows) {
  const std::size_t width = rows.columns.size();
  for (std::size_t n = 0; n < rows.rows; ++n) {
    double* const row = rows.x.data() + n * width + first;
    const double value = input.values[n];
    if (input.levels.empty()) {
      *row = value;
      continue;
    }
    std::fill_n(row, input.levels.size() - 1, std::isnan(value) ? value : 0.0);
    if (value > 0.0) {
      row[static_cast<std::size_t>(value) - 1] = 1.0;
    }
  }
}

std::vector<std::size_t> numbers_of(const Table& sample, RowRange range) {
  const std::size_t width = sample.columns.size();
  std::vector<std::size_t> numbers;
  for (std::size_t n = range.first; n < range.last; ++n) {
    numbers.push_back(static_cast<std::size_t>(sample.x[(n + 1) * width - 1]));
  }
  return numbers;
}

}  // namespace

RowSample LoadedRows::sample(std::size_t most, std::uint64_t seed) {
  return sample_rows(rows_, most, seed);
}

std::size_t LoadedRows::rows_at_once(std::size_t /*changes*/) const {
  return std::numeric_limits<std::size_t>::max();
}

ChangedRows LoadedRows::change(const RowSample& sample, RowRange /*range*/,
                               const InputColumn& /*column*/,
                               const std::vector<Change>& changes) const {
  return [this, &sample, &changes](std::size_t i, RowRange part) {
    TableRead rows;
    rows.table = rows_of(sample.raw.table, part);
    rows.features = sample.raw.features;
    changes[i](rows.table);
    rows_.make_columns(rows, 1);
    return std::move(rows.table);
  };
}

RowSample HeldInput::sample(std::size_t most, std::uint64_t seed) {
  const std::vector<std::size_t> numbers = sample_numbers(rows_.size(), most, seed);
  Table given = rows_.table(numbers);
  levels_.match(given.factors, NewLevels::kDraw);
  RowSample sample;
  sample.of = rows_.size();
  Table& table = sample.raw.table;
  table.rows = numbers.size();
  table.weights = rows_.of_fit() ? std::move(given.weights) : std::vector<double>{};
  table.factors = std::move(given.factors);
  const std::vector<InputVariable> inputs = rows_.inputs(numbers);
  for (const InputVariable& input : inputs) {
    const std::size_t count = input.levels.empty() ? 1 : input.levels.size() - 1;
    sample.raw.features.push_back({input.name, count});
    table.columns.insert(table.columns.end(), count, input.name);
    if (!input.levels.empty()) {
      table.levels[input.name] = input.levels;
    }
  }
  if (inputs.empty()) {
    return sample;  // and no row is asked for again
  }
  table.columns.emplace_back();
  const std::size_t width = table.columns.size();
  table.x = Buffer<double>(table.rows * width);
  std::size_t first = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    write_input(inputs[i], first, table);
    first += sample.raw.features[i].count;
  }
  for (std::size_t n = 0; n < table.rows; ++n) {
    table.x[(n + 1) * width - 1] = static_cast<double>(numbers[n]);
  }
  return sample;
}

std::size_t HeldInput::rows_at_once(std::size_t changes) const {
  constexpr std::size_t kMostNumbers = std::size_t{1} << 25;  // 256 MiB
  return std::max<std::size_t>(1, kMostNumbers / ((draws_.features.size() + 1) * changes));
}

ChangedRows HeldInput::change(const RowSample& sample, RowRange range, const InputColumn& column,
                              const std::vector<Change>& changes) const {
  const std::vector<std::size_t> numbers = numbers_of(sample.raw.table, range);
  const auto made = std::make_shared<std::vector<Table>>();
  for (const Change& change : changes) {
    Table rows = rows_of(sample.raw.table, range);
    change(rows);
    Table columns = rows_.changed(numbers, variable_of(rows, column));
    arrange_columns(draws_.features, columns);
    rows.columns = std::move(columns.columns);
    rows.x = std::move(columns.x);
    rows.offset = std::move(columns.offset);
    made->push_back(std::move(rows));
  }
  return [made, first = range.first](std::size_t i, RowRange part) {
    return rows_of((*made)[i], {part.first - first, part.last - first});
  };
}

}  // namespace flymc
