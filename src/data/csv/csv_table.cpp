#include "data/csv/csv_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/text.hpp"
#include "data/csv/csv_issue.hpp"
#include "data/table/fill_missing.hpp"
#include "data/table/redistribute_rows.hpp"
#include "data/table/reference.hpp"
#include "flymc/error.hpp"

namespace flymc::csv {
namespace {

// A dense indicator column each: past this many, the column is an identifier rather than a
// category.
constexpr std::size_t kMaxLevels = 10'000;

// Moves the kept rows of all chunks together and cuts the room that is left; returns their number.
std::size_t close_gaps(Parsed& parsed, std::size_t width) {
  const auto move_down = [](auto& values, std::size_t from, std::size_t to, std::size_t count) {
    if (from != to && !values.empty()) {
      std::copy(values.data() + from, values.data() + from + count, values.data() + to);
    }
  };
  RawRows& raw = parsed.raw;
  std::size_t rows = 0;
  for (std::size_t i = 0; i < parsed.chunks.size(); ++i) {
    const std::size_t first = parsed.chunks[i].first_row;
    const std::size_t kept = parsed.results[i].kept;
    move_down(raw.x, first * width, rows * width, kept * width);
    for (std::vector<double>& extra : raw.extras) {
      move_down(extra, first, rows, kept);
    }
    rows += kept;
  }
  raw.x.resize(rows * width);
  for (std::vector<double>& extra : raw.extras) {
    extra.resize(extra.empty() ? 0 : rows);
  }
  return rows;
}

// REQUIRES: gaps closed.
std::vector<std::string> unify_column(Ranks& ranks, Parsed& parsed, const Plan& plan,
                                      std::size_t label) {
  if (!plan.fixed_levels[label].empty()) {
    return plan.fixed_levels[label];  // codes are their positions already
  }
  const std::size_t slot = plan.label_slots[label];
  const bool is_feature = slot < plan.width;
  const std::size_t stride = is_feature ? plan.width : 1;
  double* codes =
      is_feature ? parsed.raw.x.data() + slot : parsed.raw.extras[slot - plan.width].data();
  std::vector<CodeBlock> blocks;
  for (const ChunkResult& result : parsed.results) {
    blocks.push_back({&result.labels[label], codes, stride, result.kept});
    codes += stride * result.kept;
  }
  return unify_labels(ranks, blocks);
}

using LevelsBySlot = decltype(CodedRows::levels);

// The level of missing values last: others are compared with one that says something.
std::vector<std::string> missing_last(std::vector<std::string> levels) {
  std::stable_partition(levels.begin(), levels.end(),
                        [](const std::string& level) { return level != kMissingLevel; });
  return levels;
}

// As the column has them where it has an order of its own.
std::vector<std::string> in_own_order(const LoadSpec& spec, const std::string& column,
                                      std::vector<std::string> levels) {
  if (const auto found = spec.level_order.find(column); found != spec.level_order.end()) {
    std::ranges::stable_sort(levels, {}, [&](const std::string& level) {
      return std::ranges::find(found->second, level) - found->second.begin();
    });
  }
  return levels;
}

// Codes stay positions among the levels.
void put_levels_in_order(const LoadSpec& spec, const Layout& layout, CodedRows& coded) {
  const std::size_t width = coded.levels.size();
  for (std::size_t slot = 0; slot < width; ++slot) {
    std::vector<std::string>& levels = coded.levels[slot];
    const Feature& feature = layout.columns.features[slot];
    const std::string& name = layout.header.name(feature.column);
    std::vector<std::string> ordered =
        with_reference(spec.reference, name,
                       missing_last(feature.factor ? levels : in_own_order(spec, name, levels)));
    if (ordered == levels || spec.levels.contains(name)) {
      continue;
    }
    std::vector<double> place;
    for (const std::string& level : levels) {
      const auto found = std::find(ordered.begin(), ordered.end(), level);
      place.push_back(static_cast<double>(found - ordered.begin()));
    }
    for (std::size_t row = 0; row < coded.rows; ++row) {
      double& code = coded.raw.x[row * width + slot];
      code = std::isnan(code) ? code : place[static_cast<std::size_t>(code)];
    }
    levels = std::move(ordered);
  }
}

std::size_t indicators(const std::vector<std::string>& levels) {
  return levels.empty() ? 1 : levels.size() - 1;
}

void append_names(const std::string& name, const std::vector<std::string>& levels,
                  std::vector<std::string>& names) {
  if (levels.empty()) {
    names.push_back(name);
  }
  for (std::size_t level = 1; level < levels.size(); ++level) {
    names.push_back(name + "=" + levels[level]);
  }
}

// Codes become 0/1 columns, one for each level but the first.
Buffer<double> expand(const Buffer<double>& coded, const LevelsBySlot& levels, std::size_t rows) {
  std::size_t width = 0;
  for (const auto& of_column : levels) {
    width += indicators(of_column);
  }
  Buffer<double> x(rows * width);
  const double* in = coded.data();
  double* out = x.data();
  for (std::size_t row = 0; row < rows; ++row) {
    for (const auto& of_column : levels) {
      const double value = *in++;
      if (of_column.empty()) {
        *out++ = value;
        continue;
      }
      for (std::size_t level = 1; level < of_column.size(); ++level) {
        *out++ = std::isnan(value) ? value : value == static_cast<double>(level) ? 1.0 : 0.0;
      }
    }
  }
  return x;
}

void check_levels(const std::string& name, const std::vector<std::string>& levels,
                  std::vector<std::string>& warnings) {
  require_levels(name, levels.size());
  if (levels.size() == 1) {
    warnings.push_back(fmt::format("column {} is always {}: it adds no feature.", in_quotes(name),
                                   in_quotes(levels.front())));
  }
}

// An indicator may have the name of another column, and then nobody can tell them apart.
void require_distinct(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) {
    throw Error(ErrorKind::kData,
                fmt::format("two features would be called {}, one of them the indicator of a "
                            "level; rename a column.",
                            in_quotes(*twice)));
  }
}

}  // namespace

