// One fit from a problem to a run folder: what `flymc fit`, `demo` and `paper` share.
#pragma once

#include <memory>
#include <vector>

#include "cli/fit/fit_options.hpp"
#include "core/stop_signal.hpp"
#include "fit/engine.hpp"
#include "fit/prepare.hpp"
#include "run/run_writer.hpp"
#include "run/ticker.hpp"

namespace flymc::cli {

struct FitResult {
  EngineResult engine;
  bool shown = false;  // its draws are what the folder shows
  int exit_code = 0;   // 130, 143 or 75 after Ctrl-C, SIGTERM or --max-time, the folder being valid
};

// Where a fit starts, and who else sees its draws.
struct FitContext {
  Ticker::Clock::time_point started = Ticker::Clock::now();
  Checkpoints resumed{};               // one a chain; none: a new run
  double earlier_s = 0.0;              // that the resumed run took, by the clock
  std::shared_ptr<FolderLock> lock{};  // of the folder that is resumed
  Sink* warmup = nullptr;              // REQUIRES, as `draws`: one chain
  Sink* draws = nullptr;
};

// Messages go to stderr unless options.quiet. THROWS Error; a new run leaves nothing half-made
// behind, but what was checkpointed, or stopped by a disk that is full: then it can be resumed.
FitResult fit(const Problem& problem, const FitOptions& options, const StopSignal& stop,
              const FitContext& context = {});

}  // namespace flymc::cli
