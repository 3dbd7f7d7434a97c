#include "groups/crossed_moves.hpp"

#include <algorithm>
#include <cmath>

#include "flymc/detail/core/interruption.hpp"
#include "flymc/error.hpp"

namespace flymc {

// --- directions ---

CrossedDirections::CrossedDirections(const CrossedSetting& setting)
    : problem_(setting.problem), region_(setting.bounds.region) {
  const Memberships& memberships = problem_.memberships;
  auto next = static_cast<Index>(region_.common.size());
  for (std::size_t term = 0; term < memberships.terms(); ++term) {
    const Index first = memberships.coefficients(term).first;
    const bool is_common = region_.is_common[static_cast<std::size_t>(first)] != 0;
    direction_of_term_.push_back(is_common ? -1 : next);
    next += is_common ? 0 : 1;
  }
  of_sums_.resize(next, next);
  of_prior_.resize(next, next);
  Index first_of_block = 0;
  for (const Index q : problem_.scales.blocks()) {
    for (Index t = first_of_block; t < first_of_block + q; ++t) {
      for (Index other = first_of_block; other <= t; ++other) {
        of_terms_.push_back({t, other, Matrix::Zero(next, next)});
      }
    }
    first_of_block += q;
  }
  Vector along, product;
  for (Index j = 0; j < next; ++j) {
    expand(Vector::Unit(next, j), along);
    setting.bounds.sums.multiply(along, product);
    of_sums_.col(j) = pull(product);
    product.setZero();
    product.head(problem_.fixed()) =
        problem_.prior.precision.cwiseProduct(along.head(problem_.fixed()));
    of_prior_.col(j) = pull(product);
    for (OfTerms& terms : of_terms_) {
      const auto [to, count] = memberships.coefficients(static_cast<std::size_t>(terms.one));
      const Index from = memberships.coefficients(static_cast<std::size_t>(terms.other)).first;
      product.setZero();
      product.segment(to, count) = along.segment(from, count);
      terms.products.col(j) = pull(product);
    }
  }
  for (OfTerms& terms : of_terms_) {
    if (terms.one != terms.other) {
      terms.products += terms.products.transpose().eval();
    }
  }
}

void CrossedDirections::expand(const Vector& t, Vector& out) const {
  const Index p = problem_.fixed();
  const auto few = static_cast<Index>(region_.common.size());
  out.resize(problem_.size());
  out.tail(problem_.size() - p).noalias() = -region_.tied * t.head(few);
  for (std::size_t term = 0; term < direction_of_term_.size(); ++term) {
    if (direction_of_term_[term] >= 0) {
      const auto [first, count] = problem_.memberships.coefficients(term);
      out.segment(first, count).array() += t[direction_of_term_[term]];
    }
  }
  for (Index j = 0; j < few; ++j) {
    out[region_.common[static_cast<std::size_t>(j)]] = t[j];
  }
}

Vector CrossedDirections::pull(const Vector& v) const {
  const Index p = problem_.fixed();
  const auto few = static_cast<Index>(region_.common.size());
  Vector out(of_sums_.rows());
  out.head(few).noalias() = -region_.tied.transpose() * v.tail(problem_.size() - p);
  for (std::size_t term = 0; term < direction_of_term_.size(); ++term) {
    if (direction_of_term_[term] >= 0) {
      const auto [first, count] = problem_.memberships.coefficients(term);
      out[direction_of_term_[term]] = v.segment(first, count).sum();
    }
  }
  for (Index j = 0; j < few; ++j) {
    out[j] += v[region_.common[static_cast<std::size_t>(j)]];
  }
  return out;
}

Matrix CrossedDirections::precision(const Vector& psi) const {
  const double variance = std::exp(2.0 * problem_.log_sigma(psi));
  Matrix all = of_sums_ + variance * of_prior_;
  GroupScales::Precision of_levels;
  problem_.scales.precision(psi, of_levels);
  for (const OfTerms& terms : of_terms_) {
    all += variance * of_levels.lambda(terms.one, terms.other) * terms.products;
  }
  return all;
}

// --- a step ---

CrossedMoves::CrossedMoves(CrossedTarget& target, const GroupTuning& tuning, CrossedMoveSet moves)
    : target_(target),
      tuning_(tuning),
      moves_(moves),
      directions_({target.problem(), target.bounds()}),
      shared_step_(shared_walk(target.bounds().sums.shared_bend(), target.bounds().shared_region)),
      starts_(target.problem().memberships.levels() + 1, 0),
      near_(target.problem().memberships.levels(), 0),
      reader_(target.problem().data, target.problem().memberships),
      proposal_(target.dimension()) {
  const Memberships& memberships = target.problem().memberships;
  for (std::size_t term = 0; term < memberships.terms(); ++term) {
    const auto [first, count] = memberships.coefficients(term);
    map_share_.push_back(
        std::clamp(4.0 * target.bounds().power.segment(first, count).mean(), 0.2, 1.0));
  }
  Index first = 0;
  for (const Index q : target.scales().blocks()) {
    block_of_.insert(block_of_.end(), static_cast<std::size_t>(q), Coefficients{first, q});
    first += q;
  }
}

ThetaInfo CrossedMoves::step(Density& /*density*/, Point& current, const Tuning& /*tuning*/,
                             Stream& stream) {
  accepted_ = {};
  if (current.zeta.size() != target_.dimension() ||
      current.parts.size() != static_cast<Index>(1 + target_.beacons())) {
    throw Error(ErrorKind::kData, "the state of the chain is of another problem.");
  }
  CrossedPlace& here = target_.take_place(current);
  const Vector psi = current.zeta.tail(target_.scales().size());
  sigma_ = std::exp(target_.problem().log_sigma(psi));
  target_.scales().precision(psi, of_levels_);
  lambda_ = sigma_ * sigma_ * of_levels_.lambda;
  const double angle = draw_angle(stream);
  if (moves_.levels) {
    move_levels(current, here, angle, stream);
  }
  if (moves_.nests) {
    move_nests(here, angle, stream);
  }
  if (moves_.block) {
    move_block(current, here, angle, stream);
  }
  constexpr double kCollapsed = 0.7;  // of the maps, how often this one
  const std::size_t terms = target_.problem().memberships.terms();
  double accepted = 0.0;
  for (std::size_t term = 0; term < terms; ++term) {
    if (moves_.centred && block_of_[term].first == static_cast<Index>(term)) {
      draw_scales_given_levels(current, here, block_of_[term], stream);
    }
    const bool gaussian = target_.problem().model.is_gaussian();
    if (gaussian && moves_.proportional && stream.uniform() < map_share_[term]) {
      draw_scale_in_proportion(current, here, term, stream);
    }
    const bool collapsed =
        moves_.collapsed && (gaussian || !moves_.proportional || stream.uniform() < kCollapsed);
    double of_term = 1.0;
    if ((collapsed || (moves_.proportional && !gaussian)) && stream.uniform() < map_share_[term]) {
      of_term =
          move_scale(current, here, term, collapsed ? Map::kCollapsed : Map::kProportional, stream);
    }
    accepted += of_term / static_cast<double>(terms);
  }
  accepted_.scales = accepted;
  if (target_.problem().shared() > 0) {
    if (moves_.shared) {
      walk_shared(current, here, stream);
    }
    if (moves_.shared_along) {
      move_shared_along(current, here, stream);
    }
  }
  if (target_.problem().infers_sigma() && moves_.sigma) {
    draw_sigma_given_coefficients(current, here, stream);
  }
  current.zeta.head(target_.size()) = here.d;
  target_.finish(current);
  return info();
}

// --- levels ---

void CrossedMoves::sort_active() {
  std::ranges::fill(starts_, 0U);
  u_.resize(target_.active());
  for (std::size_t i = 0; i < target_.active(); ++i) {
    for (const Member& member : target_.members_of(i)) {
      ++starts_[member.level + 1];
    }
  }
  for (std::size_t level = 1; level < starts_.size(); ++level) {
    starts_[level] += starts_[level - 1];
  }
  through_.resize(starts_.back());
  for (std::size_t i = 0; i < target_.active(); ++i) {
    for (const Member& member : target_.members_of(i)) {
      through_[starts_[member.level]++] = {static_cast<std::uint32_t>(i), member.weight};
    }
  }
  for (std::size_t level = starts_.size() - 1; level > 0; --level) {
    starts_[level] = starts_[level - 1];
  }
  starts_[0] = 0;
}

void CrossedMoves::mark_near(const CrossedPlace& here) {
  for (const std::uint32_t level : near_levels_) {
    near_[level] = 0;
  }
  near_levels_.clear();
  for (const std::uint32_t n : here.rows) {
    reader_.read(n);
    for (const Member& member : reader_.members()) {
      if (near_[member.level] == 0) {
        near_[member.level] = 1;
        near_levels_.push_back(member.level);
      }
    }
  }
}

void CrossedMoves::move_levels(Point& current, CrossedPlace& here, double angle, Stream& stream) {
  sort_active();
  for (std::size_t i = 0; i < u_.size(); ++i) {
    u_[i] = target_.u_of(i, here.d);
  }
  mark_near(here);
  double sum = 0.0;
  std::size_t tried = 0;
  for (std::size_t level = 0; level < near_.size(); ++level) {
    if (target_.bounds().region.is_common[static_cast<std::size_t>(target_.at(level))] != 0) {
      continue;
    }
    if (const auto probability = move_level(current, here, level, angle, stream)) {
      sum += *probability;
      ++tried;
    }
  }
  if (here.rows.empty()) {
    current.parts[0] = 0.0;  // without the rounding of what came and went
  }
  accepted_.levels = tried > 0 ? sum / static_cast<double>(tried) : 1.0;
}

CrossedMoves::LevelPrior CrossedMoves::prior_of(std::size_t level,
                                                const CrossedPlace& here) const noexcept {
  const Memberships& memberships = target_.problem().memberships;
  const std::size_t term = memberships.term_of(level);
  const auto t = static_cast<Index>(term);
  const auto in_term = static_cast<Index>(level - memberships.first(term));
  LevelPrior out{lambda_(t, t), 0.0};
  for (Index other = block_of_[term].first; other < block_of_[term].first + block_of_[term].count;
       ++other) {
    const Index at = memberships.coefficients(static_cast<std::size_t>(other)).first + in_term;
    out.pull += lambda_(t, other) * (target_.bounds().anchor[at] + here.d[at]);
  }
  return out;
}

bool CrossedMoves::leaves_at(std::size_t level, double step, CrossedPlace& here) const noexcept {
  if (target_.bounds().has_region[level] == 0) {
    return false;
  }
  const Index at = target_.at(level);
  const double from = here.d[at];
  here.d[at] = from + step;
  const bool leaves = target_.leaves(level, here.d);
  here.d[at] = from;
  return leaves;
}

double CrossedMoves::sum_outside(std::size_t level, double step, bool leaves,
                                 const CrossedPlace& here) {
  if (!leaves && near_[level] == 0) {
    return 0.0;
  }
  target_.clear_rows();
  for (const std::uint32_t n : target_.problem().memberships.rows(level)) {
    if (target_.bounds().kind[n] != RowBound::kLocal) {
      continue;
    }
    reader_.read(n);
    bool outside = leaves || here.common_outside;
    double weight = 0.0;
    for (const Member& member : reader_.members()) {
      outside = outside || (member.level != level && here.outside[member.level] != 0);
      weight = member.level == level ? member.weight : weight;
    }
    if (outside) {
      target_.push_row(n,
                       predict_row(reader_.x(), reader_.members(), here.d.data()) + weight * step);
    }
  }
  target_.run_gaps(here.shared);
  double sum = 0.0;
  for (const double gap : target_.gaps()) {
    sum += gap;
  }
  return sum;
}

void CrossedMoves::take_step(std::size_t level, double step, bool leaves, CrossedPlace& here) {
  here.d[target_.at(level)] += step;
  target_.bounds().sums.add_level(level, -step, here.force);
  here.is_fresh = false;
  if ((here.outside[level] != 0) != leaves) {
    here.outside[level] = static_cast<char>(leaves);
    target_.list_outside(here);
    mark_near(here);
  }
}

std::optional<double> CrossedMoves::move_level(Point& current, CrossedPlace& here,
                                               std::size_t level, double angle, Stream& stream) {
  const CrossedBounds& bounds = target_.bounds();
  const Index at = target_.at(level);
  const auto [lambda, pull] = prior_of(level, here);
  const double sd = 1.0 / std::sqrt(bounds.sums.diagonal()[at] + lambda);
  // where the level is, in standard deviations from its conditional mean
  const double from = -sd * (here.force[at] - pull);
  const std::span<const Through> rows(through_.data() + starts_[level],
                                      starts_[level + 1] - starts_[level]);
  const bool was_outside = here.outside[level] != 0;
  if (rows.empty()) {
    const double to = from * std::cos(angle) + sigma_ * stream.normal() * std::sin(angle);
    const double step = (to - from) * sd;
    const bool leaves = leaves_at(level, step, here);
    if (leaves || was_outside || near_[level] != 0) {
      const double change =
          sum_outside(level, step, leaves, here) - sum_outside(level, 0.0, was_outside, here);
      if (!(stream.uniform() < accept_prob(change))) {
        return std::nullopt;
      }
      current.parts[0] += change;
    }
    take_step(level, step, leaves, here);
    return std::nullopt;
  }
  const std::size_t beacons = target_.beacons();
  const auto stored = [&](std::size_t i) -> double& {
    return i < beacons ? current.parts[static_cast<Index>(1 + i)]
                       : current.log_factors[i - beacons];
  };
  const Turn turn(angle, tuning_.level_kicks);
  double zeta = from;
  double momentum = stream.normal();
  const double outside_before = sum_outside(level, 0.0, was_outside, here);
  double before = outside_before - 0.5 * (zeta * zeta + momentum * momentum);
  for (const Through& row : rows) {
    before += stored(row.active);
  }
  values_.resize(rows.size());
  bool leaves = was_outside;
  const auto kick = [&](double length) {
    const double step = (zeta - from) * sd;
    leaves = leaves_at(level, step, here);
    target_.clear_rows();
    for (const Through& row : rows) {
      target_.push_row(target_.active(row.active).row, u_[row.active] + row.weight * step);
    }
    target_.run_gaps(here.shared);
    double force = 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const CrossedTarget::Active& row = target_.active(rows[i].active);
      bool outside = false;
      if (row.kind == RowBound::kLocal) {
        outside = leaves || here.common_outside;
        for (const Member& member : target_.members_of(rows[i].active)) {
          outside = outside || (member.level != level && here.outside[member.level] != 0);
        }
      }
      const BrightValue added =
          CrossedTarget::value_of(row, outside, target_.gaps()[i], target_.slopes()[i]);
      values_[i] = added.value;
      force += added.slope * rows[i].weight;
    }
    momentum += std::isfinite(force) ? length * sd * force : 0.0;
  };
  kick(0.5 * turn.step);
  for (int i = 1; i <= tuning_.level_kicks; ++i) {
    turn.apply(zeta, momentum);
    kick(i < tuning_.level_kicks ? turn.step : 0.5 * turn.step);
  }
  const double step = (zeta - from) * sd;
  const double outside_after = sum_outside(level, step, leaves, here);
  double after = outside_after - 0.5 * (zeta * zeta + momentum * momentum);
  for (const double value : values_) {
    after += value;
  }
  const double probability = accept_prob(after - before);
  if (stream.uniform() < probability) {
    current.parts[0] += outside_after - outside_before;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      stored(rows[i].active) = values_[i];
      u_[rows[i].active] += rows[i].weight * step;
    }
    take_step(level, step, leaves, here);
  }
  return probability;
}

