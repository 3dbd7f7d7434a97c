#include "flymc/inspect_columns.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <utility>

#include "flymc/core/parallel.hpp"
#include "flymc/data/dependence.hpp"
#include "flymc/prepare.hpp"

namespace flymc::app {
namespace {

bool is_indicator(const std::string& name, const LoadSpec& spec) {
  return std::ranges::any_of(
      spec.categorical, [&](const std::string& column) { return name.starts_with(column + "="); });
}

std::uint64_t hash_of(const Table& table, std::size_t column) {
  std::uint64_t hash = 1;
  for (std::size_t n = 0; n < table.rows; ++n) {
    // Adding +0 turns -0 into +0 and changes nothing else.
    const double value = table.x[n * table.columns.size() + column] + 0.0;
    hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 32;
  }
  return hash;
}

bool are_equal(const Table& table, std::size_t a, std::size_t b) {
  const std::size_t width = table.columns.size();
  for (std::size_t n = 0; n < table.rows; ++n) {
    if (table.x[n * width + a] != table.x[n * width + b]) {
      return false;
    }
  }
  return true;
}

}  // namespace

Distinct describe(const double* values, std::size_t rows, std::size_t stride, ColumnFacts& facts) {
  Distinct distinct;
  facts.min = std::numeric_limits<double>::infinity();
  facts.max = -facts.min;
  for (std::size_t n = 0; n < rows; ++n) {
    const double value = values[n * stride];
    facts.min = std::min(facts.min, value);
    facts.max = std::max(facts.max, value);
    distinct.add(value);
  }
  facts.distinct = distinct.count();
  return distinct;
}

std::vector<ColumnFacts> describe_columns(const Table& table, const ColumnMoments& moments,
                                          const LoadSpec& spec) {
  const std::size_t width = table.columns.size();
  std::vector<ColumnFacts> columns(width);
  parallel_for(width, spec.threads, [&](std::size_t column) {
    const auto j = static_cast<Index>(column);
    ColumnFacts& facts = columns[column];
    facts.name = table.columns[column];
    const Distinct distinct = describe(table.x.data() + column, table.rows, width, facts);
    facts.mean = moments.mean[j];
    facts.sd = moments.sd[j];
    facts.type = is_constant(moments, j)          ? "constant"
                 : is_indicator(facts.name, spec) ? "categorical"
                 : distinct.zero_one()            ? "0/1"
                                                  : "number";
  });
  return columns;
}

std::vector<DependentColumn> equal_columns(const Table& table, unsigned threads) {
  std::vector<std::uint64_t> hashes(table.columns.size());
  parallel_for(hashes.size(), threads,
               [&](std::size_t column) { hashes[column] = hash_of(table, column); });
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

}  // namespace flymc::app
