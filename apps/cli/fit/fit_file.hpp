// `fit` from a file: loads, prepares, fits.
#pragma once

#include <string>

#include "cli/fit/fit.hpp"

namespace flymc::cli {

// Says what was read and warns; the problem has the checksum of what it came from. THROWS Error.
// `checksum` where it is known already.
[[nodiscard]] Problem load_problem(const FitOptions& options, const std::string& checksum = "");

// The options as they are with several ranks: a thread each unless told otherwise, and only rank 0
// talks. THROWS Error(kUsage) for what only one can do.
[[nodiscard]] FitOptions among_ranks(FitOptions options, Ranks& ranks);

FitResult fit_file(const FitOptions& options);

}  // namespace flymc::cli
