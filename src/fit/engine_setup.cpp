#include "fit/engine_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/message.hpp"
#include "fit/dark_evidence.hpp"
#include "fit/engine_parts.hpp"
#include "fit/theta_draws.hpp"
#include "fit/words.hpp"
#include "flymc/error.hpp"
#include "kernel/mode_jumps.hpp"
#include "tune/separation.hpp"

namespace flymc {

WarmupChain FrameSetup::make_chain(std::uint32_t chain, std::uint64_t& queries) const {
  const Streams streams{options_.seed, chain};
  ChainParts parts = make_parts(streams);
  const auto mode = [&](const Vector& theta) { return mode_near(theta, queries); };
  const Stream stream = streams.at(1, Purpose::kInit);
  const Vector theta =
      modes_.size() < 2
          ? initial_theta(problem_, options_, *frame_, *parts.density, mode, stream)
          : initial_theta(problem_, options_, Frame::whitened(modes_[chain % modes_.size()].anchor),
                          *parts.density, mode, stream);
  const Tuning start{parts.theta_kernel->initial_step_size() * frame_->length_scale(),
                     options_.q.value_or(0.01)};
  return {std::move(parts),
          theta,
          {.adapt_q = !options_.q.has_value(), .start = start, .throw_coins = is_far(theta)}};
}

Chain EngineSetup::restore_chain(std::uint32_t chain, const Checkpoint& kept) const {
  ChainParts parts = make_parts({options_.seed, chain});
  if (kept.regular != info_.regular || !fits(kept.state, parts)) {
    throw Error(ErrorKind::kData,
                fmt::format("the checkpoint of chain {} is of another problem", chain + 1),
                message("fit again with {}.", Setting{"overwrite"}));
  }
  return {std::move(parts), kept.state};
}

ChainParts FrameSetup::make_parts(Streams streams) const {
  auto kernel = make_theta_kernel(options_.chosen_kernel(), *frame_);
  if (modes_.size() > 1) {
    kernel = std::make_unique<ModeJumps>(std::move(kernel), modes_, *frame_);
  }
  return make_target(std::move(kernel), streams);
}

std::optional<LogEvidence> FrameSetup::evidence(const std::function<RunChains()>& draws_of) const {
  if (info_.regular || !bounds_ || is_split() || problem_.prior.has_flat()) {
    return std::nullopt;
  }
  const RunChains draws = draws_of();
  const ChainParts parts = make_parts({options_.seed, 0});
  const ShellFinder finder(bounds_->tangents, problem_.data, *frame_);
  auto evidence = dark_evidence({*parts.density, *frame_, finder}, theta_draws(problem_, draws),
                                gather(draws, "bright__"));
  if (evidence) {
    evidence->value += log_prior_constant(problem_);
  }
  return evidence;
}

AnchorOptions FrameSetup::anchor_options() const {
  return {.search = options_.anchor, .threads = options_.threads, .seed = options_.seed};
}

// The engine is a choice only where the forecast speaks of the kernel that will run.
SetUpOptions FrameSetup::local_options(EngineKind engine, const std::atomic<bool>* stop) const {
  const bool can_choose = options_.chosen_kernel() == KernelKind::kSplitHmc;
  return {.anchor = anchor_options(),
          .local = {.threads = options_.threads},
          .engine = engine == EngineKind::kAuto && !can_choose ? EngineKind::kFly : engine,
          .stop = stop};
}

void FrameSetup::keep_local(SetUp land) {
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
  info_.separated = is_separable(&land.mode);
}

void FrameSetup::keep_anchor(const Anchor& anchor, const Modes& modes) {
  info_.passes += modes.passes();
  info_.queries += modes.queries();
  keep_modes(modes);
  info_.newton_decrement = anchor.decrement;
  info_.regular = options_.engine == EngineKind::kRegular;
  info_.separated = is_separable(nullptr);
  if (info_.regular) {
    frame_.emplace(options_.frame == FrameKind::kPlain ? Frame::plain(anchor)
                                                       : Frame::whitened(anchor));
  }
}

void FrameSetup::keep_global(const Anchor& anchor, Bounds bounds) {
  bounds_.emplace(std::move(bounds));
  ++info_.passes;
  info_.queries += bounds_->queries;
  frame_.emplace(
      options_.frame == FrameKind::kPlain
          ? Frame::plain(anchor)
          : Frame::oscillator(anchor, gaussian_precision(problem_.prior, bounds_->gaussian)));
}

void FrameSetup::throw_no_global_bound() const {
  throw Error(
      ErrorKind::kUsage,
      message("{}: {} has no global bound", Setting{"bound", name_of(options_.chosen_bound())},
              problem_.family->type().word),
      message("use {}.", Setting{"bound", "local"}));
}

void FrameSetup::keep_modes(const Modes& modes) {
  if (!modes.several()) {
    return;
  }
  for (const Mode& mode : modes.all()) {
    info_.mode_nats.push_back(modes.best().log_evidence - mode.log_evidence);
  }
  modes_ = modes.within(kNatsThatMatter);
}

double FrameSetup::distance(const Vector& theta) const {
  Vector scratch(theta.size());
  return frame_->posterior_norm(frame_->from_theta(theta), scratch);
}

// Beyond the last shell, at a mode that is not the anchor's, all but a few coins are bright. Dark
// at first, they would let the bounds pull the chain to the anchor before they are lit.
bool FrameSetup::is_far(const Vector& theta) const {
  if (problem_.family->type().log_concave || !bounds_ || bounds_->tangents.shells.radii.empty()) {
    return false;
  }
  return distance(theta) > bounds_->tangents.shells.radii.back();
}

// Of classes without an order, or successes of trials. `mode`: what set-up saw there; null:
// nothing.
bool FrameSetup::is_separable(const ModeFacts* mode) const {
  const FamilyType& family = problem_.family->type();
  if (family.is_ordered() ||
      (!family.has_classes() && family.response != ResponseKind::kSuccesses)) {
    return false;
  }
  const ClassTable table{.data = problem_.data,
                         .kind = family.response,
                         .predictors = problem_.predictors(),
                         .threads = options_.threads};
  if (mode == nullptr) {
    return is_separable_table(table, nullptr);
  }
  return separates_at_touch(table, bounds_->tangents) ||
         (!excludes_separation(table, problem_.prior, *mode, !family.information_within_slope) &&
          is_separable_table(table, &bounds_->tangents));
}

}  // namespace flymc
