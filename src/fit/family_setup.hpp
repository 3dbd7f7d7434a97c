// One model's set-up and targets.
#pragma once

#include <chrono>
#include <cmath>
#include <memory>
#include <tuple>
#include <utility>

#include "fit/engine_setup.hpp"
#include "flymc/detail/core/interruption.hpp"
#include "flymc/error.hpp"
#include "flymc/posterior/full_target.hpp"
#include "flymc/posterior/global_bounds.hpp"
#include "flymc/posterior/joint_target.hpp"

namespace flymc {

template <BoundedLikelihood M>
class FamilySetup final : public FrameSetup {
 public:
  FamilySetup(M model, const Problem& problem, const FitSettings& options, EngineKind engine,
              const std::atomic<bool>* stop)
      : FrameSetup(problem, options), model_(std::move(model)) {
    const auto start = std::chrono::steady_clock::now();
    const Interruptible from_here(stop);
    if (options.local()) {
      keep_local(set_up(model_, problem.prior, problem.data, local_options(engine, stop)));
    } else {
      set_up_global();
    }
    if (bounds_) {
      setting_ = std::make_shared<const JointSetting<M>>(model_, problem.prior, problem.data,
                                                         *bounds_, *frame_);
    }
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    info_.wall_s = elapsed.count() - info_.reanchor_s;
  }

 private:
  void set_up_global() {
    Anchor anchor = find_anchor(model_, problem_.prior, problem_.data, anchor_options());
    info_.passes = anchor.passes;
    info_.queries = anchor.queries;
    Modes modes;
    if constexpr (!M::kLogConcave) {
      modes = find_modes(model_, problem_.prior, problem_.data, anchor.theta, options_.threads);
      std::ignore = detail::move_to_best(modes, anchor);
    }
    keep_anchor(anchor, modes);
    if (info_.regular) {
      return;
    }
    if constexpr (kHasGlobalBound<M>) {
      keep_global(anchor, make_bounds(model_, problem_.data, anchor,
                                      {.kind = options_.chosen_bound(),
                                       .xi = options_.xi.value_or(M::kUntunedXi),
                                       .threads = options_.threads}));
    } else {
      throw_no_global_bound();
    }
  }

  [[nodiscard]] ChainParts make_target(std::unique_ptr<ThetaKernel> kernel,
                                       Streams streams) const override {
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

  // Where the likelihood is not log-concave a climb from elsewhere may end elsewhere. Of many rows
  // a sample climbs first: where that ends near the anchor, so would all.
  [[nodiscard]] Vector mode_near([[maybe_unused]] const Vector& start,
                                 [[maybe_unused]] std::uint64_t& queries) const override {
    if constexpr (!M::kLogConcave) {
      const Dataset& data = problem_.data;
      Vector theta = start;
      const auto climb = [&](const Dataset& rows) {
        const NewtonResult found =
            newton(problem_.prior, likelihood_pass(model_, rows, options_.threads), theta,
                   {.tolerance = 0.5, .log_concave = false});
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

  M model_;
  std::shared_ptr<const JointSetting<M>> setting_;
};

}  // namespace flymc