// --- nests ---

void CrossedMoves::move_nests(CrossedPlace& here, double angle, Stream& stream) {
  for (const Nest& nest : target_.bounds().nests) {
    const Index outer = target_.at(nest.outer);
    auto [precision, pull] = prior_of(nest.outer, here);
    double force = -pull;
    for (const std::uint32_t level : nest.inner) {
      const LevelPrior inner = prior_of(level, here);
      force += inner.pull;
      precision += inner.lambda;
    }
    const double sd = 1.0 / std::sqrt(precision);
    const double from = -sd * force;
    const double to = from * std::cos(angle) + sigma_ * stream.normal() * std::sin(angle);
    const auto trade = [&](double step) {
      here.d[outer] += step;
      for (const std::uint32_t level : nest.inner) {
        here.d[target_.at(level)] -= step;
      }
    };
    const auto stays = [&](std::uint32_t level) {
      return target_.leaves(level, here.d) == (here.outside[level] != 0);
    };
    const double step = (to - from) * sd;
    trade(step);
    if (!stays(nest.outer) || !std::ranges::all_of(nest.inner, stays)) {
      trade(-step);
    }
    here.is_fresh = false;
  }
}

// --- a block of directions ---

void CrossedMoves::take_proposal(Point& current, CrossedPlace& here) noexcept {
  std::swap(current.log_factors, proposal_.log_factors);
  std::swap(current.parts, proposal_.parts);
  std::swap(here, other_);
}

