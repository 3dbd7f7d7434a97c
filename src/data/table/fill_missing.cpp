#include "data/table/fill_missing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "core/message.hpp"
#include "core/parallel.hpp"
#include "core/text.hpp"
#include "flymc/detail/data/table/sequential_read.hpp"
#include "flymc/detail/ranks/piece_sum.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

constexpr std::string_view kSuffix = "_missing";

// A column of the table that gets another beside it.
struct FilledColumn {
  std::size_t column = 0;
  double mean = 0.0;
};

// Names of the input by the column of the table: of numbers alone, the others have none.
std::vector<std::string> number_names(const TableRead& read) {
  if (read.features.empty()) {
    return read.table.columns;
  }
  std::vector<std::string> names;
  for (const FeatureColumns& feature : read.features) {
    const bool is_number = !read.table.levels.contains(feature.name);
    names.insert(names.end(), feature.count, is_number ? feature.name : "");
  }
  return names;
}

// [values that are there, their sum] of each of these columns.
std::vector<double> present_sums(const Table& table, const std::vector<FilledColumn>& columns,
                                 unsigned threads) {
  const SequentialRead in_order(table.source);
  const Shard shard = table.sharding();
  const std::size_t mine = shard.mine().first;
  return sum_pieces(shard, 2 * columns.size(), threads, [&](RowRange rows, std::span<double> sums) {
    Buffer<double> scratch(table.columns.size());
    for (std::size_t n = rows.first - mine; n < rows.last - mine; ++n) {
      const double* const x = table.row(n, scratch.data());
      for (std::size_t i = 0; i < columns.size(); ++i) {
        const double value = x[columns[i].column];
        sums[2 * i] += std::isnan(value) ? 0.0 : 1.0;
        sums[2 * i + 1] += std::isnan(value) ? 0.0 : value;
      }
    }
  });
}

// Those in which a row that is left misses its value, with the mean of the other rows.
std::vector<FilledColumn> find_columns(const TableRead& read, unsigned threads) {
  const Table& table = read.table;
  const std::vector<std::string> names = number_names(read);
  std::vector<FilledColumn> candidates;
  for (std::size_t j = 0; j < names.size(); ++j) {
    if (!names[j].empty() &&
        std::ranges::find(read.counts.missing_in, names[j], &MissingIn::column) !=
            read.counts.missing_in.end()) {
      candidates.push_back({j});
    }
  }
  if (candidates.empty()) {
    return {};
  }
  const std::vector<double> sums = present_sums(table, candidates, threads);
  const auto rows = static_cast<double>(table.sharding().rows());
  std::vector<FilledColumn> filled;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const double present = sums[2 * i];
    const std::string& name = names[candidates[i].column];
    if (present == 0.0) {
      throw Error(ErrorKind::kData, message("column {} has no values", in_quotes(name)),
                  message("drop it ({}).", Setting{"drop", shortened(name)}));
    }
    if (present < rows) {
      filled.push_back({candidates[i].column, sums[2 * i + 1] / present});
    }
  }
  return filled;
}

std::vector<FilledColumn> known_columns(const TableRead& read, const Constants& constants) {
  const std::vector<std::string> names = number_names(read);
  std::vector<FilledColumn> filled;
  for (std::size_t j = 0; j < names.size(); ++j) {
    const auto found = constants.find(missing_name(names[j]));
    if (!names[j].empty() && found != constants.end() && !found->second.empty()) {
      filled.push_back({j, found->second.front()});
    }
  }
  return filled;
}

// Every filled column, and the one beside it.
Buffer<double> filled_rows(const Table& table, const std::vector<FilledColumn>& filled,
                           unsigned threads) {
  constexpr std::size_t kPieceRows = 4096;
  const std::size_t width = table.columns.size();
  Buffer<double> x(table.rows * (width + filled.size()));
  parallel_for((table.rows + kPieceRows - 1) / kPieceRows, threads, [&](std::size_t piece) {
    Buffer<double> scratch(width);
    const std::size_t first = piece * kPieceRows;
    double* out = x.data() + first * (width + filled.size());
    for (std::size_t n = first; n < std::min(first + kPieceRows, table.rows); ++n) {
      const double* const in = table.row(n, scratch.data());
      auto next = filled.begin();
      for (std::size_t j = 0; j < width; ++j) {
        if (next == filled.end() || next->column != j) {
          *out++ = in[j];
          continue;
        }
        const bool missing = std::isnan(in[j]);
        *out++ = missing ? next->mean : in[j];
        *out++ = missing ? 1.0 : 0.0;
        ++next;
      }
    }
  });
  return x;
}

