#include "data/table/factors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "flymc/dataset.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

std::vector<double> column_of(const Table& table, std::size_t column) {
  const SequentialRead in_order(table.source);
  std::vector<double> values(table.rows);
  Buffer<double> scratch(table.columns.size());
  for (std::size_t n = 0; n < table.rows; ++n) {
    values[n] = table.row(n, scratch.data())[column];
  }
  return values;
}

Factor factor_of(const std::string& name, const std::vector<double>& values, const Levels& labels) {
  Factor factor{name, {}, {}};
  factor.codes.reserve(values.size());
  if (const auto known = labels.find(name); known != labels.end()) {
    factor.labels = known->second;
    for (const double value : values) {
      factor.codes.push_back(std::isnan(value) ? Factor::kNone : static_cast<std::uint32_t>(value));
    }
    return factor;
  }
  std::vector<double> distinct = values;
  std::erase_if(distinct, [](double value) { return std::isnan(value); });
  std::ranges::sort(distinct);
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  for (const double value : distinct) {
    factor.labels.push_back(fmt::format("{}", value));
  }
  for (const double value : values) {
    const auto found = std::ranges::lower_bound(distinct, value);
    factor.codes.push_back(
        std::isnan(value) ? Factor::kNone : static_cast<std::uint32_t>(found - distinct.begin()));
  }
  return factor;
}

}  // namespace

void take_factors(const std::vector<GroupTerm>& groups, TableRead& read) {
  Table& table = read.table;
  std::vector<std::size_t> taken;
  for (const GroupTerm& term : groups) {
    if (table.sharding().is_split()) {
      throw Error(ErrorKind::kUsage,
                  "group terms are fitted by one process; start it without mpirun.");
    }
    const auto found = std::ranges::find(table.columns, term.factor);
    if (found == table.columns.end()) {
      throw Error(ErrorKind::kData,
                  fmt::format("no column {} to group by.", in_quotes(term.factor)));
    }
    const auto column = static_cast<std::size_t>(found - table.columns.begin());
    taken.push_back(column);
    table.factors.push_back(factor_of(term.factor, column_of(table, column), read.factor_labels));
    std::erase_if(read.features,
                  [&](const FeatureColumns& feature) { return feature.name == term.factor; });
  }
  std::ranges::sort(taken);
  drop_columns(table, taken);
}

}  // namespace flymc
