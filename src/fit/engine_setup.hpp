// One family's set-up, shared by its chains, and their assembly.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "chain/set_up.hpp"
#include "core/message.hpp"
#include "fit/engine.hpp"
#include "fit/engine_parts.hpp"
#include "fit/words.hpp"
#include "flymc/detail/family/family_of.hpp"
#include "flymc/error.hpp"
#include "flymc/posterior/full_target.hpp"
#include "flymc/posterior/global_bounds.hpp"
#include "flymc/posterior/joint_target.hpp"
#include "tune/separation.hpp"

namespace flymc {
namespace detail {

template <FamilyDefinition M>
class Engine {
 public:
  Engine(const M& model, const Problem& problem, const FitSettings& options, EngineKind engine,
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
  [[nodiscard]] bool is_split() const noexcept { return problem_.data.shard().is_split(); }

  [[nodiscard]] WarmupChain make_chain(std::uint32_t chain) const {
    const Streams streams{options_.seed, chain};
    ChainParts parts = make_parts(streams);
    const Vector theta =
        initial_theta(problem_, options_, *frame_, *parts.density, streams.at(1, Purpose::kInit));
    const Tuning start{parts.theta_kernel->initial_step_size() * frame_->length_scale(),
                       options_.q.value_or(0.01)};
    return {std::move(parts), theta, {.adapt_q = !options_.q.has_value(), .start = start}};
  }

  // THROWS Error(kData) where it is not one of this problem and engine.
  [[nodiscard]] Chain restore_chain(std::uint32_t chain, const Checkpoint& kept) const {
    ChainParts parts = make_parts({options_.seed, chain});
    if (kept.regular != info_.regular || !fits(kept.state, parts)) {
      throw Error(ErrorKind::kData,
                  fmt::format("the checkpoint of chain {} is of another problem", chain + 1),
                  message("fit again with {}.", Setting{"overwrite"}));
    }
    return {std::move(parts), kept.state};
  }

 private:
  static constexpr std::size_t kListed = 50;  // rows that run.json names

  // The engine is a choice only where the forecast speaks of the kernel that will run.
  void set_up_local(EngineKind engine, const std::atomic<bool>* stop) {
    const bool can_choose = options_.chosen_kernel() == KernelKind::kSplitHmc;
    SetUp land = set_up(
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
    const auto& lit = land.bounds.beacons.rows;  // by ascending leverage
    info_.first_beacons.assign(
        lit.rbegin(), lit.rbegin() + static_cast<std::ptrdiff_t>(std::min(info_.beacons, kListed)));
    info_.expected_bright = land.bounds.coins.expected_bright;
    info_.forecast = land.forecast;
    bounds_.emplace(std::move(land.bounds));
    frame_.emplace(options_.frame == FrameKind::kPlain ? Frame::plain(land.anchor)
                                                       : std::move(*land.frame));
    setting_ = std::make_shared<const JointSetting<M>>(model_, problem_.prior, problem_.data,
                                                       *bounds_, *frame_);
    info_.separated = is_separable(&land.mode);
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
    info_.separated = is_separable(nullptr);
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
                  message("{}: {} has no global bound",
                          Setting{"bound", name_of(options_.chosen_bound())}, M::kWord),
                  message("use {}.", Setting{"bound", "local"}));
    }
  }

  [[nodiscard]] Frame make_frame(const Anchor& anchor) const {
    return options_.frame == FrameKind::kPlain
               ? Frame::plain(anchor)
               : Frame::oscillator(anchor, gaussian_precision(problem_.prior, bounds_->gaussian));
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
    return firefly_parts(std::move(target), std::move(kernel), make_z_kernel(options_.z_settings()),
                         streams);
  }

  // Of classes, or successes of trials. `mode`: what set-up saw there; null: nothing.
  [[nodiscard]] bool is_separable(const ModeFacts* mode) const {
    if constexpr (M::kResponse == ResponseKind::kTwoClasses ||
                  M::kResponse == ResponseKind::kSuccesses ||
                  M::kResponse == ResponseKind::kClasses) {
      const ClassTable table{.data = problem_.data,
                             .kind = M::kResponse,
                             .predictors = predictor_count(model_),
                             .threads = options_.threads};
      if (mode == nullptr) {
        return is_separable_table(table, nullptr);
      }
      const bool grows = std::string_view(M::kLink) == "probit";
      return separates_at_touch(table, bounds_->tangents) ||
             (!excludes_separation(table, problem_.prior, *mode, grows) &&
              is_separable_table(table, &bounds_->tangents));
    }
    return false;
  }

  const M& model_;
  const Problem& problem_;
  const FitSettings& options_;
  SetupInfo info_;
  std::optional<Bounds> bounds_;
  std::optional<Frame> frame_;
  std::shared_ptr<const JointSetting<M>> setting_;
};

}  // namespace detail
}  // namespace flymc
