#include "groups/crossed_target.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "flymc/detail/core/interruption.hpp"
#include "flymc/detail/core/numeric.hpp"
#include "flymc/detail/posterior/bright_rows.hpp"
#include "groups/bright_value.hpp"

namespace flymc {

CrossedTarget::CrossedTarget(CrossedSetting setting)
    : RowTarget(setting.problem.data, setting.problem.model, setting.bounds,
                setting.bounds.shared.data()),
      setting_(setting),
      size_(setting.problem.size()),
      p_(static_cast<std::size_t>(setting.problem.fixed())),
      most_(setting.problem.memberships.most()),
      reader_(setting.problem.data, setting.problem.memberships) {
  for (std::size_t n = 0; n < rows() && beacons() > 0; ++n) {
    if (bounds().kind[n] == RowBound::kBeacon) {
      append(n);
    }
  }
}

// --- places ---

void CrossedTarget::set_force(CrossedPlace& place) const {
  bounds().sums.multiply(place.d, place.force);
  place.force = bounds().sums.b() - place.force;
  place.force.noalias() -= bounds().sums.with_shared() * place.shared;
  place.is_fresh = true;
}

bool CrossedTarget::leaves_common(const CrossedPlace& place) const {
  return !(bounds().region.common_norm(place.d) <= bounds().fixed_radius) ||
         bounds().leaves_shared(place.shared);
}

void CrossedTarget::set_outside(CrossedPlace& place) const {
  const std::size_t levels = problem().memberships.levels();
  place.common_outside = leaves_common(place);
  place.outside.resize(levels);
  for (std::size_t level = 0; level < levels; ++level) {
    place.outside[level] = static_cast<char>(leaves(level, place.d));
  }
  list_outside(place);
}

void CrossedTarget::set_outside_beside(const CrossedPlace& other, CrossedPlace& place) const {
  place.d = other.d;
  place.outside = other.outside;
  place.common_outside = leaves_common(place);
  if (place.common_outside == other.common_outside) {
    place.rows = other.rows;
  } else {
    list_outside(place);
  }
}

void CrossedTarget::list_outside(CrossedPlace& place) const {
  place.rows.clear();
  const auto take = [&](std::uint32_t n) {
    if (bounds().kind[n] == RowBound::kLocal) {
      place.rows.push_back(n);
    }
  };
  if (place.common_outside) {
    for (std::size_t n = 0; n < rows(); ++n) {
      take(static_cast<std::uint32_t>(n));
    }
    return;
  }
  for (std::size_t level = 0; level < place.outside.size(); ++level) {
    if (place.outside[level] != 0) {
      std::ranges::for_each(problem().memberships.rows(level), take);
    }
  }
  std::ranges::sort(place.rows);  // once, however many of its levels are outside
  place.rows.erase(std::unique(place.rows.begin(), place.rows.end()), place.rows.end());
}

const CrossedPlace& CrossedTarget::place(const Point& point) {
  if (placed_.size() != point.zeta.size() || placed_ != point.zeta) {
    place_.d = point.zeta.head(size_);
    set_shared(point.zeta, place_);
    set_force(place_);
    set_outside(place_);
    placed_ = point.zeta;
  }
  return place_;
}

CrossedPlace& CrossedTarget::take_place(const Point& point) {
  std::ignore = place(point);
  placed_.resize(0);
  return place_;
}

void CrossedTarget::finish(Point& point) {
  if (!place_.is_fresh) {
    set_force(place_);
  }
  placed_ = point.zeta;
  assemble(place_, point);
}

void CrossedTarget::to_theta(const Point& point, Vector& theta) const noexcept {
  theta = point.zeta;
  theta.head(size_) += bounds().anchor;
}

void CrossedTarget::from_theta(const Vector& theta, Point& point) const {
  point.zeta = theta;
  point.zeta.head(size_) -= bounds().anchor;
}

// --- bright rows ---

void CrossedTarget::append(Datum n) {
  reader_.read(n);
  const RowBound kind = bounds().kind[n];
  const double shift = kind == RowBound::kGlobal ? problem().data.offset(n) +
                                                       predict_row(reader_.x(), reader_.members(),
                                                                   bounds().anchor.data()) -
                                                       bounds().touch[n]
                                                 : 0.0;  // it touches at the anchor
  active_.push_back({n, kind, shift, kind == RowBound::kBeacon ? 0.0 : bounds().slack(n)});
  active_x_.insert(active_x_.end(), reader_.x().begin(), reader_.x().end());
  active_members_.insert(active_members_.end(), reader_.members().begin(), reader_.members().end());
  active_members_.resize(active_.size() * most_);
  active_count_.push_back(reader_.members().size());
}

void CrossedTarget::remove(std::size_t slot) {
  const std::size_t at = beacons() + slot;
  remove_slot(active_, at, 1);
  remove_slot(active_x_, at, p_);
  remove_slot(active_members_, at, most_);
  remove_slot(active_count_, at, 1);
}

std::span<const double> CrossedTarget::query(const Point& current, std::span<const Datum> data) {
  const CrossedPlace& here = place(current);
  Buffer<double>& factors = probe(data);
  const std::size_t kept = active_.size();
  clear_rows();
  for (std::size_t i = 0; i < data.size(); ++i) {  // as if it were bright
    append(data[i]);
    push_row(data[i], u_of(kept + i, here.d));
  }
  run_gaps(here.shared);
  for (std::size_t i = 0; i < data.size(); ++i) {
    const Active& row = active_[kept + i];
    factors[i] = row.kind == RowBound::kBeacon
                     ? -std::numeric_limits<double>::infinity()
                     : value_of(row, is_outside(members_of(kept + i), here), gaps()[i], 0.0).value;
  }
  active_.resize(kept);
  active_x_.resize(kept * p_);
  active_members_.resize(kept * most_);
  active_count_.resize(kept);
  return factors;
}

void CrossedTarget::refresh(Point& current, Order /*order*/) { assemble(place(current), current); }

// --- evaluation ---

BrightValue CrossedTarget::value_of(const Active& row, bool outside, double gap,
                                    double slope) noexcept {
  if (row.kind == RowBound::kBeacon) {
    return {gap, slope};
  }
  const bool constant = outside && row.kind == RowBound::kLocal;
  return bright_value(gap, slope, row.slack, constant);
}

void CrossedTarget::evaluate_rows(const CrossedPlace& place, Point& point) {
  count_evaluation();
  poll_interruption();
  clear_rows();
  for (std::size_t i = 0; i < active(); ++i) {
    push_row(active_[i].row, u_of(i, place.d));
  }
  for (const std::uint32_t n : place.rows) {
    reader_.read(n);
    push_row(n, predict_row(reader_.x(), reader_.members(), place.d.data()));
  }
  run_gaps(place.shared);
  point.log_factors.resize(bright_count());
  point.parts.setZero(static_cast<Index>(1 + beacons()));
  for (std::size_t i = 0; i < active(); ++i) {
    const bool outside = active_[i].kind == RowBound::kLocal && is_outside(members_of(i), place);
    const double value = value_of(active_[i], outside, gaps()[i], slopes()[i]).value;
    if (i < beacons()) {
      point.parts[static_cast<Index>(1 + i)] = value;
    } else {
      point.log_factors[i - beacons()] = value;
    }
  }
  for (std::size_t i = active(); i < gaps().size(); ++i) {
    point.parts[0] += gaps()[i];
  }
}

void CrossedTarget::add_forces(const Vector& d, const Vector& shared, Vector& force) {
  count_evaluation();
  poll_interruption();
  clear_rows();
  for (std::size_t i = 0; i < active(); ++i) {
    push_row(active_[i].row, u_of(i, d));
  }
  run_gaps(shared);
  for (std::size_t i = 0; i < active(); ++i) {
    const double slope = value_of(active_[i], false, gaps()[i], slopes()[i]).slope;
    for (std::size_t j = 0; j < p_; ++j) {
      force[static_cast<Index>(j)] += slope * x_of(i)[j];
    }
    for (const Member& member : members_of(i)) {
      force[at(member.level)] += slope * member.weight;
    }
  }
}

double CrossedTarget::log_gaussian(const CrossedPlace& place, const Vector& psi) const {
  const Memberships& memberships = problem().memberships;
  const double log_sigma = problem().log_sigma(psi);
  double sum = std::exp(-2.0 * log_sigma) *
                   (0.5 * place.d.dot(bounds().sums.b() + place.force) - 0.5 * bounds().least) -
               bounds().weight * log_sigma + scales().log_prior(psi);
  if (problem().shared() > 0) {  // half of d'T a is in the force
    const CrossedSums& sums = bounds().sums;
    sum += place.shared.dot(sums.shared_slope() - 0.5 * sums.with_shared().transpose() * place.d -
                            0.5 * sums.shared_bend() * place.shared);
  }
  for (Index j = 0; j < problem().fixed(); ++j) {
    const double off = bounds().anchor[j] + place.d[j] - problem().prior.mean[j];
    sum -= 0.5 * problem().prior.precision[j] * off * off;
  }
  GroupScales::Precision precision;
  scales().precision(psi, precision);
  sum -= 0.5 * precision.lambda.cwiseProduct(problem().products(bounds().anchor + place.d)).sum();
  for (std::size_t term = 0; term < memberships.terms(); ++term) {
    sum += static_cast<double>(memberships.coefficients(term).count) *
           precision.log_half[static_cast<Index>(term)];
  }
  return sum;
}

void CrossedTarget::assemble(const CrossedPlace& place, Point& point) const {
  set_density(point, log_gaussian(place, point.zeta.tail(scales().size())) + residual(point));
}

void CrossedTarget::evaluate(Point& point, Order /*order*/) {
  point.gradient.setZero(dimension());
  const CrossedPlace& here = place(point);
  evaluate_rows(here, point);
  assemble(here, point);
}

}  // namespace flymc
