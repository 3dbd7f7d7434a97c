// `fit --resume run/`: goes on with a run, bit for bit, from what its folder holds: options from
// run.json, each chain from its checkpoint, or from the start where it has none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/fit/fit.hpp"

namespace flymc::cli {

struct ResumeOptions {
  std::string folder;
  std::optional<std::uint64_t> draws;  // a new total
  std::optional<double> ess;
  bool other_version = false;  // go on with a run that another version began
  FitOptions how;  // threads, max_time_s, checkpoint_every_s, progress, quiet: nothing else
};

// With --ess and no --draws this is the most.
constexpr std::uint64_t kMostDrawsForEss = 100'000;

// THROWS Error: kNoInput (no such run, or its data are gone), kData (the data have changed, a file
// of the run is damaged, or another version began it), kUsage (a total that is less than what is
// there).
FitResult resume(const ResumeOptions& options);

}  // namespace flymc::cli