RowGaps gaps_of(const Parsed& parsed) {
  RowGaps gaps;
  std::size_t rows = 0;
  for (const ChunkResult& result : parsed.results) {
    gaps.append(result.gaps, rows);
    rows += result.kept;
  }
  return gaps;
}

RowCounts count_rows(Ranks& ranks, const Parsed& parsed, const Header& header) {
  RowCounts counts;
  for (std::size_t column = 0; column < header.size(); ++column) {
    counts.missing_in.push_back({header.name(column), 0});
  }
  for (const ChunkResult& result : parsed.results) {
    counts.rows += result.rows;
    counts.missing += result.missing;
    counts.weightless += result.weightless;
    for (std::size_t column = 0; column < result.missing_in.size(); ++column) {
      counts.missing_in[column].rows += result.missing_in[column];
    }
  }
  counts.add_up(ranks);
  return counts;
}

const Issue* first_issue(const Parsed& parsed) {
  for (const ChunkResult& result : parsed.results) {
    if (result.issue) {
      return &*result.issue;
    }
  }
  return nullptr;
}

CodedRows code_rows(Ranks& ranks, Parsed parsed, const Plan& plan) {
  CodedRows coded{close_gaps(parsed, plan.width), LevelsBySlot(plan.width), {}, {}};
  for (std::size_t label = 0; label < plan.label_slots.size(); ++label) {
    const std::size_t slot = plan.label_slots[label];
    auto names = unify_column(ranks, parsed, plan, label);
    (slot < plan.width ? coded.levels[slot] : coded.labels) = std::move(names);
  }
  coded.raw = std::move(parsed.raw);
  return coded;
}

void require_levels(const std::string& name, std::size_t levels) {
  if (levels > kMaxLevels) {
    throw Error(
        ErrorKind::kData,
        fmt::format("column {} has {} levels, more than the {} that can be encoded; drop it.",
                    in_quotes(name), with_commas(levels), with_commas(kMaxLevels)));
  }
}

void fill_table(CodedRows coded, const Layout& layout, TableRead& read) {
  Table& table = read.table;
  table.rows = coded.rows;
  LevelsBySlot& levels = coded.levels;
  bool has_categories = false;
  for (std::size_t slot = 0; slot < levels.size(); ++slot) {
    const Feature& feature = layout.columns.features[slot];
    const std::string& name = layout.header.name(feature.column);
    if (feature.factor) {  // its codes stay as they are
      read.factor_labels[name] = std::exchange(levels[slot], {});
    }
    has_categories |= !levels[slot].empty();
    check_levels(name, levels[slot], read.warnings);
    read.features.push_back({name, indicators(levels[slot])});
    append_names(name, levels[slot], table.columns);
    if (!levels[slot].empty()) {
      table.levels[name] = levels[slot];
    }
  }
  if (has_categories) {
    require_distinct(table.columns);
  }
  RawRows& raw = coded.raw;
  table.x = has_categories ? expand(raw.x, levels, table.rows) : std::move(raw.x);
  if (layout.columns.response) {
    table.response.name = layout.header.name(*layout.columns.response);
  }
  table.response.labels = std::move(coded.labels);
  table.response.values = std::move(raw.extras[kResponse]);
  table.weights = std::move(raw.extras[kWeights]);
  table.offset = std::move(raw.extras[kOffset]);
  table.trials = std::move(raw.extras[kTrials]);
}

TableRead assemble(Parsed parsed, const Plan& plan, const Layout& layout, const Source& source,
                   std::vector<std::string> warnings) {
  Ranks& ranks = *source.spec.ranks;
  TableRead
      read;  // filled one by one: gcc 12 destroys parts of a braced list twice where one throws
  read.counts = count_rows(ranks, parsed, layout.header);
  read.warnings = std::move(warnings);
  fail_together(ranks, [&] {
    if (const Issue* const issue = first_issue(parsed)) {
      throw describe(*issue, {source.spec, layout.header, source.place_of(*issue), read.counts});
    }
  });
  require_rows(read.counts, escaped(source.spec.path));
  read.table.gaps = gaps_of(parsed);
  CodedRows coded = code_rows(ranks, std::move(parsed), plan);
  put_levels_in_order(source.spec, layout, coded);
  fill_table(std::move(coded), layout, read);
  redistribute_rows(ranks, read.table);
  return read;
}

}  // namespace flymc::csv