void CrossedMoves::move_block(Point& current, CrossedPlace& here, double angle, Stream& stream) {
  const Vector psi = current.zeta.tail(target_.scales().size());
  const Eigen::LLT<Matrix> llt(directions_.precision(psi));
  if (llt.info() != Eigen::Success) {
    return;
  }
  const CrossedPrior precision = target_.problem().precision(psi);
  const Vector pulled = directions_.pull(
      here.force - target_.problem().pull(target_.bounds().anchor + here.d, precision));
  const Vector from = -llt.matrixL().solve(pulled) / sigma_;
  Vector zeta = from;
  Vector momentum(zeta.size());
  for (double& value : momentum) {
    value = stream.normal();
  }
  const double before =
      target_.residual(current) - 0.5 * (zeta.squaredNorm() + momentum.squaredNorm());
  const auto move = [&] {
    directions_.expand(sigma_ * llt.matrixU().solve(zeta - from), step_);
    other_.d = here.d + step_;
  };
  const auto kick = [&](double length) {
    force_.setZero(target_.size());
    target_.add_forces(other_.d, here.shared, force_);
    const Vector push = sigma_ * llt.matrixL().solve(directions_.pull(force_));
    if (push.allFinite()) {
      momentum += length * push;
    }
  };
  const Turn turn(angle, tuning_.fixed_kicks);
  other_.shared = here.shared;
  move();
  kick(0.5 * turn.step);
  for (int i = 1; i <= tuning_.fixed_kicks; ++i) {
    turn.apply(zeta, momentum);
    move();
    kick(i < tuning_.fixed_kicks ? turn.step : 0.5 * turn.step);
  }
  target_.set_outside(other_);
  accepted_.fixed = 0.0;
  if (!target_.is_near_for_common(here) || !target_.is_near_for_common(other_)) {
    return;
  }
  target_.evaluate_rows(other_, proposal_);
  const double after =
      target_.residual(proposal_) - 0.5 * (zeta.squaredNorm() + momentum.squaredNorm());
  accepted_.fixed = accept_prob(after - before);
  if (stream.uniform() < accepted_.fixed) {
    target_.set_force(other_);
    take_proposal(current, here);
  }
}

