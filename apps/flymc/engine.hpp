// The only place where model, bound, frame and kernels are chosen at run time: sets up, then runs
// all chains in threads. Draws depend on the seed and the problem, never on the number of threads.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "flymc/chain/run_chain.hpp"
#include "flymc/options.hpp"
#include "flymc/prepare.hpp"

namespace flymc::app {

struct SetupInfo {
  double wall_s = 0.0;  // without re-anchoring
  double reanchor_s = 0.0;
  int rounds = 0;
  int passes = 0;
  std::uint64_t queries = 0;
  double newton_decrement = 0.0;
  bool separated = false;  // the anchor classifies every row correctly
  bool regular = false;    // the engine that runs
  std::size_t beacons = 0;
  double expected_bright = 0.0;
  std::optional<Forecast> forecast;
};

struct EngineResult {
  SetupInfo setup;
  std::vector<RunSummary> chains;
};

// What the caller sees of a run while it goes on.
struct EngineHooks {
  // The sinks of a chain, made before any chain starts (and made anew should the engine change
  // after warm-up); `warmup` may be null.
  struct Sinks {
    std::unique_ptr<Sink> draws;
    std::unique_ptr<Sink> warmup;
  };
  std::function<Sinks(std::uint32_t chain, bool regular)> make_sinks;
  std::function<void(const SetupInfo&)> set_up;    // called before chains start
  std::vector<ChainProgress>* progress = nullptr;  // one a chain
  const std::atomic<bool>* stop = nullptr;
};

[[nodiscard]] EngineResult run_engine(const Problem& problem, const FitOptions& options,
                                      const EngineHooks& hooks);

}  // namespace flymc::app
