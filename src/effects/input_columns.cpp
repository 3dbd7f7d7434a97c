#include "effects/input_columns.hpp"

#include <algorithm>
#include <cmath>

#include "diagnose/moments.hpp"

namespace flymc {
namespace {

std::vector<double> grid_of(const std::vector<double>& values, std::size_t points) {
  std::vector<double> distinct = values;
  std::ranges::sort(distinct);
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  if (distinct.size() <= points) {
    return distinct;
  }
  const double low = quantile(values, 0.01);
  const double high = quantile(values, 0.99);
  if (!(low < high)) {
    return {low};
  }
  std::vector<double> grid;
  for (std::size_t i = 0; i < points; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(points - 1);
    grid.push_back(low + share * (high - low));
  }
  return grid;
}

bool is_flag(const std::vector<double>& values) {
  const auto ones = std::ranges::count(values, 1.0);
  const auto zeros = std::ranges::count(values, 0.0);
  return ones > 0 && zeros > 0 && static_cast<std::size_t>(ones + zeros) == values.size();
}

InputColumn number(const std::string& name, std::size_t first, const std::vector<double>& values,
                   std::size_t points) {
  if (is_flag(values)) {
    return {name, InputColumn::Kind::kFlag, first, {"0", "1"}};
  }
  const double sd = values.size() > 1 ? standard_deviation(values) : 0.0;
  return {name, InputColumn::Kind::kNumber, first, {}, sd, grid_of(values, points)};
}

}  // namespace

std::vector<double> values_of(const Table& table, std::size_t column) {
  std::vector<double> values(table.rows);
  for (std::size_t n = 0; n < table.rows; ++n) {
    values[n] = table.x[n * table.columns.size() + column];
  }
  return values;
}

std::vector<InputColumn> input_columns(const TableRead& raw, std::size_t points) {
  std::vector<FeatureColumns> features = raw.features;
  if (features.empty()) {
    for (const std::string& name : raw.table.columns) {
      features.push_back({name, 1});
    }
  }
  std::vector<InputColumn> columns;
  std::size_t first = 0;
  for (const FeatureColumns& feature : features) {
    if (const auto levels = raw.table.levels.find(feature.name); levels != raw.table.levels.end()) {
      columns.push_back({feature.name, InputColumn::Kind::kCategory, first, levels->second});
    } else {
      columns.push_back(number(feature.name, first, values_of(raw.table, first), points));
    }
    first += feature.count;
  }
  return columns;
}

void set_level(Table& table, const InputColumn& column, std::size_t level) {
  const bool flag = column.kind == InputColumn::Kind::kFlag;
  const std::size_t indicators = column.levels.size() - 1;
  for (std::size_t n = 0; n < table.rows; ++n) {
    double* const row = table.x.data() + n * table.columns.size() + column.first;
    std::fill_n(row, flag ? 1 : indicators, 0.0);
    if (level > 0) {
      row[level - 1] = 1.0;
    }
  }
}

}  // namespace flymc
