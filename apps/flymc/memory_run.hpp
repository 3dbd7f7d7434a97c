// A run that lives in memory: the engine of `flymc fit` with draws and checkpoints kept here, so
// that it can go on, bit for bit, for as long as its data are there. Same options, same draws as
// the command line.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "flymc/engine.hpp"
#include "flymc/options.hpp"
#include "flymc/prepare.hpp"
#include "flymc/report/run_folder.hpp"
#include "flymc/report/summary.hpp"

namespace flymc::app {

class MemoryRun {
 public:
  // Prepares the problem; no draw yet. THROWS Error as validate() and prepare().
  MemoryRun(Table table, const FitOptions& options);
  MemoryRun(const MemoryRun&) = delete;
  MemoryRun& operator=(const MemoryRun&) = delete;

  // Goes on until every chain has `draws` draws in all, or enough of them (options.ess), or `stop`
  // is set; a chain that has more keeps them. May be called again after a stop: where it came
  // during warm-up, chains start over. After an error the run stands where it last stopped.
  // REQUIRES: one call at a time, and none of the functions below meanwhile.
  void advance(std::uint64_t draws, std::atomic<bool>& stop);

  [[nodiscard]] const Problem& problem() const noexcept { return problem_; }
  [[nodiscard]] const FitOptions& options() const noexcept { return options_; }
  [[nodiscard]] const EngineResult& result() const noexcept { return result_; }
  [[nodiscard]] bool enough() const noexcept { return result_.enough; }

  // Of the shortest chain, and of the longest: they differ after a stop.
  [[nodiscard]] std::uint64_t draws() const noexcept;
  [[nodiscard]] std::uint64_t most_draws() const noexcept;

  // Every chain, cut to the shortest.
  [[nodiscard]] RunChains chains() const;

  // REQUIRES: draws() > 0.
  [[nodiscard]] Summary summary() const;

 private:
  class MemorySink;
  [[nodiscard]] RunRecord record() const;

  FitOptions options_;
  Problem problem_;
  std::vector<ChainDraws> draws_;  // one a chain
  Checkpoints checkpoints_;        // as many
  EngineResult result_;
};

}  // namespace flymc::app
