// The only place where model, bound, frame and kernels are chosen at run time: sets up, then runs
// all chains in threads. Draws depend on the seed and the problem, never on the number of threads,
// nor on how often a run was stopped and resumed.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <vector>

#include "chain/checkpoint.hpp"
#include "diagnose/bridge.hpp"
#include "fit/prepare.hpp"
#include "fit/settings.hpp"
#include "flymc/chain/run_chain.hpp"
#include "flymc/diagnose/summary.hpp"

namespace flymc {

// With group terms: queries of an iteration, as the pilot counted them, and of the same moves with
// every row each time.
struct GroupForecast {
  double fly = 0.0;  // not a number: bounds would hold chains back, and it was not tried
  double regular = 0.0;
};

struct SetupInfo {
  double wall_s = 0.0;  // without re-anchoring
  double reanchor_s = 0.0;
  int rounds = 0;
  int passes = 0;
  std::uint64_t queries = 0;
  double newton_decrement = 0.0;
  std::vector<double> mode_nats;  // of each mode's log evidence below the best's; none: one mode
  bool separated = false;         // some direction separates the classes
  bool regular = false;           // the engine that runs
  std::size_t beacons = 0;
  std::vector<Datum> first_beacons;  // a few, those of the highest leverage first
  double expected_bright = 0.0;
  std::optional<Forecast> forecast;
  std::optional<GroupForecast> group_forecast;  // where the engine was not asked for
};

struct EngineResult {
  SetupInfo setup;
  std::vector<RunSummary> chains;
  bool enough = false;  // stopped because the draws were
  // A by-product of coins (dark_evidence.hpp); none where they say too little, and of draws that
  // were cut short.
  std::optional<LogEvidence> evidence{};
};

using Checkpoints = std::vector<std::optional<Checkpoint>>;  // one a chain; empty: starts over

// What the caller sees of a run while it goes on.
struct EngineHooks {
  // The sinks of a chain, asked for before any chain starts (and again should the engine change
  // after warm-up); the caller owns them.
  struct Sinks {
    Sink* draws = nullptr;
    Sink* warmup = nullptr;  // may be null
  };
  std::function<Sinks(std::uint32_t chain, bool regular)> make_sinks;
  std::function<void(const SetupInfo&)> set_up;        // called before chains start
  std::vector<ChainProgress>* progress = nullptr;      // one a chain
  std::vector<std::atomic<bool>>* keep_due = nullptr;  // one a chain
  std::atomic<bool>* stop = nullptr;                   // also set here when a chain fails
  const Checkpoints* resumed = nullptr;
  // Asked now and then, at numbers of draws that depend on nothing else, when all chains have as
  // many: whether these will do. Empty: all draws of the schedule.
  std::function<bool()> enough;
  // The draws of all chains, asked for when they are complete. Empty: no evidence is wanted.
  std::function<RunChains()> draws{};
};

[[nodiscard]] EngineResult run_engine(const Problem& problem, const FitSettings& options,
                                      const EngineHooks& hooks);

}  // namespace flymc
