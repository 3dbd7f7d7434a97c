// One fit from a table to a run folder: what `flymc fit` and `flymc demo` share.
#pragma once

#include <string>
#include <vector>

#include "flymc/engine.hpp"
#include "flymc/options.hpp"
#include "flymc/prepare.hpp"
#include "flymc/stop_signal.hpp"

namespace flymc::app {

struct FitResult {
  EngineResult engine;
  int exit_code = 0;  // 130 or 143 after Ctrl-C or SIGTERM, the folder being valid
};

// Who else sees the draws as they come. REQUIRES: one chain.
struct FitWatch {
  Sink* warmup = nullptr;
  Sink* draws = nullptr;
};

// Messages go to stderr unless options.quiet. THROWS Error; nothing half-made is left behind.
FitResult fit(const Problem& problem, const FitOptions& options, const StopSignal& stop,
              const FitWatch& watch = {});

// Loads, prepares, fits.
FitResult fit_file(const FitOptions& options);

}  // namespace flymc::app
