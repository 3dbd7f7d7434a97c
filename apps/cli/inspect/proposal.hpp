// What to do with every column of a raw table, so that a fit of it runs: the request of `inspect`
// with what it leaves open decided, and the reasons.
#pragma once

#include <string>
#include <vector>

#include "data/load/column_guess.hpp"
#include "flymc/load.hpp"

namespace flymc::cli {

struct ColumnPlan {
  ColumnGuess guess;
  std::string use;  // "response", "feature", "encoded", "left out", ...
  std::string why;  // of what is left out; empty: as it was asked for
};

struct Proposal {
  LoadSpec spec;  // that can be loaded
  std::size_t rows = 0;
  std::vector<ColumnPlan> columns{};
  bool response_guessed = false;
  bool decided = false;  // something that the request leaves open
};

// Nothing is decided of what the request says. A column that is missing in more than half of the
// rows is left out; rows that miss values of the others are dropped, or, where a feature misses
// more than a twentieth, filled in.
[[nodiscard]] Proposal propose(const LoadSpec& asked, const TableGuess& guess);

}  // namespace flymc::cli
