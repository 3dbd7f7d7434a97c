// levels.csv: what a run says of levels that it keeps no draws of, a line each: the coefficient,
// the level, mean, sd, quantiles, effective draws by batch means, R-hat of halves of chains. All
// draws are in it; it is written when a run ends or stops, and again when it goes on.
#pragma once

#include <array>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "chain/level_tally.hpp"
#include "fit/parameters.hpp"
#include "fit/prepare.hpp"
#include "flymc/diagnose/summary.hpp"

namespace flymc {

inline constexpr const char* kLevelFile = "levels.csv";

// THROWS Error as write_text. REQUIRES: tallies of the problem's levels, one a chain, all with
// draws.
void write_level_file(const std::filesystem::path& folder, const Problem& problem,
                      std::span<const LevelTally* const> chains);

// Behind the coefficient and the level.
inline constexpr std::array kLevelColumns = {"mean", "sd",    "q2.5", "q5",  "q50",
                                             "q95",  "q97.5", "ess",  "rhat"};
using LevelNumbers = std::array<double, kLevelColumns.size()>;
[[nodiscard]] LevelNumbers numbers_of(const LevelStatistics& statistics);

struct StreamedLevel {
  LevelName name;
  LevelStatistics statistics;
};
// In the order of the file; none where the run has no such file.
// THROWS Error(kData) where it is damaged.
[[nodiscard]] std::vector<StreamedLevel> read_level_file(const std::filesystem::path& folder);

// Adds those of a run to its summary as the last parameters, without which its checks would not be
// of all, and says how they differ, or that they are not there. An interval other than 90 or 95 %
// is unknown.
void add_streamed(const std::filesystem::path& folder, Summary& summary);

}  // namespace flymc
