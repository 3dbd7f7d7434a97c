// One family's set-up, shared by its chains, and their assembly.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "chain/set_up.hpp"
#include "core/message.hpp"
#include "fit/engine.hpp"
#include "fit/engine_parts.hpp"
#include "fit/words.hpp"
#include "flymc/detail/core/interruption.hpp"
#include "flymc/detail/family/family_of.hpp"
#include "flymc/error.hpp"
#include "flymc/posterior/full_target.hpp"
#include "flymc/posterior/global_bounds.hpp"
#include "flymc/posterior/joint_target.hpp"
#include "kernel/mode_jumps.hpp"
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
    const Interruptible from_here(stop);
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

  // `queries` grows by what it cost to find the start.
  [[nodiscard]] WarmupChain make_chain(std::uint32_t chain, std::uint64_t& queries) const {
    const Streams streams{options_.seed, chain};
    ChainParts parts = make_parts(streams);
    const auto mode = [&](const Vector& theta) { return mode_near(theta, queries); };
    const Stream stream = streams.at(1, Purpose::kInit);
    const Vector theta =
        modes_.size() < 2 ? initial_theta(problem_, options_, *frame_, *parts.density, mode, stream)
                          : initial_theta(problem_, options_,
                                          Frame::whitened(modes_[chain % modes_.size()].anchor),
                                          *parts.density, mode, stream);
    const Tuning start{parts.theta_kernel->initial_step_size() * frame_->length_scale(),
                       options_.q.value_or(0.01)};
    return {std::move(parts),
            theta,
            {.adapt_q = !options_.q.has_value(), .start = start, .throw_coins = is_far(theta)}};
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
    keep_modes(land.modes);
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
    Anchor anchor = find_anchor(
        model_, problem_.prior, problem_.data,
        {.search = options_.anchor, .threads = options_.threads, .seed = options_.seed});
    info_.passes = anchor.passes;
    info_.queries = anchor.queries;
    if constexpr (!M::kLogConcave) {
      const Modes modes =
          find_modes(model_, problem_.prior, problem_.data, anchor.theta, options_.threads);
      std::ignore = move_to_best(modes, anchor);
      info_.passes += modes.passes();
      info_.queries += modes.queries();
      keep_modes(modes);
    }
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

  void keep_modes(const Modes& modes) {
    if (!modes.several()) {
      return;
    }
    for (const Mode& mode : modes.all()) {
      info_.mode_nats.push_back(modes.best().log_evidence - mode.log_evidence);
    }
    modes_ = modes.within(kNatsThatMatter);
  }

  // Where the likelihood is not log-concave a climb from elsewhere may end elsewhere. Of many rows
  // a sample climbs first: where that ends near the anchor, so would all.
  [[nodiscard]] Vector mode_near([[maybe_unused]] Vector theta,
                                 [[maybe_unused]] std::uint64_t& queries) const {
    if constexpr (!M::kLogConcave) {
      const Dataset& data = problem_.data;
      const auto climb = [&](const Dataset& rows) {
        const NewtonResult found =
            newton(problem_.prior, likelihood_pass(model_, rows, options_.threads), theta,
                   {.tolerance = 0.5, .log_concave = false, .predictors = predictor_count(model_)});
        queries += found.anchor.queries;
        theta = found.anchor.theta;
      };
      try {
        const auto some = anchor_sample(data.rows(), theta.size(), options_.seed);
        if (!some.empty()) {
          const double share = static_cast<double>(data.rows()) / static_cast<double>(some.size());
          climb(data.sample(some, share, options_.threads));
          if (distance(theta) < 6.0 * std::sqrt(static_cast<double>(theta.size()) * share)) {
            return frame_->anchor();
          }
        }
        climb(data);
        return theta;
      } catch (const Error&) {
        // no mode to be found from there
      }
    }
    return frame_->anchor();
  }

  // From the anchor, in posterior standard deviations.
  [[nodiscard]] double distance(const Vector& theta) const {
    Vector scratch(theta.size());
    return frame_->posterior_norm(frame_->from_theta(theta), scratch);
  }

  // Beyond the last shell, at a mode that is not the anchor's, all but a few coins are bright. Dark
  // at first, they would let the bounds pull the chain to the anchor before they are lit.
  [[nodiscard]] bool is_far(const Vector& theta) const {
    if (M::kLogConcave || !bounds_ || bounds_->tangents.shells.radii.empty()) {
      return false;
    }
    return distance(theta) > bounds_->tangents.shells.radii.back();
  }

  [[nodiscard]] ChainParts make_parts(Streams streams) const {
    auto kernel = make_theta_kernel(options_.chosen_kernel(), *frame_);
    if (modes_.size() > 1) {
      kernel = std::make_unique<ModeJumps>(std::move(kernel), modes_, *frame_);
    }
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
      const bool grows = !M::kInformationWithinSlope;
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
  std::vector<Mode> modes_;  // that matter, where there is more than one
  std::optional<Bounds> bounds_;
  std::optional<Frame> frame_;
  std::shared_ptr<const JointSetting<M>> setting_;
};

}  // namespace detail
}  // namespace flymc
