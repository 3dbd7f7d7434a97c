// Set-up, warm-up and draws for one model: instantiated once a model, in engine_*.cpp, so that the
// models compile side by side.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "flymc/chain/set_up.hpp"
#include "flymc/core/error.hpp"
#include "flymc/core/parallel.hpp"
#include "flymc/engine_model.hpp"
#include "flymc/engine_parts.hpp"
#include "flymc/target/full_target.hpp"
#include "flymc/target/global_bounds.hpp"
#include "flymc/target/joint_target.hpp"
#include "flymc/words.hpp"

namespace flymc::app {
namespace detail {

// One model's set-up, shared by its chains, and their assembly.
template <BoundedLikelihood M>
class Engine {
 public:
  Engine(const M& model, const Problem& problem, const FitOptions& options, EngineKind engine,
         const std::atomic<bool>* stop)
      : model_(model), problem_(problem), options_(options) {
    const auto start = std::chrono::steady_clock::now();
    if (options.local()) {
      set_up_local(engine, stop);
    } else {
      set_up_global();
    }
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    info_.wall_s = elapsed.count() - info_.reanchor_s;
  }

  [[nodiscard]] const SetupInfo& info() const noexcept { return info_; }

  [[nodiscard]] WarmupChain make_chain(std::uint32_t chain) const {
    const Streams streams{options_.seed, chain};
    ChainParts parts = make_parts(streams);
    const Vector theta =
        initial_theta(problem_, options_, *frame_, *parts.density, streams.at(1, Purpose::kInit));
    const Tuning start{parts.theta_kernel->initial_step_size() * frame_->length_scale(),
                       options_.q.value_or(0.01)};
    return {std::move(parts), theta, {.adapt_q = !options_.q.has_value(), .start = start}};
  }

 private:
  // The engine is a choice only where the forecast speaks of the kernel that will run.
  void set_up_local(EngineKind engine, const std::atomic<bool>* stop) {
    const bool can_choose = options_.chosen_kernel() == KernelKind::kSplitHmc;
    Landscape land = set_up(
        model_, problem_.prior, problem_.data,
        {.anchor = {.search = options_.anchor, .threads = options_.threads, .seed = options_.seed},
         .local = {.threads = options_.threads},
         .engine = engine == EngineKind::kAuto && !can_choose ? EngineKind::kFly : engine,
         .stop = stop});
    info_.passes = land.passes;
    info_.queries = land.queries;
    info_.newton_decrement = land.anchor.decrement;
    info_.rounds = land.rounds;
    info_.reanchor_s = land.reanchor_s;
    info_.regular = land.regular;
    info_.beacons = land.regular ? 0 : land.bounds.beacons.size();
    info_.expected_bright = land.bounds.expected_bright;
    info_.forecast = land.forecast;
    bounds_.emplace(std::move(land.bounds));
    frame_.emplace(options_.frame == FrameKind::kPlain ? Frame::plain(land.anchor)
                                                       : std::move(*land.frame));
    setting_ = std::make_shared<const JointSetting<M>>(model_, problem_.prior, problem_.data,
                                                       *bounds_, *frame_);
    info_.separated = separates_at_anchor();
  }

  // The paper's bounds, or none for regular MCMC with the paper's kernels.
  void set_up_global() {
    const Anchor anchor = find_anchor(
        model_, problem_.prior, problem_.data,
        {.search = options_.anchor, .threads = options_.threads, .seed = options_.seed});
    info_.passes = anchor.passes;
    info_.queries = anchor.queries;
    info_.newton_decrement = anchor.decrement;
    info_.regular = options_.engine == EngineKind::kRegular;
    if (info_.regular) {
      frame_.emplace(options_.frame == FrameKind::kPlain ? Frame::plain(anchor)
                                                         : Frame::whitened(anchor));
      return;
    }
    if constexpr (kHasGlobalBound<M>) {
      bounds_.emplace(make_bounds(model_, problem_.data, anchor,
                                  {.kind = options_.chosen_bound(),
                                   .xi = options_.xi.value_or(M::kUntunedXi),
                                   .threads = options_.threads}));
      ++info_.passes;
      info_.queries += bounds_->queries;
      frame_.emplace(make_frame(anchor));
      setting_ = std::make_shared<const JointSetting<M>>(model_, problem_.prior, problem_.data,
                                                         *bounds_, *frame_);
    } else {
      throw Error(ErrorKind::kUsage,
                  fmt::format("--bound {}: {} has no global bound; use --bound local.",
                              name_of(options_.chosen_bound()), name_of(options_.model)));
    }
  }