// --- scales ---

// Of one block of correlated coefficients: its scales, then its correlations.
void CrossedMoves::draw_scales_given_levels(Point& current, const CrossedPlace& here,
                                            const Coefficients& block, Stream& stream) {
  const GroupScales& scales = target_.scales();
  Index first = scales.coefficients();  // of its correlations
  for (Index term = 0; term < block.first;
       term += block_of_[static_cast<std::size_t>(term)].count) {
    const Index q = block_of_[static_cast<std::size_t>(term)].count;
    first += q * (q - 1) / 2;
  }
  const Index count = block.count * (block.count - 1) / 2;
  const auto levels = static_cast<double>(
      target_.problem().memberships.coefficients(static_cast<std::size_t>(block.first)).count);
  const Matrix products = target_.problem().products(target_.bounds().anchor + here.d);
  Vector psi = current.zeta.tail(scales.size());
  Vector at(block.count + count);
  at << psi.segment(block.first, block.count), psi.segment(first, count);
  const auto place = [&](const Vector& of_block) {
    psi.segment(block.first, block.count) = of_block.head(block.count);
    psi.segment(first, count) = of_block.tail(count);
  };
  walk(
      at, 2.4 / std::sqrt(2.0 * levels),
      [&](const Vector& of_block) {
        place(of_block);
        scales.precision(psi, of_levels_);
        const auto lambda =
            of_levels_.lambda.block(block.first, block.first, block.count, block.count);
        const auto squares = products.block(block.first, block.first, block.count, block.count);
        return levels * of_levels_.log_half.segment(block.first, block.count).sum() -
               0.5 * lambda.cwiseProduct(squares).sum() + scales.log_prior(psi);
      },
      stream);
  place(at);
  current.zeta.tail(psi.size()) = psi;
}

