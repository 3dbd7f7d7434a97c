// How ranks stop together. Each may hear of Ctrl-C, SIGTERM or the end of --max-time at another
// moment; they compare every few draws, and stop at the same one. Alone, or between meetings, there
// is nothing to say.
#pragma once

#include <atomic>
#include <cstdint>

#include "core/stop_signal.hpp"
#include "flymc/chain/run_chain.hpp"
#include "flymc/ranks.hpp"

namespace flymc {

class StopConsensus final : public Sink {
 public:
  StopConsensus(Ranks& ranks, const StopSignal& stop) : ranks_(ranks), stop_(stop) {}

  // What chains look at. Alone it is the signal's own.
  [[nodiscard]] std::atomic<bool>* stop() noexcept {
    return ranks_.size() > 1 ? &agreed_ : stop_.flag();
  }

  // Called once a draw, or iteration of warm-up, at every rank.
  void accept(const Draw& draw) override;

  // Rank 0's answer.
  [[nodiscard]] bool decided_by_first(bool mine);

 private:
  Ranks& ranks_;
  const StopSignal& stop_;
  std::atomic<bool> agreed_{false};
  std::uint64_t calls_ = 0;
};

}  // namespace flymc
