// Runs one chain through warm-up and sampling; draws leave through a sink.
#pragma once

#include <atomic>
#include <cstdint>

#include "flymc/chain/chain.hpp"

namespace flymc {

struct Schedule {
  std::uint64_t warmup = 1000;  // iterations
  std::uint64_t draws = 1000;   // kept
  std::uint64_t thin = 1;       // iterations per kept draw
};

// One kept draw; `theta` lives for the call only.
struct Draw {
  const Vector& theta;
  double log_density = 0.0;
  double accept_prob = 0.0;   // mean since the last kept draw
  std::size_t bright = 0;     // after the draw
  std::uint64_t queries = 0;  // since the last kept draw
};

class Sink {
 public:
  virtual ~Sink() = default;
  virtual void accept(const Draw& draw) = 0;
  // No more draws will come: whatever is held back goes where it belongs.
  virtual void finish() {}
};

// What another thread may watch while a chain runs; it never changes the draws.
struct ChainProgress {
  std::atomic<std::uint64_t> iterations{0};
  std::atomic<std::uint64_t> bright{0};
  std::atomic<std::uint64_t> queries{0};  // after warm-up
};

// Lets go of a running chain between two iterations.
struct RunControl {
  ChainProgress* progress = nullptr;
  const std::atomic<bool>* stop = nullptr;

  [[nodiscard]] bool stop_asked() const noexcept {
    return stop != nullptr && stop->load(std::memory_order_relaxed);
  }
};

// Totals after warm-up.
struct RunSummary {
  std::uint64_t iterations = 0;
  std::uint64_t draws = 0;
  std::uint64_t queries_theta = 0;
  std::uint64_t queries_z = 0;
  std::uint64_t evaluations = 0;  // of the density: regular MCMC would pay N queries for each
  double mean_bright = 0.0;
  double mean_accept_prob = 0.0;
  double wall_s = 0.0;
  std::uint64_t warmup_queries = 0;
  Tuning tuning;
  bool warmup_failed = false;  // see Adaptation::has_failed
  bool stopped = false;        // ended early because it was asked to
};

// Adapts for schedule.warmup iterations; the averages restart half way, so that the approach to the
// typical set does not count. `warmup_sink` may be null.
[[nodiscard]] Chain warm_up(WarmupChain chain, const Schedule& schedule, const RunControl& control,
                            RunSummary& summary, Sink* warmup_sink);

// Draws; the tuning of a Chain cannot change.
void sample(Chain& chain, const Schedule& schedule, const RunControl& control, Sink& sink,
            RunSummary& summary);

// Both.
[[nodiscard]] RunSummary run_chain(WarmupChain chain, const Schedule& schedule, Sink& sink,
                                   const RunControl& control = {});

}  // namespace flymc
