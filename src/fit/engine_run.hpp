// Warm-up and draws for one family (see family_engine.hpp).
#pragma once

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "fit/engine.hpp"
#include "fit/engine_setup.hpp"
#include "flymc/detail/core/interruption.hpp"

namespace flymc {
namespace detail {

// Whether chains that are resumed had left the engine that set-up chose.
[[nodiscard]] inline bool was_regular(const EngineHooks& hooks) {
  return hooks.resumed != nullptr &&
         std::any_of(hooks.resumed->begin(), hooks.resumed->end(),
                     [](const auto& kept) { return kept && kept->regular; });
}

// The chains of one engine: warm-up of all, then draws of all.
template <FamilyDefinition M>
class Run {
 public:
  Run(const Engine<M>& engine, const FitSettings& options, const EngineHooks& hooks)
      : engine_(engine),
        options_(options),
        hooks_(hooks),
        summaries_(options.chains),
        broken_(options.chains) {
    if (hooks.set_up) {
      hooks.set_up(engine.info());
    }
    for (std::uint32_t chain = 0; chain < options.chains; ++chain) {
      sinks_.push_back(hooks.make_sinks(chain, engine.info().regular));
      if (const Checkpoint* kept = checkpoint(chain)) {
        summaries_[chain] = kept->summary;
      }
    }
    chains_.resize(options.chains);
  }

  // Restores the chains that were kept, warms up the others. True: most of these could not move,
  // whatever the number of kicks.
  [[nodiscard]] bool start_all() try {
    const Interruptible before_draws(hooks_.stop);
    parallel_for(options_.chains, chain_threads(), [&](std::size_t i) {
      const auto number = static_cast<std::uint32_t>(i);
      if (const Checkpoint* kept = checkpoint(i)) {
        chains_[i].emplace(engine_.restore_chain(number, *kept));
      } else {
        WarmupChain chain = engine_.make_chain(number, summaries_[i].warmup_queries);
        chains_[i].emplace(warm_up(std::move(chain), options_.schedule, control(i), summaries_[i],
                                   sinks_[i].warmup));
      }
    });
    warm_ = !stopped();
    const auto failed = std::count_if(summaries_.begin(), summaries_.end(),
                                      [](const RunSummary& s) { return s.warmup_failed; });
    return 2 * static_cast<std::size_t>(failed) > summaries_.size();
  } catch (const Interrupted&) {
    return false;
  }

  // To the end of the schedule, or until the draws will do. Where there are more chains than
  // threads they take turns, a quarter of their draws at a time: a run that is stopped has chains
  // of about the same length.
  [[nodiscard]] EngineResult sample_all() {
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
    return {engine_.info(), std::move(summaries_), enough};
  }

 private:
  // Ranks make the same calls in the same order: one chain at a time.
  [[nodiscard]] unsigned chain_threads() const noexcept {
    return engine_.is_split() ? 1 : options_.threads;
  }
  [[nodiscard]] bool stopped() const noexcept { return control(0).stop_asked(); }

  [[nodiscard]] const Checkpoint* checkpoint(std::size_t chain) const {
    const bool kept = hooks_.resumed != nullptr && (*hooks_.resumed)[chain].has_value();
    return kept ? &*(*hooks_.resumed)[chain] : nullptr;
  }

  [[nodiscard]] RunControl control(std::size_t chain) const {
    return {hooks_.progress == nullptr ? nullptr : &(*hooks_.progress)[chain], hooks_.stop,
            hooks_.keep_due == nullptr ? nullptr : &(*hooks_.keep_due)[chain]};
  }

  [[nodiscard]] std::uint64_t fewest_draws() const {
    return std::min_element(summaries_.begin(), summaries_.end(),
                            [](const auto& a, const auto& b) { return a.draws < b.draws; })
        ->draws;
  }

  // 100, 200, ... then a quarter more each time: after `last`, and not before `draws`, so that a
  // resumed run looks where an undisturbed one does.
  [[nodiscard]] std::uint64_t next_look(std::uint64_t draws, std::uint64_t last) const {
    std::uint64_t look = 100;
    while (look < draws || look <= last) {
      look += std::max<std::uint64_t>(100, look / 4);
    }
    return std::min(look, options_.schedule.draws);
  }

  [[nodiscard]] bool will_do() {
    for (const auto& sinks : sinks_) {
      sinks.draws->finish();
    }
    return hooks_.enough();
  }

  void finish_all() {
    for (std::size_t i = 0; i < chains_.size(); ++i) {
      sinks_[i].draws->finish();
      sinks_[i].draws->keep(chains_[i]->state(), summaries_[i]);
    }
  }

  // After a failure: what can be kept is, and the failure itself is what to report.
  void keep_all() noexcept {
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

  // A chain that fails (a full disk) stops the others: they keep what they have.
  void sample_to(std::uint64_t goal) {
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

  const Engine<M>& engine_;
  const FitSettings& options_;
  const EngineHooks& hooks_;
  std::vector<RunSummary> summaries_;
  std::vector<EngineHooks::Sinks> sinks_;
  std::vector<std::optional<Chain>> chains_;
  std::vector<char> broken_;  // by an exception in the middle of a draw
  bool warm_ = false;         // all chains are through their warm-up: they can be kept
};

}  // namespace detail

namespace detail {

// Of a run that was stopped before its chains stood: those that are resumed are where they were.
[[nodiscard]] inline EngineResult stopped_in_set_up(const FitSettings& options,
                                                    const EngineHooks& hooks) {
  EngineResult result;
  result.setup.regular = options.engine == EngineKind::kRegular || was_regular(hooks);
  result.chains.resize(options.chains);
  for (std::uint32_t chain = 0; chain < options.chains; ++chain) {
    std::ignore = hooks.make_sinks(chain, result.setup.regular);
    if (hooks.resumed != nullptr && (*hooks.resumed)[chain]) {
      result.chains[chain] = (*hooks.resumed)[chain]->summary;
    }
  }
  return result;
}

}  // namespace detail

template <FamilyDefinition M>
[[nodiscard]] EngineResult run_model(const M& model, const Problem& problem,
                                     const FitSettings& options, const EngineHooks& hooks) try {
  const detail::Engine<M> engine(model, problem, options, options.engine, hooks.stop);
  const bool can_choose =
      !engine.info().regular && options.engine == EngineKind::kAuto && options.local();
  if (!can_choose || !detail::was_regular(hooks)) {
    detail::Run<M> run(engine, options, hooks);
    if (!run.start_all() || !can_choose) {
      return run.sample_all();
    }
  }
  const detail::Engine<M> regular(model, problem, options, EngineKind::kRegular, hooks.stop);
  detail::Run<M> run(regular, options, hooks);
  std::ignore = run.start_all();
  return run.sample_all();
} catch (const Interrupted&) {
  return detail::stopped_in_set_up(options, hooks);
}

}  // namespace flymc
