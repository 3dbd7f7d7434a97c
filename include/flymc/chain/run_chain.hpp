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
  double accept_prob = 0.0;           // mean since the last kept draw
  std::size_t bright = 0;             // after the draw
  std::uint64_t queries = 0;          // since the last kept draw
  const Brightable* coins = nullptr;  // as they lie after the draw; null in regular MCMC
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
};

class Sink {
 public:
  virtual ~Sink() = default;
  virtual void accept(const Draw& draw) = 0;
  // No more draws will come: whatever is held back goes where it belongs.
  virtual void finish() {}
  // A moment to save: draws handed out so far, and how to go on from here.
  virtual void keep(const ChainState& /*state*/, const RunSummary& /*summary*/) {}
};

// What another thread may watch while a chain runs; it never changes the draws.
struct ChainProgress {
  std::atomic<std::uint64_t> warmup{0};  // iterations
  std::atomic<std::uint64_t> draws{0};   // kept, those before a resume included
  std::atomic<std::uint64_t> bright{0};
  std::atomic<std::uint64_t> queries{0};  // since sampling started here
  std::atomic<double> accept_sum{0.0};    // of the kept draws, since then
};

// What another thread may ask of a running chain.
struct RunControl {
  ChainProgress* progress = nullptr;
  const std::atomic<bool>* stop = nullptr;
  std::atomic<bool>* keep_due = nullptr;  // set by a clock elsewhere: keep() after the next draw

  [[nodiscard]] bool stop_asked() const noexcept {
    return stop != nullptr && stop->load(std::memory_order_relaxed);
  }
  [[nodiscard]] bool keep_asked() const noexcept {
    return keep_due != nullptr && keep_due->load(std::memory_order_relaxed);
  }
};

// Adapts for schedule.warmup iterations; the averages restart half way, so that the approach to the
// typical set does not count. `warmup_sink` may be null.
[[nodiscard]] Chain warm_up(WarmupChain chain, const Schedule& schedule, const RunControl& control,
                            RunSummary& summary, Sink* warmup_sink);

// Draws until summary.draws is schedule.draws, or the stop. The tuning of a Chain cannot change.
// May be called again for more, with the same summary; a restored chain comes with the one it was
// kept with. Does not finish() the sink.
void sample(Chain& chain, const Schedule& schedule, const RunControl& control, Sink& sink,
            RunSummary& summary);

// Both, and finish().
[[nodiscard]] RunSummary run_chain(WarmupChain chain, const Schedule& schedule, Sink& sink,
                                   const RunControl& control = {});

}  // namespace flymc
