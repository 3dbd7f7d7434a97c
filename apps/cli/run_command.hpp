// The command line that makes a run again.
#pragma once

#include <string>

#include "run/run_config.hpp"

namespace flymc::cli {

// "flymc fit DATA --response y ... --seed 1 --out run/", every setting that is not its default;
// empty for data that no file holds.
[[nodiscard]] std::string run_command(const StoredRun& run);

}  // namespace flymc::cli
