#include "groups/group_moves.hpp"

#include <algorithm>
#include <cmath>

#include "flymc/detail/core/interruption.hpp"
#include "flymc/error.hpp"

namespace flymc {
GroupMoves::GroupMoves(GroupTarget& target, const GroupTuning& tuning, GroupMoveSet moves)
    : target_(target),
      tuning_(tuning),
      moves_(moves),
      other_(target.make_place()),
      proposal_(target.dimension()),
      held_(target.setting().bounds.sums, target.setting().bounds.anchor),
      rows_(target),
      shared_step_(shared_walk(target.setting().bounds.sums.shared_bend,
                               target.setting().bounds.shared_region)),
      du_(static_cast<Index>(target.varying())),
      on_level_(static_cast<Index>(target.varying())) {}

ThetaInfo GroupMoves::step(Density& /*density*/, Point& current, const Tuning& /*tuning*/,
                           Stream& stream) {
  accepted_ = {};
  if (current.parts.size() != static_cast<Index>(target_.levels())) {
    throw Error(ErrorKind::kData, "the state of the chain is of another problem.");
  }
  target_.sort_bright();
  target_.take_place(current);
  const double angle = draw_angle(stream);
  if (moves_.levels) {
    move_levels(current, angle, stream);
  }
  if (moves_.fixed) {
    move_fixed(current, angle, stream);
  }
  const bool at_beta = moves_.centred || moves_.held;
  if (moves_.scales && !moves_.sums_out(tuning_) && (!at_beta || stream.uniform() < 0.5)) {
    move_scales(current, stream);
  }
  if (at_beta) {
    move_scales_at_beta(current, stream);
  }
  finish(current);
  return info();
}

void GroupMoves::finish(Point& current) {
  target_.keep_place(current);
  target_.assemble(target_.here(), current);
}

// --- levels ---

void GroupMoves::move_levels(Point& current, double angle, Stream& stream) {
  const Turn turn(angle, 1);
  double sum = 0.0;
  std::size_t tried = 0;
  for (std::size_t level = 0; level < target_.levels(); ++level) {
    if (target_.is_active(level)) {
      sum += move_level(current, level, angle, stream);
      ++tried;
    } else {
      turn_level(current, level, turn, stream);
    }
  }
  accepted_.levels = tried > 0 ? sum / static_cast<double>(tried) : 1.0;
}

// No bright row: nothing to evaluate, unless it leaves its region or comes back.
void GroupMoves::turn_level(Point& current, std::size_t level, const Turn& turn, Stream& stream) {
  GroupPlace& here = target_.here();
  const std::size_t q = target_.varying();
  double* const zeta = target_.zeta_of(current, level);
  double* const du = here.at.du.data() + level * q;
  zeta_.resize(static_cast<Index>(q));
  for (std::size_t j = 0; j < q; ++j) {
    zeta_[static_cast<Index>(j)] = zeta[j] * turn.cosine + stream.normal() * turn.sine;
  }
  here.frame.level_from(level, zeta_.data(), here.at.fixed.beta.data(), du_.data());
  const bool leaves = target_.leaves(level, du_.data(), here.at.fixed);
  const double before = current.parts[static_cast<Index>(level)];
  const double value =
      leaves ? target_.evaluate_level(level, du_.data(), here.at.fixed, true, nullptr, {}) : 0.0;
  if ((leaves || here.at.outside[level] != 0) &&
      !(stream.uniform() < accept_prob(value - before))) {
    return;
  }
  std::copy_n(zeta_.data(), q, zeta);
  std::copy_n(du_.data(), q, du);
  here.at.outside[level] = static_cast<char>(leaves);
  current.parts[static_cast<Index>(level)] = value;
}

// Split HMC: the Gaussian part turns exactly, rows that are evaluated kick.
double GroupMoves::move_level(Point& current, std::size_t level, double angle, Stream& stream) {
  GroupPlace& here = target_.here();
  const auto q = static_cast<Index>(target_.varying());
  const auto bright = target_.bright_of(level);
  const Turn turn(angle, tuning_.level_kicks);
  factors_.resize(bright.size());
  double* const zeta = target_.zeta_of(current, level);
  zeta_ = ConstVectorView(zeta, q);
  momentum_.resize(q);
  for (Index j = 0; j < q; ++j) {
    momentum_[j] = stream.normal();
  }
  double value = current.parts[static_cast<Index>(level)];
  for (const std::uint32_t slot : bright) {
    value += current.log_factors[slot];
  }
  const double before = value - 0.5 * (zeta_.squaredNorm() + momentum_.squaredNorm());
  bool outside = here.at.outside[level] != 0;
  double rest = 0.0;
  const auto kick = [&](double length) {
    here.frame.level_from(level, zeta_.data(), here.at.fixed.beta.data(), du_.data());
    outside = target_.leaves(level, du_.data(), here.at.fixed);
    on_level_.setZero();
    rest = target_.evaluate_level(level, du_.data(), here.at.fixed, outside, factors_.data(),
                                  {.on_level = on_level_.data()});
    here.frame.pull_level(level, on_level_.data());
    if (on_level_.allFinite()) {
      momentum_ += length * on_level_;
    }
  };
  kick(0.5 * turn.step);
  for (int i = 1; i <= tuning_.level_kicks; ++i) {
    turn.apply(zeta_, momentum_);
    kick(i < tuning_.level_kicks ? turn.step : 0.5 * turn.step);
  }
  double after = rest - 0.5 * (zeta_.squaredNorm() + momentum_.squaredNorm());
  for (const double factor : factors_) {
    after += factor;
  }
  const double probability = accept_prob(after - before);
  if (stream.uniform() < probability) {
    std::copy_n(zeta_.data(), q, zeta);
    std::copy_n(du_.data(), q, here.at.du.data() + level * target_.varying());
    here.at.outside[level] = static_cast<char>(outside);
    current.parts[static_cast<Index>(level)] = rest;
    for (std::size_t i = 0; i < bright.size(); ++i) {
      current.log_factors[bright[i]] = factors_[i];
    }
  }
  return probability;
}

// --- fixed effects ---

// Of bright rows and beacons, as if every level were inside: any field will do as long as it is one
// of the position, and levels that come and go have no say in it.
void GroupMoves::force_on_fixed(const Point& current, const Vector& zeta_b, Vector& force) {
  const GroupPlace& here = target_.here();
  here.frame.fixed_from(zeta_b.data(), fixed_.beta);
  fixed_.shared = here.at.fixed.shared;
  force.setZero(static_cast<Index>(target_.fixed()));
  for (std::size_t level = 0; level < target_.levels(); ++level) {
    const auto bright = target_.bright_of(level);
    if (bright.empty() && !target_.is_beacon(level)) {
      continue;
    }
    here.frame.level_from(level, target_.zeta_of(current, level), fixed_.beta.data(), du_.data());
    factors_.resize(bright.size());
    on_level_.setZero();
    std::ignore = target_.evaluate_level(level, du_.data(), fixed_, false, factors_.data(),
                                         {.on_level = on_level_.data(), .on_beta = force.data()});
    here.frame.pull_level(level, on_level_.data());
    here.frame.take_tied(level, on_level_.data(), force.data());
  }
  here.frame.pull_fixed(force.data());
  if (!force.allFinite()) {
    force.setZero();
  }
  target_.count_evaluation();
  poll_interruption();
}

void GroupMoves::move_fixed(Point& current, double angle, Stream& stream) {
  const auto p = static_cast<Index>(target_.fixed());
  const Turn turn(angle, tuning_.fixed_kicks);
  zeta_ = current.zeta.head(p);
  momentum_.resize(p);
  for (Index j = 0; j < p; ++j) {
    momentum_[j] = stream.normal();
  }
  const double before =
      target_.residual(current) - 0.5 * (zeta_.squaredNorm() + momentum_.squaredNorm());
  force_on_fixed(current, zeta_, force_);
  momentum_ += 0.5 * turn.step * force_;
  for (int i = 1; i <= tuning_.fixed_kicks; ++i) {
    turn.apply(zeta_, momentum_);
    force_on_fixed(current, zeta_, force_);
    momentum_ += (i < tuning_.fixed_kicks ? turn.step : 0.5 * turn.step) * force_;
  }
  proposal_.zeta = current.zeta;
  proposal_.zeta.head(p) = zeta_;
  GroupPlace& here = target_.here();
  target_.set_coefficients(here.frame, proposal_.zeta, other_.at);
  target_.evaluate_rows(other_.at, proposal_);
  const double after =
      target_.residual(proposal_) - 0.5 * (zeta_.squaredNorm() + momentum_.squaredNorm());
  accepted_.fixed = accept_prob(after - before);
  if (stream.uniform() < accepted_.fixed) {
    take_proposal(current);
    std::swap(here.at, other_.at);
  }
}

// All that a point holds of a place, but its log density.
void GroupMoves::take_proposal(Point& current) noexcept {
  std::swap(current.zeta, proposal_.zeta);
  std::swap(current.log_factors, proposal_.log_factors);
  std::swap(current.parts, proposal_.parts);
}

// Those of other_, with what their rows add; zeta follows later.
void GroupMoves::take_coefficients(Point& current) noexcept {
  std::swap(current.log_factors, proposal_.log_factors);
  std::swap(current.parts, proposal_.parts);
  std::swap(target_.here().at, other_.at);
}

// --- scales ---

// psi at fixed zeta.
void GroupMoves::move_scales(Point& current, Stream& stream) {
  const ScaleProposal proposal(tuning_.psi_mean, tuning_.psi_factor);
  Vector moved;
  double ratio = proposal.draw(target_.psi_of(current), stream, moved);
  const double coin = stream.uniform();
  accepted_.scales = 0.0;
  const GroupBounds& bounds = target_.setting().bounds;
  const Index m = bounds.anchor.shared.size();
  const bool pays = m == 0 || bounds.beacons == bounds.rows() || stream.uniform() < kLookShare;
  if (!pays && (bounds.leaves_shared(moved.tail(m) - bounds.anchor.shared) ||
                bounds.leaves_shared(target_.here().at.fixed.shared))) {
    return;
  }
  if (!target_.set_frame(moved, other_)) {
    return;
  }
  proposal_.zeta = current.zeta;
  target_.psi_of(proposal_) = moved;
  target_.set_coefficients(other_.frame, proposal_.zeta, other_.at);
  target_.evaluate_rows(other_.at, proposal_);
  ratio += target_.log_density_of_scales(other_) + target_.residual(proposal_) -
           target_.log_density_of_scales(target_.here()) - target_.residual(current);
  accepted_.scales = accept_prob(ratio);
  if (coin < accepted_.scales) {
    take_proposal(current);
    target_.swap_place(other_);
  }
}

// What rows share given (beta, u): tangents are a parabola of it, and rows that are evaluated come
// beside. Steps of a random walk of the parabola's own width and direction; whether any was taken.
bool GroupMoves::walk_shared(Point& current, GroupPlace& here, Stream& stream) {
  constexpr int kSteps = 3;
  const GroupScales& scales = target_.setting().problem.scales;
  const GroupBounds& bounds = target_.setting().bounds;
  const SharedParabola parabola = target_.shared_parabola(here.at);
  const auto log_density = [&](const Vector& shared) {
    return parabola.at(shared) + scales.log_prior_of_shared(bounds.anchor.shared + shared);
  };
  bool moved = false;
  other_.at = here.at;
  Vector step(scales.shared());
  for (int i = 0; i < kSteps; ++i) {
    for (double& value : step) {
      value = stream.normal();
    }
    other_.at.fixed.shared = here.at.fixed.shared + shared_step_ * step;
    target_.set_outside(other_.at);
    target_.evaluate_rows(other_.at, proposal_);
    const double ratio = log_density(other_.at.fixed.shared) + target_.residual(proposal_) -
                         log_density(here.at.fixed.shared) - target_.residual(current);
    if (stream.uniform() < accept_prob(ratio)) {
      take_coefficients(current);
      moved = true;
    }
  }
  return moved;
}

// psi of levels given u, which no row enters.
void GroupMoves::draw_given_levels(Vector& psi, Stream& stream) {
  const GroupScales& scales = target_.setting().problem.scales;
  const auto q = static_cast<Index>(target_.varying());
  const GroupPlace& here = target_.here();
  Matrix squares = Matrix::Zero(q, q);
  Vector u(q);
  for (std::size_t level = 0; level < target_.levels(); ++level) {
    const std::size_t first = level * target_.varying();
    for (Index j = 0; j < q; ++j) {
      u[j] = target_.setting().bounds.anchor.u[first + static_cast<std::size_t>(j)] +
             here.at.du[first + static_cast<std::size_t>(j)];
    }
    squares.selfadjointView<Eigen::Lower>().rankUpdate(u);
  }
  squares.triangularView<Eigen::StrictlyUpper>() = squares.transpose();
  Vector of_levels = psi.head(scales.of_levels());
  accepted_.scales =
      walk_scales(scales, squares, static_cast<double>(target_.levels()), of_levels, stream);
  psi.head(of_levels.size()) = of_levels;
}

// psi of levels, beta and zeta_g held: a random walk, whose width the pilot has found.
void GroupMoves::walk_held(Point& current, Vector& psi, Stream& stream) {
  constexpr int kSteps = 2;
  const GroupScales& scales = target_.setting().problem.scales;
  GroupPlace& here = target_.here();
  const Index m = scales.of_levels();
  const double width = tuning_.held_step * 2.4 / std::sqrt(static_cast<double>(m));
  const auto factor = tuning_.psi_factor.topLeftCorner(m, m).triangularView<Eigen::Lower>();
  double now =
      held_.hold(here.at.fixed.beta, here.at.fixed.shared, scales.factor(psi), here.at.du.data()) +
      scales.log_prior_of_levels(psi) + target_.residual(current);
  other_.at = here.at;
  accepted_.held = 0.0;
  Vector tried = psi;
  Vector step(m);
  for (int i = 0; i < kSteps; ++i) {
    for (double& value : step) {
      value = width * stream.normal();
    }
    tried.head(m) = psi.head(m) + factor * step;
    double then =
        held_.move(scales.factor(tried), other_.at.du.data()) + scales.log_prior_of_levels(tried);
    const double coin = stream.uniform();
    if (!std::isfinite(then)) {
      continue;
    }
    target_.set_outside(other_.at);
    target_.evaluate_rows(other_.at, proposal_);
    then += target_.residual(proposal_);
    const double probability = accept_prob(then - now);
    accepted_.held += probability / kSteps;
    if (coin < probability) {
      take_coefficients(current);
      other_.at.fixed = here.at.fixed;
      psi = tried;
      now = then;
    }
  }
}

// The same with coins summed out: rows add their log likelihood. In the end every coin is thrown
// anew.
void GroupMoves::move_without_coins(Point& current, Vector& psi, Stream& stream) {
  constexpr int kSteps = 2;
  const GroupScales& scales = target_.setting().problem.scales;
  GroupPlace& here = target_.here();
  const Index m = scales.of_levels();
  constexpr double kShareOfT = 0.85;  // most are accepted: bright rows do not hold them back
  const ScaleProposal proposal(tuning_.psi_mean.head(m), tuning_.psi_factor.topLeftCorner(m, m),
                               kShareOfT);
  rows_.hold(here.at.fixed);
  // Where held_ is.
  const auto log_density = [&](const Vector& at, const Buffer<double>& du) {
    return scales.log_prior_of_levels(at) + held_.without_rows() + rows_.log_likelihood(du);
  };
  std::ignore =
      held_.hold(here.at.fixed.beta, here.at.fixed.shared, scales.factor(psi), here.at.du.data());
  double now = log_density(psi, here.at.du);
  other_.at = here.at;
  accepted_.held = 0.0;
  Vector tried = psi;
  Vector moved;
  for (int i = 0; i < kSteps; ++i) {
    const double ratio = proposal.draw(psi.head(m), stream, moved);
    const double coin = stream.uniform();
    tried.head(m) = moved;
    if (!std::isfinite(held_.move(scales.factor(tried), other_.at.du.data()))) {
      continue;
    }
    const double then = log_density(tried, other_.at.du);
    const double probability = accept_prob(ratio + then - now);
    accepted_.held += probability / kSteps;
    if (coin < probability) {
      std::swap(here.at.du, other_.at.du);
      psi = tried;
      now = then;
    }
  }
  target_.set_outside(here.at);
  throw_coins(current, stream);
}

// Every one. REQUIRES: rows_ holds these fixed effects.
void GroupMoves::throw_coins(Point& current, Stream& stream) {
  const GroupCoefficients& at = target_.here().at;
  target_.relight(rows_.throw_coins(at, stream));
  target_.sort_bright();
  target_.evaluate_rows(at, current);
}

// Moves that need no frame, one after the other; then zeta is what the coefficients are in the new
// one.
void GroupMoves::move_scales_at_beta(Point& current, Stream& stream) {
  const GroupScales& scales = target_.setting().problem.scales;
  GroupPlace& here = target_.here();
  Vector psi = here.psi;
  before_.at = here.at;
  before_.log_factors = current.log_factors;
  before_.parts = current.parts;
  if (moves_.centred) {
    draw_given_levels(psi, stream);
    if (scales.shared() > 0 && walk_shared(current, here, stream)) {
      psi.tail(scales.shared()) = here.at.fixed.shared + target_.setting().bounds.anchor.shared;
    }
  }
  if (moves_.sums_out(tuning_)) {
    move_without_coins(current, psi, stream);
  } else if (moves_.held) {
    walk_held(current, psi, stream);
  }
  if (psi == here.psi) {
    return;
  }
  if (!target_.set_frame(psi, other_)) {  // scales beyond doubles: as it was
    std::swap(here.at, before_.at);
    if (moves_.sums_out(tuning_)) {  // its coins are gone
      throw_coins(current, stream);
      return;
    }
    std::swap(current.log_factors, before_.log_factors);
    std::swap(current.parts, before_.parts);
    return;
  }
  target_.psi_of(current) = psi;
  other_.frame.to_fixed(here.at.fixed.beta, current.zeta.data());
  for (std::size_t level = 0; level < target_.levels(); ++level) {
    other_.frame.to_level(level, here.at.du.data() + level * target_.varying(),
                          here.at.fixed.beta.data(), target_.zeta_of(current, level));
  }
  target_.set_coefficients(other_.frame, current.zeta, other_.at);
  other_.at.outside = here.at.outside;  // the same coefficients, but for rounding
  other_.at.fixed.outside = here.at.fixed.outside;
  target_.swap_place(other_);
}

}  // namespace flymc
