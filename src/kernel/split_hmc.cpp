#include "kernel/split_hmc.hpp"

#include <algorithm>
#include <cmath>

#include "core/message.hpp"
#include "flymc/detail/core/interruption.hpp"
#include "flymc/error.hpp"
#include "posterior/trajectory.hpp"

namespace flymc {

SplitHmc::SplitHmc(Index dimension)
    : proposal_(dimension),
      momentum_(dimension),
      rotated_(dimension),
      cosine_(dimension),
      sine_over_(dimension),
      sine_times_(dimension),
      drift_(dimension),
      push_(dimension) {}

// Levels follow the unjittered step: they may not depend on anything drawn.
void SplitHmc::deal_beacons(const SplitDensity& density, double step) noexcept {
  levels_ = 0;
  double reach = kWallStep / step;
  while (ends_[static_cast<std::size_t>(levels_)] < density.beacon_count() &&
         levels_ < kMostLevels) {
    ++levels_;
    ends_[static_cast<std::size_t>(levels_)] =
        levels_ == kMostLevels ? density.beacon_count() : density.beacons_within(reach);
    reach *= 2.0;
  }
}

void SplitHmc::set_flow(const SplitDensity& density, double time) noexcept {
  const Vector& q = density.squared_frequencies();
  const Vector& pull = density.pull();
  for (Index j = 0; j < q.size(); ++j) {
    const double om = std::sqrt(q[j]);
    constexpr double kStill = 1e-8;
    const double sine = om < kStill ? time : std::sin(om * time) / om;
    const double half = om < kStill ? 0.5 * time : std::sin(0.5 * om * time) / om;
    const double versine = 2.0 * half * half;  // (1 - cos)/om^2
    cosine_[j] = 1.0 - q[j] * versine;
    sine_over_[j] = sine;
    sine_times_[j] = q[j] * sine;
    drift_[j] = pull[j] * versine;
    push_[j] = pull[j] * sine;
  }
}

// Beacons dealt for another step (warm-up changed the kicks, or another evaluation lumped them):
// their forces are evaluated anew.
void SplitHmc::start(SplitDensity& density, Point& current, double step) {
  if (density.beacon_count() > 0 && current.level_step != step) {
    density.set_levels(current, levels_, step);
    for (int level = 1; level <= levels_; ++level) {
      density.evaluate_beacons(current, kFirstLevel + level - 1,
                               ends_[static_cast<std::size_t>(level - 1)],
                               ends_[static_cast<std::size_t>(level)]);
    }
    density.finish(current);
  }
  proposal_.zeta = current.zeta;
  proposal_.parts = current.parts;
  proposal_.forces = current.forces;
  proposal_.level_step = current.level_step;
}

void SplitHmc::kick(Index part, double time) noexcept {
  momentum_ += time * proposal_.forces.col(part);
}

void SplitHmc::kick_bright(double time) noexcept {
  kick(kBrightPart, time);
  kick(kRegionPart, time);
}

void SplitHmc::flow(SplitDensity& density, double step) {
  const int kicks = std::max(prior_kicks_, 1);
  const double part = 0.5 * step / kicks;
  for (int i = 0; i < kicks; ++i) {
    if (prior_kicks_ > 0) {
      kick(kPriorPart, part);
    }
    rotated_ = cosine_.cwiseProduct(proposal_.zeta) + sine_over_.cwiseProduct(momentum_) + drift_;
    momentum_ = cosine_.cwiseProduct(momentum_) - sine_times_.cwiseProduct(proposal_.zeta) + push_;
    proposal_.zeta.swap(rotated_);
    if (prior_kicks_ > 0) {
      density.evaluate_prior(proposal_);
      kick(kPriorPart, part);
    }
  }
}

void SplitHmc::propagate(SplitDensity& density, int level, double step) {
  poll_interruption();  // walls of high leverage make millions of these
  if (level > levels_) {
    flow(density, step);
    return;
  }
  const std::size_t first = ends_[static_cast<std::size_t>(level - 1)];
  const std::size_t last = ends_[static_cast<std::size_t>(level)];
  const Index part = kFirstLevel + level - 1;
  if (last > first) {
    kick(part, 0.5 * step);
  }
  if (level == levels_) {
    flow(density, step);
  } else {
    propagate(density, level + 1, 0.5 * step);
    propagate(density, level + 1, 0.5 * step);
  }
  if (last > first) {
    density.evaluate_beacons(proposal_, part, first, last);
    kick(part, 0.5 * step);
  }
}

ThetaInfo SplitHmc::step(Density& density, Point& current, const Tuning& tuning, Stream& stream) {
  SplitDensity* split = density.split();
  if (split == nullptr) {
    throw Error(ErrorKind::kUsage, message("split HMC needs a Gaussian part: use {} and {}.",
                                           Setting{"frame", "whitened"}, Setting{"engine", "fly"}));
  }
  const double nominal = kTrajectoryAngle / tuning.kicks;
  const double step = nominal * (0.9 + 0.2 * stream.uniform());
  deal_beacons(*split, nominal);
  start(*split, current, nominal);
  const double kink = split->prior_kink();
  prior_kicks_ = kink == 0.0 ? 0 : kink < 0.2 ? 1 : kink < 0.5 ? 3 : 6;
  set_flow(*split, step / std::max(prior_kicks_, 1) / std::exp2(std::max(levels_ - 1, 0)));
  for (Index j = 0; j < momentum_.size(); ++j) {
    momentum_[j] = stream.normal();
  }
  const double energy_before = 0.5 * momentum_.squaredNorm() - current.log_density;
  for (int i = 0; i < tuning.kicks; ++i) {
    kick_bright(0.5 * step);
    propagate(*split, 1, step);
    split->evaluate_bright(proposal_);
    kick_bright(0.5 * step);
  }
  split->finish(proposal_);
  const double energy_after = 0.5 * momentum_.squaredNorm() - proposal_.log_density;
  return metropolis(current, proposal_, energy_before - energy_after, stream);
}

}  // namespace flymc
