// The chains of one set-up: warm-up of all, then draws of all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "fit/engine.hpp"
#include "fit/engine_setup.hpp"

namespace flymc {

// All three outlive it.
class EngineRun {
 public:
  EngineRun(const EngineSetup& setup, const FitSettings& options, const EngineHooks& hooks);

  // Restores the chains that were kept, warms up the others. True: most of these could not move,
  // whatever the number of kicks.
  [[nodiscard]] bool start_all();

  // To the end of the schedule, or until the draws will do. Where there are more chains than
  // threads they take turns, a quarter of their draws at a time: a run that is stopped has chains
  // of about the same length.
  [[nodiscard]] EngineResult sample_all();

 private:
  [[nodiscard]] unsigned chain_threads() const noexcept;
  [[nodiscard]] bool stopped() const noexcept { return control(0).stop_asked(); }
  [[nodiscard]] const Checkpoint* checkpoint(std::size_t chain) const;
  [[nodiscard]] RunControl control(std::size_t chain) const;
  [[nodiscard]] std::uint64_t fewest_draws() const;
  [[nodiscard]] std::uint64_t next_look(std::uint64_t draws, std::uint64_t last) const;
  [[nodiscard]] bool will_do();
  void start(std::size_t chain);
  void sample_to(std::uint64_t goal);
  void finish_all();
  void keep_all() noexcept;

  const EngineSetup& setup_;
  const FitSettings& options_;
  const EngineHooks& hooks_;
  std::vector<RunSummary> summaries_;
  std::vector<EngineHooks::Sinks> sinks_;
  std::vector<std::optional<Chain>> chains_;
  std::vector<char> broken_;  // by an exception in the middle of a draw
  bool warm_ = false;         // all chains are through their warm-up: they can be kept
};

}  // namespace flymc
