// `fit` from a file: loads, prepares, fits.
#pragma once

#include <string>

#include "flymc/fit.hpp"

namespace flymc::app {

// What run.json stores of the file, to know it again.
[[nodiscard]] std::string checksum_of(const std::string& path);

// Says what was read and warns. THROWS Error.
[[nodiscard]] Problem load_problem(const FitOptions& options);

FitResult fit_file(const FitOptions& options);

}  // namespace flymc::app
