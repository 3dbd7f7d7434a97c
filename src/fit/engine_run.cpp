#include "fit/engine_run.hpp"

#include <algorithm>
#include <utility>

#include "core/parallel.hpp"
#include "flymc/detail/core/interruption.hpp"

namespace flymc {

EngineRun::EngineRun(const EngineSetup& setup, const FitSettings& options, const EngineHooks& hooks)
    : setup_(setup),
      options_(options),
      hooks_(hooks),
      summaries_(options.chains),
      broken_(options.chains) {
  if (hooks.set_up) {
    hooks.set_up(setup.info());
  }
  for (std::uint32_t chain = 0; chain < options.chains; ++chain) {
    sinks_.push_back(hooks.make_sinks(chain, setup.info().regular));
    if (const Checkpoint* kept = checkpoint(chain)) {
      summaries_[chain] = kept->summary;
    }
  }
  chains_.resize(options.chains);
}

bool EngineRun::start_all() try {
  const Interruptible before_draws(hooks_.stop);
  parallel_for(options_.chains, chain_threads(), [&](std::size_t chain) { start(chain); });
  warm_ = !stopped();
  const auto failed = std::count_if(summaries_.begin(), summaries_.end(),
                                    [](const RunSummary& s) { return s.warmup_failed; });
  return 2 * static_cast<std::size_t>(failed) > summaries_.size();
} catch (const Interrupted&) {
  return false;
}

void EngineRun::start(std::size_t chain) {
  const auto number = static_cast<std::uint32_t>(chain);
  if (const Checkpoint* kept = checkpoint(chain)) {
    chains_[chain].emplace(setup_.restore_chain(number, *kept));
  } else {
    WarmupChain first = setup_.make_chain(number, summaries_[chain].warmup_queries);
    chains_[chain].emplace(warm_up(std::move(first), options_.schedule, control(chain),
                                   summaries_[chain], sinks_[chain].warmup));
  }
}

EngineResult EngineRun::sample_all() {
  const bool in_turns = hooks_.enough || options_.chains > resolve_threads(chain_threads());
  bool enough = false;
  try {
    for (std::uint64_t goal = 0; goal < options_.schedule.draws && !enough && !stopped();) {
      goal = in_turns ? next_look(fewest_draws(), goal) : options_.schedule.draws;
      sample_to(goal);
      enough = hooks_.enough && !stopped() && will_do();
    }
  } catch (...) {
    keep_all();
    throw;
  }
  if (warm_) {
    finish_all();
  }
  return {setup_.info(), std::move(summaries_), enough};
}

// Ranks make the same calls in the same order: one chain at a time.
unsigned EngineRun::chain_threads() const noexcept {
  return setup_.is_split() ? 1 : options_.threads;
}

const Checkpoint* EngineRun::checkpoint(std::size_t chain) const {
  const bool kept = hooks_.resumed != nullptr && (*hooks_.resumed)[chain].has_value();
  return kept ? &*(*hooks_.resumed)[chain] : nullptr;
}

RunControl EngineRun::control(std::size_t chain) const {
  return {hooks_.progress == nullptr ? nullptr : &(*hooks_.progress)[chain], hooks_.stop,
          hooks_.keep_due == nullptr ? nullptr : &(*hooks_.keep_due)[chain]};
}

std::uint64_t EngineRun::fewest_draws() const {
  return std::min_element(summaries_.begin(), summaries_.end(),
                          [](const auto& a, const auto& b) { return a.draws < b.draws; })
      ->draws;
}

// 100, 200, ... then a quarter more each time: after `last`, and not before `draws`, so that a
// resumed run looks where an undisturbed one does.
std::uint64_t EngineRun::next_look(std::uint64_t draws, std::uint64_t last) const {
  std::uint64_t look = 100;
  while (look < draws || look <= last) {
    look += std::max<std::uint64_t>(100, look / 4);
  }
  return std::min(look, options_.schedule.draws);
}

bool EngineRun::will_do() {
  for (const auto& sinks : sinks_) {
    sinks.draws->finish();
  }
  return hooks_.enough();
}

// A chain that fails (a full disk) stops the others: they keep what they have.
void EngineRun::sample_to(std::uint64_t goal) {
  Schedule schedule = options_.schedule;
  schedule.draws = goal;
  parallel_for(options_.chains, chain_threads(), [&](std::size_t i) {
    try {
      sample(*chains_[i], schedule, control(i), *sinks_[i].draws, summaries_[i]);
    } catch (...) {
      broken_[i] = 1;
      if (hooks_.stop != nullptr) {
        hooks_.stop->store(true);
      }
      throw;
    }
  });
}

void EngineRun::finish_all() {
  for (std::size_t i = 0; i < chains_.size(); ++i) {
    sinks_[i].draws->finish();
    sinks_[i].draws->keep(chains_[i]->state(), summaries_[i]);
  }
}

// After a failure: what can be kept is, and the failure itself is what to report.
void EngineRun::keep_all() noexcept {
  for (std::size_t i = 0; i < chains_.size(); ++i) {
    if (broken_[i]) {
      continue;
    }
    try {
      sinks_[i].draws->keep(chains_[i]->state(), summaries_[i]);
    } catch (...) {
    }
  }
}

}  // namespace flymc