  [[nodiscard]] Frame make_frame(const Anchor& anchor) const {
    return options_.frame == FrameKind::kPlain
               ? Frame::plain(anchor)
               : Frame::oscillator(anchor, gaussian_precision(problem_.prior, *bounds_));
  }

  [[nodiscard]] ChainParts make_parts(Streams streams) const {
    auto kernel = make_theta_kernel(options_.chosen_kernel(), *frame_);
    if (!setting_) {
      return {std::make_unique<FullTarget<M>>(model_, problem_.prior, problem_.data, *frame_),
              nullptr, std::move(kernel), nullptr, streams};
    }
    auto target = std::make_unique<JointTarget<M>>(setting_);
    if (info_.regular) {
      return {std::move(target), nullptr, std::move(kernel), nullptr, streams};
    }
    return firefly_parts(std::move(target), std::move(kernel), make_z_kernel(options_), streams);
  }

  // Of classes, or successes in all trials or none: whether the anchor tells every row's.
  [[nodiscard]] bool separates_at_anchor() const {
    if constexpr (std::is_same_v<M, Logistic> || std::is_same_v<M, Probit> ||
                  std::is_same_v<M, Binomial>) {
      for (std::size_t n = 0; n < problem_.data.rows(); ++n) {
        const double y = problem_.data.response(n);
        const double side = std::is_same_v<M, Binomial> ? 2.0 * y - 1.0 : y;
        if (std::abs(side) != 1.0 || !(*bounds_->anchor(n) * side > 0.0)) {
          return false;
        }
      }
      return true;
    }
    return false;
  }

  const M& model_;
  const Problem& problem_;
  const FitOptions& options_;
  SetupInfo info_;
  std::optional<Bounds> bounds_;
  std::optional<Frame> frame_;
  std::shared_ptr<const JointSetting<M>> setting_;
};

// The chains of one engine: warm-up of all, then draws of all.
template <BoundedLikelihood M>
class Run {
 public:
  Run(const Engine<M>& engine, const FitOptions& options, const EngineHooks& hooks)
      : engine_(engine), options_(options), hooks_(hooks), summaries_(options.chains) {
    if (hooks.set_up) {
      hooks.set_up(engine.info());
    }
    for (std::uint32_t chain = 0; chain < options.chains; ++chain) {
      sinks_.push_back(hooks.make_sinks(chain, engine.info().regular));
    }
    chains_.resize(options.chains);
  }

  // True: most chains could not move, whatever the number of kicks.
  [[nodiscard]] bool warm_up_all() {
    parallel_for(options_.chains, options_.threads, [&](std::size_t i) {
      chains_[i].emplace(warm_up(engine_.make_chain(static_cast<std::uint32_t>(i)),
                                 options_.schedule, control(i), summaries_[i],
                                 sinks_[i].warmup.get()));
    });
    const auto failed = std::count_if(summaries_.begin(), summaries_.end(),
                                      [](const RunSummary& s) { return s.warmup_failed; });
    return 2 * static_cast<std::size_t>(failed) > summaries_.size();
  }

  [[nodiscard]] EngineResult sample_all() {
    parallel_for(options_.chains, options_.threads, [&](std::size_t i) {
      sample(*chains_[i], options_.schedule, control(i), *sinks_[i].draws, summaries_[i]);
    });
    return {engine_.info(), std::move(summaries_)};
  }

 private:
  [[nodiscard]] RunControl control(std::size_t chain) const {
    return {hooks_.progress == nullptr ? nullptr : &(*hooks_.progress)[chain], hooks_.stop};
  }

  const Engine<M>& engine_;
  const FitOptions& options_;
  const EngineHooks& hooks_;
  std::vector<RunSummary> summaries_;
  std::vector<EngineHooks::Sinks> sinks_;
  std::vector<std::optional<Chain>> chains_;
};

}  // namespace detail

template <BoundedLikelihood M>
EngineResult run_model(const M& model, const Problem& problem, const FitOptions& options,
                       const EngineHooks& hooks) {
  const detail::Engine<M> engine(model, problem, options, options.engine, hooks.stop);
  {
    detail::Run<M> run(engine, options, hooks);
    const bool failed = run.warm_up_all();
    const bool can_choose = options.engine == EngineKind::kAuto && options.local();
    if (!failed || engine.info().regular || !can_choose) {
      return run.sample_all();
    }
  }
  const detail::Engine<M> regular(model, problem, options, EngineKind::kRegular, hooks.stop);
  detail::Run<M> run(regular, options, hooks);
  std::ignore = run.warm_up_all();
  return run.sample_all();
}

}  // namespace flymc::app
