#include "flymc/chain/run_chain.hpp"

#include <chrono>
#include <utility>

#include "flymc/detail/core/interruption.hpp"

namespace flymc {
namespace {

// One thread writes: plain adds are enough.
template <class T>
void add_to(std::atomic<T>& total, T more) noexcept {
  total.store(total.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
}

void publish_warmup(const RunControl& control, const IterationInfo& info) noexcept {
  if (control.progress != nullptr) {
    add_to<std::uint64_t>(control.progress->warmup, 1);
    control.progress->bright.store(info.bright, std::memory_order_relaxed);
  }
}

void publish_draw(const RunControl& control, const Draw& draw, std::uint64_t draws) noexcept {
  if (control.progress != nullptr) {
    control.progress->draws.store(draws, std::memory_order_relaxed);
    control.progress->bright.store(draw.bright, std::memory_order_relaxed);
    add_to(control.progress->queries, draw.queries);
    add_to(control.progress->accept_sum, draw.accept_prob);
  }
}

void add(RunSummary& summary, const IterationInfo& info) noexcept {
  ++summary.iterations;
  summary.queries_theta += info.queries_theta;
  summary.queries_z += info.queries_z;
  summary.evaluations += info.evaluations;
  const auto count = static_cast<double>(summary.iterations);
  summary.mean_bright += (static_cast<double>(info.bright) - summary.mean_bright) / count;
  summary.mean_accept_prob += (info.theta.accept_prob - summary.mean_accept_prob) / count;
}

// A draw in the making that can be given up, as if it had not been begun.
class OneDraw {
 public:
  using Clock = std::chrono::steady_clock;

  OneDraw(Chain& chain, const RunControl& control, RunSummary& summary)
      : chain_(chain), control_(control), summary_(summary) {}

  // `thin` iterations; false where a stop came in between. The state is kept only where the draw
  // before took so long that a stop could be heard late.
  [[nodiscard]] bool make(std::uint64_t thin) {
    constexpr std::chrono::milliseconds kSlow(50);
    const bool slow = took_ > kSlow && control_.stop != nullptr;
    if (slow) {
      before_ = chain_.state();
      summary_before_ = summary_;
    }
    accept_sum = 0.0;
    queries = 0;
    const auto start = Clock::now();
    try {
      const Interruptible in_a_trajectory(slow ? control_.stop : nullptr);
      for (std::uint64_t i = 0; i < thin; ++i) {
        poll_interruption();
        info = chain_.step();
        accept_sum += info.theta.accept_prob;
        queries += info.queries_theta + info.queries_z;
        add(summary_, info);
      }
    } catch (const Interrupted&) {
      chain_.restore(before_);
      summary_ = summary_before_;
      return false;
    }
    took_ = Clock::now() - start;
    return true;
  }

  double accept_sum = 0.0;
  std::uint64_t queries = 0;
  IterationInfo info;  // of the last iteration

 private:
  Chain& chain_;
  const RunControl& control_;
  RunSummary& summary_;
  Clock::duration took_ = Clock::duration::max();  // not known of the first
  ChainState before_;
  RunSummary summary_before_;
};

}  // namespace

Chain warm_up(WarmupChain chain, const Schedule& schedule, const RunControl& control,
              RunSummary& summary, Sink* warmup_sink) {
  Vector theta(chain.dimension());
  for (std::uint64_t i = 0; i < schedule.warmup && !control.stop_asked(); ++i) {
    if (2 * i == schedule.warmup) {
      chain.restart_averages();
    }
    IterationInfo info;
    try {
      const Interruptible in_a_trajectory(control.stop);
      info = chain.step();
    } catch (const Interrupted&) {
      break;  // a stopped warm-up starts over
    }
    summary.warmup_queries += info.queries_theta + info.queries_z;
    publish_warmup(control, info);
    if (warmup_sink != nullptr) {
      chain.theta(theta);
      warmup_sink->accept({theta, chain.log_density(), info.theta.accept_prob, info.bright,
                           info.queries_theta + info.queries_z, nullptr});
    }
  }
  if (warmup_sink != nullptr) {
    warmup_sink->finish();
  }
  summary.warmup_failed = chain.has_failed();
  return std::move(chain).freeze();
}

void sample(Chain& chain, const Schedule& schedule, const RunControl& control, Sink& sink,
            RunSummary& summary) {
  Vector theta(chain.dimension());
  summary.tuning = chain.tuning();
  auto start = std::chrono::steady_clock::now();
  const auto add_time = [&] {
    const auto now = std::chrono::steady_clock::now();
    summary.wall_s += std::chrono::duration<double>(now - start).count();
    start = now;
  };
  OneDraw draw(chain, control, summary);
  while (summary.draws < schedule.draws && !control.stop_asked() && draw.make(schedule.thin)) {
    chain.theta(theta);
    const Draw kept{theta,
                    chain.log_density(),
                    draw.accept_sum / static_cast<double>(schedule.thin),
                    draw.info.bright,
                    draw.queries,
                    chain.coins()};
    sink.accept(kept);
    ++summary.draws;
    publish_draw(control, kept, summary.draws);
    if (control.keep_asked()) {
      control.keep_due->store(false, std::memory_order_relaxed);
      add_time();
      sink.keep(chain.state(), summary);
    }
  }
  add_time();
}

RunSummary run_chain(WarmupChain chain, const Schedule& schedule, Sink& sink,
                     const RunControl& control) {
  RunSummary summary;
  Chain frozen = warm_up(std::move(chain), schedule, control, summary, nullptr);
  sample(frozen, schedule, control, sink, summary);
  sink.finish();
  return summary;
}

}  // namespace flymc
