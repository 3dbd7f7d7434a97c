#include "data/table/table_rows.hpp"

#include <algorithm>

namespace flymc {
namespace {

std::vector<double> slice(const std::vector<double>& values, RowRange range) {
  return values.empty()
             ? values
             : std::vector<double>(values.data() + range.first, values.data() + range.last);
}

// Moves the kept rows to the front and cuts the rest.
template <class Values>
void keep(Values& values, const std::vector<std::size_t>& kept, std::size_t width) {
  if (values.empty()) {
    return;
  }
  auto* out = values.data();
  for (const std::size_t row : kept) {
    out = std::copy(values.data() + row * width, values.data() + (row + 1) * width, out);
  }
  values.resize(kept.size() * width);
}

template <class Values>
void append(Values& values, const Values& more) {
  values.insert(values.end(), more.begin(), more.end());
}

}  // namespace

void keep_rows(Table& table, const std::vector<std::size_t>& kept) {
  if (!table.source.empty()) {
    table.source.keep_rows({kept.begin(), kept.end()});
  }
  keep(table.x, kept, table.columns.size());
  for (std::vector<double>* const part :
       {&table.response.values, &table.weights, &table.offset, &table.trials}) {
    keep(*part, kept, 1);
  }
  for (Factor& factor : table.factors) {
    keep(factor.codes, kept, 1);
  }
  table.gaps.keep(kept);
  table.rows = kept.size();
}

Table rows_of(const Table& table, RowRange range) {
  const std::size_t numbers = range.size() * table.columns.size();
  Table rows;
  rows.rows = range.size();
  rows.first_row = table.first_row + range.first;
  rows.columns = table.columns;
  rows.x.resize(numbers);
  if (const double* const x = table.block(range, rows.x.data()); x != rows.x.data()) {
    std::copy_n(x, numbers, rows.x.data());
  }
  rows.response = {table.response.name, slice(table.response.values, range), table.response.labels};
  rows.weights = slice(table.weights, range);
  rows.offset = slice(table.offset, range);
  rows.trials = slice(table.trials, range);
  rows.left_out = table.left_out;
  rows.levels = table.levels;
  for (const Factor& factor : table.factors) {
    rows.factors.push_back({factor.name,
                            factor.labels,
                            {factor.codes.data() + range.first, factor.codes.data() + range.last}});
  }
  return rows;
}

void append_rows(Table& table, const Table& more) {
  table.rows += more.rows;
  append(table.x, more.x);
  append(table.response.values, more.response.values);
  append(table.weights, more.weights);
  append(table.offset, more.offset);
  append(table.trials, more.trials);
  for (std::size_t i = 0; i < table.factors.size(); ++i) {
    append(table.factors[i].codes, more.factors[i].codes);
  }
}

}  // namespace flymc
