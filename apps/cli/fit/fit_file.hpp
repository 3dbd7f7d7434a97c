// `fit` from a file: loads, prepares, fits.
#pragma once

#include <string>

#include "cli/fit/fit.hpp"
#include "run/run_config.hpp"

namespace flymc::cli {

// Says what was read and warns; the problem has the checksums of what it came from. `resumed`: the
// run that the data must be those of. THROWS Error; kData where they are not.
[[nodiscard]] Problem load_problem(const FitOptions& options, const StoredRun* resumed = nullptr);

// The options as they are with several ranks: a thread each unless told otherwise, and only rank 0
// talks. THROWS Error(kUsage) for what only one can do.
[[nodiscard]] FitOptions among_ranks(FitOptions options, Ranks& ranks);

FitResult fit_file(const FitOptions& options);

}  // namespace flymc::cli
