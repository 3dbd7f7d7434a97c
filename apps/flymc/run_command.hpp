// The command line that makes a run again.
#pragma once

#include <string>

#include "flymc/run_config.hpp"

namespace flymc::app {

// "flymc fit DATA --response y ... --seed 1 --out run/", every setting that is not its default;
// empty for data that no file holds.
[[nodiscard]] std::string run_command(const StoredRun& run);

}  // namespace flymc::app