// tau -> c tau, u -> c u of one term. At t = c - 1 along w, the term's levels, Q grows by
// t^2 w'Sw - 2 t w'(b - Sd); the prior of u, tau^-count, and the Jacobian of the map, c^count,
// cancel: what is left is a density of log c. How far steps go depends on u/tau alone, which stays.
void CrossedMoves::draw_scale_in_proportion(Point& current, CrossedPlace& here, std::size_t term,
                                            Stream& stream) {
  const auto [first, count] = target_.problem().memberships.coefficients(term);
  const Vector psi = current.zeta.tail(target_.scales().size());
  step_.setZero(target_.size());
  step_.segment(first, count) =
      target_.bounds().anchor.segment(first, count) + here.d.segment(first, count);
  target_.bounds().sums.multiply(step_, force_);
  const double bend = step_.dot(force_);
  const double slope = step_.dot(here.force);
  const double width = sigma_ / std::sqrt(bend);  // of c, from rows
  const double middle = std::max(1.0 + slope / bend, width);
  if (!std::isfinite(width) || !std::isfinite(middle)) {
    return;
  }
  Vector log_c = Vector::Zero(1);
  walk(
      log_c, 2.4 * width / middle,
      [&](const Vector& at) {
        const double t = std::expm1(at[0]);
        Vector moved = psi;
        moved[static_cast<Index>(term)] += at[0];
        return (slope * t - 0.5 * bend * t * t) / (sigma_ * sigma_) +
               target_.scales().log_prior(moved);
      },
      stream);
  const double t = std::expm1(log_c[0]);
  here.d += t * step_;
  here.force -= t * force_;
  here.is_fresh = false;
  current.zeta[target_.size() + static_cast<Index>(term)] += log_c[0];
}

