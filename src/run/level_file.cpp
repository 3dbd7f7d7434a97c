#include "run/level_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "core/output_folder.hpp"
#include "core/parallel.hpp"
#include "data/csv/csv_fields.hpp"
#include "flymc/error.hpp"
#include "run/run_files.hpp"
#include "run/run_folder.hpp"

namespace flymc {
namespace fs = std::filesystem;
namespace {

std::string level_head() {
  return fmt::format("coefficient,level,{}\n", fmt::join(kLevelColumns, ","));
}

std::string quoted_field(const std::string& text) {
  std::string field = "\"";
  for (const char c : text) {
    field += c == '"' ? "\"\"" : std::string(1, c);
  }
  return field + "\"";
}

std::string level_line(const StreamedLevel& level) {
  return fmt::format("{},{},{}\n", quoted_field(level.name.coefficient),
                     quoted_field(level.name.label), fmt::join(numbers_of(level.statistics), ","));
}

LevelStatistics statistics_of(const LevelNumbers& n) {
  return {.mean = n[0],
          .sd = n[1],
          .quantiles = {n[2], n[3], n[4], n[5], n[6]},
          .ess = n[7],
          .rhat = n[8]};
}

StreamedLevel parse_level(csv::FieldReader& fields) {
  StreamedLevel level;
  LevelNumbers numbers{};
  level.name.coefficient = csv::unquoted(fields.read());
  bool whole = fields.next();
  level.name.label = csv::unquoted(fields.read());
  for (double& number : numbers) {
    number = std::numeric_limits<double>::quiet_NaN();  // where nan stands
    whole = fields.next() && whole;
    whole = csv::read_number(fields.read().text, number) != csv::Reading::kText && whole;
  }
  if (fields.next() || !whole) {
    throw std::out_of_range("no line of levels");
  }
  level.statistics = statistics_of(numbers);
  return level;
}

}  // namespace

LevelNumbers numbers_of(const LevelStatistics& s) {
  const auto& [q2_5, q5, q50, q95, q97_5] = s.quantiles;
  return {s.mean, s.sd, q2_5, q5, q50, q95, q97_5, s.ess, s.rhat};
}

void write_level_file(const fs::path& folder, const Problem& problem,
                      std::span<const LevelTally* const> chains) {
  std::vector<StreamedLevel> levels;  // in the order of the tallies
  for (LevelName& name : level_names(problem.groups->terms, problem.data.factors())) {
    levels.push_back({std::move(name), {}});
  }
  parallel_for(levels.size(), 0,
               [&](std::size_t i) { levels[i].statistics = LevelTally::merged(chains, i); });
  std::string text = level_head();
  for (const StreamedLevel& level : levels) {
    text += level_line(level);
  }
  write_text(folder / kLevelFile, text);
}

std::vector<StreamedLevel> read_level_file(const fs::path& folder) {
  if (const auto manifest = read_manifest(folder); !manifest || !manifest->levels) {
    return {};  // one of that name is not the run's
  }
  std::ifstream file(folder / kLevelFile, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::vector<StreamedLevel> levels;
  if (text.empty()) {
    return levels;
  }
  try {
    const std::string head = level_head();
    if (!text.starts_with(head)) {
      throw std::out_of_range("another head");
    }
    csv::FieldReader fields(std::string_view(text).substr(head.size()), ',');
    while (!fields.done()) {
      levels.push_back(parse_level(fields));
    }
  } catch (const std::out_of_range&) {
    throw Error(ErrorKind::kData,
                fmt::format("{}{} is damaged at line {}", shown_folder(folder), kLevelFile,
                            levels.size() + 2),
                "remove it; the other numbers of the run do not need it.");
  }
  return levels;
}

void add_streamed(const fs::path& folder, Summary& summary) {
  const std::vector<StreamedLevel> levels = read_level_file(folder);
  if (!levels.empty()) {
    summary.notes.push_back(
        "Levels have no draws: their effective draws are by batch means, their R-hat without "
        "ranks.");
  } else if (const auto manifest = read_manifest(folder); manifest && manifest->levels) {
    summary.notes.push_back(fmt::format(
        "There is no {}: nothing here is of levels; a run writes it when it ends or stops.",
        kLevelFile));
  }
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  const double prob = summary.questions.prob;
  for (const StreamedLevel& level : levels) {
    const ParameterName name = level.name.parameter();
    const LevelStatistics& s = level.statistics;
    const auto& [q2_5, q5, q50, q95, q97_5] = s.quantiles;
    const double mcse = s.sd / std::sqrt(s.ess);
    summary.parameters.push_back({.column = name.column,
                                  .label = name.label,
                                  .estimate = {.mean = s.mean,
                                               .sd = s.sd,
                                               .mcse_mean = mcse,
                                               .q5 = q5,
                                               .q50 = q50,
                                               .q95 = q95,
                                               .ess_bulk = s.ess,
                                               .ess_tail = kUnknown,
                                               .ess_coda = kUnknown,
                                               .rhat = s.rhat}});
    const bool wide = prob == 0.95;
    const bool narrow = prob == 0.9;
    summary.answers.push_back({.label = name.label,
                               .mean = s.mean,
                               .median = q50,
                               .sd = s.sd,
                               .mcse_mean = mcse,
                               .lower = wide     ? q2_5
                                        : narrow ? q5
                                                 : kUnknown,
                               .upper = wide     ? q97_5
                                        : narrow ? q95
                                                 : kUnknown,
                               .prob_positive = kUnknown});
  }
  summary.streamed = levels.size();
}

}  // namespace flymc
