// The rows that the model explains worst, for run.json: those most often bright, and the beacons.
#pragma once

#include <vector>

#include "chain/bright_tally.hpp"
#include "fit/engine.hpp"
#include "fit/prepare.hpp"

namespace flymc {

struct NotableRows {
  struct Bright {
    GivenRow row;
    double share = 0.0;  // of the draws
  };
  std::vector<Bright> brightest;
  std::vector<GivenRow> beacons;
};

// Collective: a row that was merged is known as given where it lies alone. `tally`: of the first
// rank, which alone counts. Nothing for the regular engine, in which all rows are bright.
[[nodiscard]] NotableRows notable_rows(const Problem& problem, const SetupInfo& setup,
                                       const BrightTally& tally);

}  // namespace flymc