// --- what rows share ---

void CrossedMoves::walk_shared(Point& current, CrossedPlace& here, Stream& stream) {
  constexpr int kSteps = 3;
  const CrossedSums& sums = target_.bounds().sums;
  const SharedParabola parabola{sums.shared_slope() - sums.with_shared().transpose() * here.d,
                                sums.shared_bend()};
  const auto log_density = [&](const Vector& shared) {
    return parabola.at(shared) +
           target_.scales().log_prior_of_shared(target_.bounds().shared + shared);
  };
  Vector psi = current.zeta.tail(target_.scales().size());
  Vector step(parabola.slope.size());
  for (int i = 0; i < kSteps; ++i) {
    for (double& value : step) {
      value = stream.normal();
    }
    const double coin = stream.uniform();
    Vector moved = psi;
    moved.tail(step.size()) += shared_step_ * step;
    target_.set_shared(moved, other_);
    target_.set_outside_beside(here, other_);
    if (!target_.is_near_for_common(here) || !target_.is_near_for_common(other_)) {
      continue;
    }
    target_.evaluate_rows(other_, proposal_);
    const double ratio = log_density(other_.shared) + target_.residual(proposal_) -
                         log_density(here.shared) - target_.residual(current);
    if (coin < accept_prob(ratio)) {
      other_.force = here.force - sums.with_shared() * (other_.shared - here.shared);
      other_.is_fresh = false;
      take_proposal(current, here);
      psi = moved;
    }
  }
  current.zeta.tail(psi.size()) = psi;
}

