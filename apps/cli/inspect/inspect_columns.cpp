#include "cli/inspect/inspect_columns.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <utility>

#include "core/parallel.hpp"
#include "data/table/dependence.hpp"
#include "fit/prepare.hpp"

namespace flymc::cli {
namespace {

bool is_indicator(const std::string& name, const LoadSpec& spec) {
  return std::ranges::any_of(
      spec.categorical, [&](const std::string& column) { return name.starts_with(column + "="); });
}

// Calls work(row) for the rows of a range, in order, whoever owns them.
template <class Work>
void for_rows(const Table& table, RowRange range, Work&& work) {
  const SequentialRead in_order(table.source);
  Buffer<double> scratch(table.columns.size());
  for (std::size_t n = range.first; n < range.last; ++n) {
    work(table.row(n, scratch.data()));
  }
}

struct Range {
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
  Distinct distinct;

  void add(double value) {
    min = std::min(min, value);
    max = std::max(max, value);
    distinct.add(value);
  }
  void add(const Range& other) {
    min = std::min(min, other.min);
    max = std::max(max, other.max);
    distinct.add(other.distinct);
  }
};

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) noexcept {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15ULL;
  return hash ^ (hash >> 32);
}

// One number a column, and pieces of rows merged in their order.
template <class Value, class AddRow, class Merge>
std::vector<Value> by_column(const Table& table, unsigned threads, AddRow&& add_row,
                             Merge&& merge) {
  const auto chunks = row_chunks(table.rows, table.columns.size() * sizeof(Value));
  std::vector<std::vector<Value>> partial(chunks.size());
  parallel_for(chunks.size(), threads, [&](std::size_t c) {
    partial[c].resize(table.columns.size());
    for_rows(table, chunks[c], [&](const double* row) { add_row(partial[c], row); });
  });
  for (std::size_t c = 1; c < partial.size(); ++c) {
    for (std::size_t j = 0; j < table.columns.size(); ++j) {
      merge(partial[0][j], partial[c][j]);
    }
  }
  return std::move(partial[0]);
}

bool are_equal(const Table& table, std::size_t a, std::size_t b) {
  bool equal = true;
  for_rows(table, {0, table.rows}, [&](const double* row) { equal = equal && row[a] == row[b]; });
  return equal;
}

}  // namespace

Distinct describe(const std::vector<double>& values, ColumnFacts& facts) {
  Range range;
  for (const double value : values) {
    range.add(value);
  }
  facts.min = range.min;
  facts.max = range.max;
  facts.distinct = range.distinct.count();
  return range.distinct;
}

std::vector<ColumnFacts> describe_columns(const Table& table, const ColumnMoments& moments,
                                          const LoadSpec& spec) {
  const std::size_t width = table.columns.size();
  const auto ranges = by_column<Range>(
      table, spec.threads,
      [&](std::vector<Range>& of, const double* row) {
        for (std::size_t j = 0; j < width; ++j) {
          of[j].add(row[j]);
        }
      },
      [](Range& into, const Range& other) { into.add(other); });
  std::vector<ColumnFacts> columns(width);
  for (std::size_t column = 0; column < width; ++column) {
    const auto j = static_cast<Index>(column);
    ColumnFacts& facts = columns[column];
    facts.name = table.columns[column];
    facts.min = ranges[column].min;
    facts.max = ranges[column].max;
    facts.distinct = ranges[column].distinct.count();
    facts.mean = moments.mean[j];
    facts.sd = moments.sd[j];
    facts.type = is_constant(moments, j) ? "constant"
                 : !ranges[column].distinct.zero_one()
                     ? "number"  // also a product with one of them
                 : is_indicator(facts.name, spec) ? "categorical"
                                                  : "0/1";
  }
  return columns;
}

std::vector<DependentColumn> equal_columns(const Table& table, unsigned threads) {
  const auto hashes = by_column<std::uint64_t>(
      table, threads,
      [&](std::vector<std::uint64_t>& of, const double* row) {
        for (std::size_t j = 0; j < of.size(); ++j) {
          // Adding +0 turns -0 into +0 and changes nothing else.
          of[j] = mixed(of[j], std::bit_cast<std::uint64_t>(row[j] + 0.0));
        }
      },
      [](std::uint64_t& into, std::uint64_t other) { into = mixed(into, other); });
  std::unordered_map<std::uint64_t, std::size_t> first;
  std::vector<DependentColumn> found;
  for (std::size_t column = 0; column < hashes.size(); ++column) {
    const auto [entry, is_new] = first.emplace(hashes[column], column);
    if (!is_new && are_equal(table, entry->second, column)) {
      found.push_back({table.columns[column], table.columns[entry->second]});
    }
  }
  return found;
}

std::string add_dependent_columns(Table table, const ColumnMoments& moments,
                                  std::vector<DependentColumn>& dependent) {
  constexpr std::size_t kMostColumns = 1000;  // the cost grows with the cube of their number
  if (table.columns.size() > kMostColumns) {
    return "not looked for among more than 1,000 columns";
  }
  if (table.rows <= table.columns.size()) {
    return "no more distinct rows than columns: some columns explain others";
  }
  if (!moments.mean.allFinite() || !moments.sd.allFinite()) {
    return "not looked for: some numbers are too large to square";
  }
  std::unordered_map<std::string, std::string> equals;
  for (const DependentColumn& column : dependent) {
    equals.emplace(column.name, column.equals);
  }
  Dataset::Options standardised;
  standardised.center = moments.mean;
  standardised.scale = moments.sd.unaryExpr([](double sd) { return sd > 0.0 ? sd : 1.0; });
  const Dataset data(std::move(table), std::move(standardised));
  std::vector<DependentColumn> all;
  for (const std::size_t column : dependent_columns(data)) {
    const std::string& name = data.names()[column];
    all.push_back({name, equals.contains(name) ? equals[name] : ""});
  }
  dependent = std::move(all);
  return {};
}

std::vector<Leak> find_leaks(const Table& table, const ColumnMoments& moments) {
  constexpr std::size_t kFewRows = 20;  // in which any column may happen to agree
  const std::vector<double>& y = table.response.values;
  if (table.response.labels.size() > 2 || y.size() < kFewRows || !table.trials.empty()) {
    return {};
  }
  const Eigen::Map<const Vector> values(y.data(), static_cast<Index>(y.size()));
  const double mean = values.mean();
  const double norm = (values.array() - mean).matrix().norm();
  const auto columns = static_cast<Index>(table.columns.size());
  Vector products = Vector::Zero(columns);
  std::size_t n = 0;
  for_rows(table, {0, table.rows}, [&](const double* row) {
    products += (y[n++] - mean) * (Eigen::Map<const Vector>(row, columns) - moments.mean);
  });
  constexpr double kNearlyOne = 0.98;
  const double root = std::sqrt(static_cast<double>(y.size() - 1));
  std::vector<Leak> leaks;
  for (Index j = 0; j < columns; ++j) {
    const double correlation = products[j] / (norm * moments.sd[j] * root);
    if (std::abs(correlation) >= kNearlyOne) {
      leaks.push_back({table.columns[static_cast<std::size_t>(j)], correlation});
    }
  }
  return leaks;
}

}  // namespace flymc::cli