void require_free(const Table& table, const std::string& name) {
  if (std::ranges::find(table.columns, name) != table.columns.end()) {
    throw Error(ErrorKind::kData,
                message("column {} is in the file and made by {}", in_quotes(name),
                        Setting{"missing", "indicator"}),
                "rename it in the file.");
  }
}

void fill_numbers(const std::vector<FilledColumn>& filled, unsigned threads, TableRead& read) {
  if (filled.empty()) {
    return;
  }
  Table& table = read.table;
  const std::vector<std::string> names = number_names(read);
  table.x = filled_rows(table, filled, threads);
  table.source = {};
  for (auto one = filled.rbegin(); one != filled.rend(); ++one) {  // places of earlier ones stay
    const std::string& column = names[one->column];
    const std::string made = missing_name(column);
    require_free(table, made);
    table.constants[made] = {one->mean};
    table.columns.insert(table.columns.begin() + static_cast<std::ptrdiff_t>(one->column) + 1,
                         made);
    if (const auto feature = std::ranges::find(read.features, column, &FeatureColumns::name);
        feature != read.features.end()) {
      read.features.insert(feature + 1, {made, 1});
    }
  }
}

// A term's factors share their levels.
void fill_factors(const LoadSpec& spec, Table& table) {
  for (Factor& factor : table.factors) {
    const bool misses = std::ranges::any_of(table.factors, [&](const Factor& other) {
      return other.name == factor.name &&
             std::ranges::find(other.codes, Factor::kNone) != other.codes.end();
    });
    if (!holds_everywhere(*spec.ranks, !misses) && is_filled(spec, factor.name)) {
      table.constants[missing_name(factor.name)] = {};
    }
  }
  for (Factor& factor : table.factors) {
    if (table.constants.contains(missing_name(factor.name))) {
      std::ranges::replace(factor.codes, Factor::kNone,
                           static_cast<std::uint32_t>(factor.labels.size()));
      factor.labels.emplace_back(kMissingLevel);
    }
  }
}

}  // namespace

std::string missing_name(const std::string& column) { return column + std::string(kSuffix); }

bool is_filled(const LoadSpec& spec, const std::string& column) {
  if (std::ranges::find(spec.in_offsets, column) != spec.in_offsets.end()) {
    return false;  // a row without its offset is left out
  }
  return spec.matches_earlier ? spec.constants.contains(missing_name(column))
                              : spec.missing == Missing::kIndicator;
}

std::vector<std::string> filled_columns(const Constants& constants) {
  std::vector<std::string> names;
  for (const auto& [name, numbers] : constants) {
    if (name.ends_with(kSuffix)) {
      names.push_back(name.substr(0, name.size() - kSuffix.size()));
    }
  }
  return names;
}

std::vector<std::string> filled_numbers(const Constants& constants) {
  std::vector<std::string> names = filled_columns(constants);
  std::erase_if(names,
                [&](const std::string& name) { return constants.at(missing_name(name)).empty(); });
  return names;
}

Formula with_missing_columns(const Formula& formula, const Constants& constants) {
  const std::vector<std::string> filled = filled_numbers(constants);
  std::vector<std::string> made;
  for (const std::string& column : formula.columns()) {
    if (std::ranges::find(filled, column) != filled.end()) {
      made.push_back(missing_name(column));
    }
  }
  return formula.with_columns(made);
}

void fill_missing(const LoadSpec& spec, TableRead& read) {
  fill_factors(spec, read.table);
  for (const auto& [name, levels] : read.table.levels) {
    if (std::ranges::find(levels, kMissingLevel) != levels.end()) {
      read.table.constants[missing_name(name)] = {};
    }
  }
  if (spec.matches_earlier) {
    fill_numbers(known_columns(read, spec.constants), spec.threads, read);
  } else if (spec.missing == Missing::kIndicator) {
    fill_numbers(find_columns(read, spec.threads), spec.threads, read);
  }
}

}  // namespace flymc
