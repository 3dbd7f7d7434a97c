// A run that lives in memory: the engine of `flymc fit` with draws and checkpoints kept here, so
// that it can go on, bit for bit, for as long as its data are there. Same options, same draws as
// the command line.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "fit/engine.hpp"
#include "fit/options.hpp"
#include "fit/prepare.hpp"
#include "flymc/diagnose/summary.hpp"

namespace flymc {

// What a front end sees of a fit while it goes on. Nothing it does can change a draw.
class FitObserver {
 public:
  virtual ~FitObserver() = default;

  // The problem stands: its notes and warnings are worth saying.
  virtual void prepared(const Problem& /*problem*/) {}
  // Chains are about to be set up; `chains` is what they publish, one each, until finished().
  virtual void started(const std::vector<ChainProgress>& /*chains*/) {}
  // A sink that passes every draw of the chain on to `draws`; `draws` itself where none is wanted.
  [[nodiscard]] virtual Sink* watched(std::uint32_t /*chain*/, Sink* draws) { return draws; }
  // Set-up is done: chains run from now on.
  virtual void set_up(const SetupInfo& /*setup*/) {}
  virtual void finished() noexcept {}
};

class MemoryRun {
 public:
  // Prepares the problem; no draw yet. The observer must outlive the run. THROWS Error as
  // validate() and prepare().
  MemoryRun(Table table, const FitOptions& options, FitObserver* observer = nullptr);
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
  FitObserver* observer_;
  Problem problem_;
  std::vector<ChainDraws> draws_;  // one a chain
  Checkpoints checkpoints_;        // as many
  EngineResult result_;
};

}  // namespace flymc