void CrossedMoves::move_shared_along(Point& current, CrossedPlace& here, Stream& stream) {
  const Index m = target_.problem().shared();
  const Vector psi = current.zeta.tail(target_.scales().size());
  const auto of_shared = tuning_.psi_factor.bottomRows(m);
  const ScaleProposal proposal(tuning_.psi_mean.tail(m),
                               Eigen::LLT<Matrix>(of_shared * of_shared.transpose()).matrixL());
  const bool pays = stream.uniform() < kLookShare;
  const auto is_near = [&](const CrossedPlace& place) {
    return pays ? target_.is_near_for_common(place) : target_.is_near(place);
  };
  Vector moved;
  double ratio = proposal.draw(psi.tail(m), stream, moved);
  const double coin = stream.uniform();
  Vector psi_moved = psi;
  psi_moved.tail(m) = moved;
  target_.set_shared(psi_moved, other_);
  other_.d = here.d + target_.bounds().shared_drift * (moved - psi.tail(m));
  target_.set_outside(other_);
  if (!is_near(here) || !is_near(other_)) {
    return;
  }
  target_.set_force(other_);
  target_.evaluate_rows(other_, proposal_);
  ratio += target_.log_gaussian(other_, psi_moved) + target_.residual(proposal_) -
           target_.log_gaussian(here, psi) - target_.residual(current);
  if (coin < accept_prob(ratio)) {
    take_proposal(current, here);
    current.zeta.tail(m) = moved;
  }
}

void CrossedMoves::draw_sigma_given_coefficients(Point& current, const CrossedPlace& here,
                                                 Stream& stream) const {
  const CrossedBounds& bounds = target_.bounds();
  const double squares = bounds.least - here.d.dot(bounds.sums.b() + here.force);
  Vector log_sigma = current.zeta.tail(1);
  walk(
      log_sigma, 2.4 / std::sqrt(2.0 * bounds.weight),
      [&](const Vector& at) {
        return -bounds.weight * at[0] - 0.5 * squares * std::exp(-2.0 * at[0]) +
               target_.scales().log_prior_of_shared(at);
      },
      stream);
  current.zeta.tail(1) = log_sigma;
}

double CrossedMoves::move_scale(Point& current, CrossedPlace& here, std::size_t term, Map map,
                                Stream& stream) {
  const CrossedBounds& bounds = target_.bounds();
  const auto t = static_cast<Index>(term);
  const auto [first, count] = target_.problem().memberships.coefficients(term);
  const Vector psi = current.zeta.tail(target_.scales().size());
  Vector moved;
  const ScaleProposal proposal(tuning_.psi_mean.segment(t, 1),
                               Matrix::Constant(1, 1, tuning_.psi_factor.row(t).norm()));
  double ratio = proposal.draw(psi.segment(t, 1), stream, moved);
  const double coin = stream.uniform();
  const double by = moved[0] - psi[t];
  other_.d = here.d;
  other_.shared = here.shared;
  auto levels = other_.d.segment(first, count);
  if (map == Map::kProportional) {
    const auto anchor = bounds.anchor.segment(first, count);
    levels = std::exp(by) * (anchor + levels) - anchor;
    ratio += by * static_cast<double>(count);
  } else {
    // theta(l) - centre - (l - l^) drift keeps its direction, and grows with the power of each
    // level
    const double off = psi[t] - bounds.psi[t];
    const Vector& drift = bounds.drift[term];
    const auto power = bounds.power.segment(first, count);
    other_.d += by * drift;
    const auto rest = here.d.segment(first, count) - bounds.centre.segment(first, count) -
                      off * drift.segment(first, count);
    levels.array() +=
        rest.array() * (by * power.array()).unaryExpr([](double x) { return std::expm1(x); });
    ratio += by * power.sum();
  }
  Vector psi_moved = psi;
  psi_moved[t] = moved[0];
  if (!other_.d.allFinite()) {
    return 0.0;
  }
  target_.set_outside(other_);
  if (!target_.is_near(here) || !target_.is_near(other_)) {
    return 0.0;
  }
  target_.set_force(other_);
  target_.evaluate_rows(other_, proposal_);
  ratio += target_.log_gaussian(other_, psi_moved) + target_.residual(proposal_) -
           target_.log_gaussian(here, psi) - target_.residual(current);
  const double probability = accept_prob(ratio);
  if (coin < probability) {
    take_proposal(current, here);
    current.zeta.tail(psi.size()) = psi_moved;
  }
  return probability;
}

}  // namespace flymc
