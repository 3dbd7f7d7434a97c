#include "data/table/factors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>

#include "core/text.hpp"
#include "data/table/group_terms.hpp"
#include "data/table/labels.hpp"
#include "flymc/dataset.hpp"
#include "flymc/detail/core/bytes.hpp"
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

// The distinct values of all ranks, ascending.
template <Plain T>
std::vector<T> distinct_of(Ranks& ranks, std::vector<T> values) {
  const auto sort = [](std::vector<T>& all) {
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
  };
  sort(values);
  if (ranks.size() == 1) {
    return values;
  }
  const std::string all = ranks.pass_along([&](std::string& bytes) {
    if (!bytes.empty()) {
      std::vector<T> before;
      ByteReader(bytes).get_all(before);
      values.insert(values.end(), before.begin(), before.end());
      sort(values);
    }
    ByteWriter out;
    out.put_all(values);
    bytes = out.bytes();
  });
  ByteReader(all).get_all(values);
  return values;
}

Factor factor_of(const std::string& name, const std::vector<double>& values, const Levels& labels,
                 Ranks& ranks) {
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
  for (double& value : distinct) {
    value += 0.0;  // -0 is 0
  }
  distinct = distinct_of(ranks, std::move(distinct));
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

// One level for each pair of theirs that there is, in the order of the first, then of the second.
Factor paired(const Factor& a, const Factor& b, Ranks& ranks) {
  constexpr std::uint64_t kMissing = ~std::uint64_t{0};
  Factor pair{a.name, {}, {}};
  std::vector<std::uint64_t> codes(a.codes.size());  // of both, the first above the second
  for (std::size_t n = 0; n < codes.size(); ++n) {
    const bool misses = a.codes[n] == Factor::kNone || b.codes[n] == Factor::kNone;
    codes[n] = misses ? kMissing : std::uint64_t{a.codes[n]} << 32 | b.codes[n];
  }
  std::vector<std::uint64_t> distinct = codes;
  std::erase(distinct, kMissing);
  distinct = distinct_of(ranks, std::move(distinct));
  for (const std::uint64_t code : distinct) {
    pair.labels.push_back(a.labels[code >> 32] + ":" + b.labels[code & 0xFFFFFFFF]);
  }
  for (const std::uint64_t code : codes) {
    const auto found = std::ranges::lower_bound(distinct, code);
    pair.codes.push_back(found != distinct.end() && *found == code
                             ? static_cast<std::uint32_t>(found - distinct.begin())
                             : Factor::kNone);
  }
  return pair;
}

// Levels of any of them are levels of all: in the order of the first, then those it lacks.
void share_levels(std::span<Factor> factors) {
  std::vector<std::string> labels = factors.front().labels;
  std::map<std::string, std::uint32_t> code_of;
  for (const std::string& label : labels) {
    code_of.emplace(label, static_cast<std::uint32_t>(code_of.size()));
  }
  for (Factor& factor : factors) {
    std::vector<std::uint32_t> codes;
    for (const std::string& label : factor.labels) {
      const auto [entry, is_new] =
          code_of.emplace(label, static_cast<std::uint32_t>(code_of.size()));
      if (is_new) {
        labels.push_back(label);
      }
      codes.push_back(entry->second);
    }
    for (std::uint32_t& code : factor.codes) {
      code = code == Factor::kNone ? code : codes[code];
    }
  }
  for (Factor& factor : factors) {
    factor.labels = labels;
  }
}

// Codes become the numbers that their labels say, where the column stays a feature.
void put_numbers(const std::vector<std::string>& labels, std::size_t column, Table& table) {
  std::vector<double> numbers;
  for (const std::string& label : labels) {
    const std::optional<double> number = finite_number(label);
    if (!number) {
      const std::string name = in_quotes(table.columns[column]);
      throw Error(ErrorKind::kUsage,
                  fmt::format("column {} is a feature and a factor of a group term, but {} is no "
                              "number",
                              name, in_quotes(label)),
                  fmt::format("levels of text have one coefficient each: leave {} out of the "
                              "features, or out of the group terms.",
                              name));
    }
    numbers.push_back(*number);
  }
  const std::size_t width = table.columns.size();
  for (std::size_t n = 0; n < table.rows; ++n) {
    double& value = table.x[n * width + column];
    value = std::isnan(value) ? value : numbers[static_cast<std::size_t>(value)];
  }
}

}  // namespace

void require_levels_can_be_dealt(const Formula& formula, const Ranks& ranks) {
  if (ranks.size() > 1 && !formula.groups.empty() && is_crossed(formula.groups)) {
    throw Error(ErrorKind::kUsage,
                "several ranks share a model of one group term, in which a row has one level",
                "start this one without mpirun.");
  }
}

void take_factors(const Formula& formula, TableRead& read) {
  Table& table = read.table;
  const Shard shard = table.sharding();
  std::vector<std::size_t> taken;
  const auto factor_named = [&](const std::string& name, const std::string& of) {
    const auto found = std::ranges::find(table.columns, name);
    if (found == table.columns.end()) {
      throw Error(ErrorKind::kData, fmt::format("no column {} to group by.", in_quotes(name)));
    }
    const auto column = static_cast<std::size_t>(found - table.columns.begin());
    taken.push_back(column);
    Factor factor = factor_of(name, column_of(table, column), read.factor_labels, shard.ranks());
    factor.name = of;
    return factor;
  };
  for (const GroupTerm& term : formula.groups) {
    if (term.is_smooth()) {
      continue;
    }
    const std::size_t first = table.factors.size();
    for (const GroupMember& member : term.all_members()) {
      Factor factor = factor_named(member.columns.front(), term.factor);
      for (std::size_t j = 1; j < member.columns.size(); ++j) {
        factor = paired(factor, factor_named(member.columns[j], term.factor), shard.ranks());
      }
      table.factors.push_back(std::move(factor));
    }
    share_levels(std::span(table.factors).subspan(first));
  }
  std::ranges::sort(taken);
  taken.erase(std::unique(taken.begin(), taken.end()), taken.end());
  const std::vector<std::string> features = formula.columns();
  std::erase_if(taken, [&](std::size_t column) {
    const std::string& name = table.columns[column];
    const bool stays = std::ranges::find(features, name) != features.end();
    if (const auto labels = read.factor_labels.find(name);
        stays && labels != read.factor_labels.end()) {
      put_numbers(labels->second, column, table);
    }
    return stays;
  });
  for (const std::size_t column : taken) {
    std::erase_if(read.features, [&](const FeatureColumns& feature) {
      return feature.name == table.columns[column];
    });
  }
  drop_columns(table, taken);
}

}  // namespace flymc
