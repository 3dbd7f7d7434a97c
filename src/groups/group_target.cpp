#include "groups/group_target.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "flymc/detail/core/interruption.hpp"
#include "flymc/detail/posterior/bright_rows.hpp"
#include "flymc/error.hpp"
#include "groups/bright_value.hpp"
#include "ranks/gather_values.hpp"

namespace flymc {
namespace {

double dot(const double* a, const double* b, std::size_t size) noexcept {
  double sum = 0.0;
  for (std::size_t i = 0; i < size; ++i) {
    sum += a[i] * b[i];
  }
  return sum;
}

void add(double factor, const double* v, std::size_t size, double* out) noexcept {
  for (std::size_t i = 0; i < size; ++i) {
    out[i] += factor * v[i];
  }
}

}  // namespace

GroupPlace::GroupPlace(const ArrowShape& shape)
    : frame(shape),
      at{{Vector(shape.fixed), Vector(shape.shared)},
         Buffer<double>(shape.levels * static_cast<std::size_t>(shape.varying)),
         Buffer<char>(shape.levels, 0)} {}

GroupTarget::GroupTarget(GroupSetting setting)
    : RowTarget(setting.problem.data, setting.problem.model, setting.bounds,
                setting.bounds.anchor.shared.data()),
      setting_(setting),
      p_(static_cast<std::size_t>(setting.problem.data.columns())),
      q_(static_cast<std::size_t>(setting.problem.grouping.size())),
      place_(setting.problem.shape()),
      rows_(setting),
      starts_(setting.problem.grouping.levels() + 1, 0) {}

Index GroupTarget::dimension() const noexcept {
  return static_cast<Index>(p_ + levels() * q_) + problem().scales.size();
}

// --- places ---

bool GroupTarget::set_frame(const Vector& psi, GroupPlace& place) const {
  place.psi = psi;
  const GroupAnchor& anchor = setting_.bounds.anchor;
  return place.frame.factor(setting_.bounds.sums, problem().prior, anchor,
                            problem().scales.factor(psi),
                            psi.tail(anchor.shared.size()) - anchor.shared);
}

bool GroupTarget::leaves(std::size_t level, const double* du,
                         const FixedEffects& fixed) const noexcept {
  if (setting_.bounds.level_kind[level] != LevelBound::kRegion) {
    return false;
  }
  const double radius = setting_.bounds.level_radius[level];
  return fixed.outside ||
         !(setting_.bounds.region.level_norm2(level, du, fixed.beta.data()) <= radius * radius);
}

void GroupTarget::set_coefficients(const ArrowFrame& frame, const Vector& zeta,
                                   GroupCoefficients& out) const {
  frame.fixed_from(zeta.data(), out.fixed.beta);
  out.fixed.shared = zeta.tail(out.fixed.shared.size()) - setting_.bounds.anchor.shared;
  for (std::size_t level = 0; level < levels(); ++level) {
    frame.level_from(level, zeta.data() + p_ + level * q_, out.fixed.beta.data(),
                     out.du.data() + level * q_);
  }
  set_outside(out);
}

void GroupTarget::set_outside(GroupCoefficients& at) const {
  const GroupBounds& bounds = setting_.bounds;
  FixedEffects& fixed = at.fixed;
  fixed.outside = !(bounds.region.fixed_norm2(fixed.beta.data()) <=
                    bounds.fixed_radius * bounds.fixed_radius) ||
                  bounds.leaves_shared(fixed.shared);
  for (std::size_t level = 0; level < levels(); ++level) {
    at.outside[level] = static_cast<char>(leaves(level, at.du.data() + level * q_, fixed));
  }
}

// s_a was taken about u = 0: - T_g u_g, not - T_g du_g.
SharedParabola GroupTarget::shared_parabola(const GroupCoefficients& at) const {
  const ArrowSums& sums = setting_.bounds.sums;
  const Buffer<double>& u_hat = setting_.bounds.anchor.u;
  SharedParabola parabola{sums.shared_slope - sums.v.transpose() * at.fixed.beta,
                          sums.shared_bend.selfadjointView<Eigen::Lower>()};
  const auto m = static_cast<std::size_t>(parabola.slope.size());
  for (std::size_t i = 0; i < at.du.size(); ++i) {
    for (std::size_t j = 0; j < m; ++j) {
      parabola.slope[static_cast<Index>(j)] -= sums.t[i * m + j] * (u_hat[i] + at.du[i]);
    }
  }
  return parabola;
}

GroupPlace& GroupTarget::place(const Point& point) {
  if (!is_placed(point)) {
    if (!set_frame(point.zeta.tail(problem().scales.size()), place_)) {
      throw Error(ErrorKind::kInternal, "GroupTarget: scales without a frame.");
    }
    set_coefficients(place_.frame, point.zeta, place_.at);
    placed_ = point.zeta;
  }
  return place_;
}

void GroupTarget::to_theta(const Point& point, Vector& theta) const noexcept {
  std::optional<GroupPlace> other;
  const GroupPlace* place = &place_;
  if (!is_placed(point)) {
    other.emplace(problem().shape());
    std::ignore = set_frame(point.zeta.tail(problem().scales.size()), *other);
    set_coefficients(other->frame, point.zeta, other->at);
    place = &*other;
  }
  theta.resize(dimension());
  const GroupAnchor& anchor = setting_.bounds.anchor;
  theta.head(static_cast<Index>(p_)) = anchor.beta + place->at.fixed.beta;
  for (std::size_t i = 0; i < place->at.du.size(); ++i) {
    theta[static_cast<Index>(p_ + i)] = anchor.u[i] + place->at.du[i];
  }
  theta.tail(problem().scales.size()) = place->psi;
}

void GroupTarget::from_theta(const Vector& theta, Point& point) const {
  const GroupAnchor& anchor = setting_.bounds.anchor;
  GroupPlace place(problem().shape());
  if (!set_frame(theta.tail(problem().scales.size()), place)) {
    throw Error(ErrorKind::kInternal, "GroupTarget: scales without a frame.");
  }
  point.zeta = theta;  // its last numbers are psi
  const Vector dbeta = theta.head(static_cast<Index>(p_)) - anchor.beta;
  place.frame.to_fixed(dbeta, point.zeta.data());
  Vector du(static_cast<Index>(q_));
  for (std::size_t level = 0; level < levels(); ++level) {
    for (std::size_t j = 0; j < q_; ++j) {
      du[static_cast<Index>(j)] =
          theta[static_cast<Index>(p_ + level * q_ + j)] - anchor.u[level * q_ + j];
    }
    place.frame.to_level(level, du.data(), dbeta.data(), zeta_of(point, level));
  }
}

// --- bright rows ---

void GroupTarget::append(Datum n) {
  const GroupRow row = rows_.at(n);
  Gathered& gathered = gathered_.emplace_back();
  gathered = {
      row.level, row.kind == RowBound::kGlobal,      row.touch, row.shift, row.response, row.weight,
      row.rate,  setting_.bounds.slack_of(row.rate), {}};
  std::copy_n(row.curvature, setting_.bounds.curvatures, gathered.curvature.begin());
  bright_x_.insert(bright_x_.end(), row.x.begin(), row.x.end());
  bright_w_.insert(bright_w_.end(), row.w.begin(), row.w.end());
}

void GroupTarget::sort_bright() {
  std::ranges::fill(starts_, 0U);
  for (const Gathered& row : gathered_) {
    ++starts_[row.level + 1];
  }
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  sorted_.resize(gathered_.size());
  std::iota(sorted_.begin(), sorted_.end(), 0U);
  std::ranges::sort(sorted_, [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(gathered_[a].level, a) < std::pair(gathered_[b].level, b);
  });
}

void GroupTarget::remove(std::size_t slot) {
  remove_slot(gathered_, slot, 1);
  remove_slot(bright_x_, slot, p_);
  remove_slot(bright_w_, slot, q_);
}

std::span<const double> GroupTarget::query(const Point& current, std::span<const Datum> data) {
  const GroupCoefficients& here = place(current).at;
  Buffer<double>& factors = probe(data);
  queried_.clear();
  rows_.fetch(data);
  clear_rows();
  for (const Datum n : data) {
    const GroupRow row = rows_.at(n);
    push_row({row.touch, row.curvature, row.response, row.weight},
             row.shift + row.predict(here.fixed.beta.data(), here.du.data() + row.level * q_));
    queried_.push_back({row.rate, row.kind == RowBound::kBeacon,
                        here.outside[row.level] != 0 && row.kind != RowBound::kGlobal});
  }
  run_gaps(here.fixed.shared);
  for (std::size_t i = 0; i < data.size(); ++i) {
    const Queried& row = queried_[i];
    factors[i] = row.is_beacon ? -std::numeric_limits<double>::infinity()
                               : bright_value(gaps()[i], 0.0, setting_.bounds.slack_of(row.rate),
                                              row.is_constant)
                                     .value;
  }
  return factors;
}

void GroupTarget::refresh(Point& current, Order /*order*/) { assemble(place(current), current); }

// --- evaluation ---

void GroupTarget::push_bright(std::size_t slot, const double* du, const FixedEffects& fixed) {
  const Gathered& row = gathered_[slot];
  push_row({row.touch, row.curvature.data(), row.response, row.weight},
           row.shift + dot(bright_x_.data() + slot * p_, fixed.beta.data(), p_) +
               dot(bright_w_.data() + slot * q_, du, q_));
}

// The rows of a level outside stay where they are: the rank that holds them says what it found.
double GroupTarget::evaluate_level(std::size_t level, const double* du, const FixedEffects& fixed,
                                   bool outside, double* factors, const Forces& forces) {
  if (!outside || rows_.is_everywhere(level)) {
    return evaluate_level_here(level, du, fixed, outside, factors, forces);
  }
  const std::uint64_t before = queries_total();
  const std::size_t bright = bright_of(level).size();
  std::vector<double> found;
  if (rows_.holds(level)) {
    found.push_back(evaluate_level_here(level, du, fixed, outside, factors, forces));
    found.insert(found.end(), factors, factors + bright);
    if (forces.on_level != nullptr) {
      found.insert(found.end(), forces.on_level, forces.on_level + q_);
    }
  }
  found = found_by_all(before, std::move(found));
  std::copy_n(found.data() + 1, bright, factors);
  if (forces.on_level != nullptr) {
    std::copy_n(found.data() + 1 + bright, q_, forces.on_level);
  }
  return found.front();
}

std::vector<double> GroupTarget::found_by_all(std::uint64_t queries_before,
                                              std::vector<double> mine) {
  Ranks& ranks = problem().grouping.shard().ranks();
  mine.push_back(static_cast<double>(queries_total() - queries_before));
  std::vector<double> found;
  int rank = 0;
  for (const std::vector<double>& of_rank : gather_values(ranks, mine)) {
    found.insert(found.end(), of_rank.begin(), of_rank.end() - 1);
    if (rank++ != ranks.rank()) {
      count_elsewhere(static_cast<std::size_t>(of_rank.back()));
    }
  }
  return found;
}

double GroupTarget::evaluate_level_here(std::size_t level, const double* du,
                                        const FixedEffects& fixed, bool outside, double* factors,
                                        const Forces& forces) {
  const auto bright = bright_of(level);
  clear_rows();
  for (const std::uint32_t slot : bright) {
    push_bright(slot, du, fixed);
  }
  const bool all = outside || is_beacon(level);
  if (all) {
    rows_x_.clear();
    rows_w_.clear();
    rows_.visit_level(level, [&](const GroupRow& row) {
      if (row.kind == RowBound::kGlobal) {
        return;
      }
      push_row({row.touch, row.curvature, row.response, row.weight},
               row.predict(fixed.beta.data(), du));
      if (forces.on_beta != nullptr) {
        rows_x_.insert(rows_x_.end(), row.x.begin(), row.x.end());
      }
      if (forces.on_level != nullptr) {
        rows_w_.insert(rows_w_.end(), row.w.begin(), row.w.end());
      }
    });
  }
  run_gaps(fixed.shared);
  const auto push = [&](double slope, const double* x, const double* w) {
    if (forces.on_level != nullptr) {
      add(slope, w, q_, forces.on_level);
    }
    if (forces.on_beta != nullptr) {
      add(slope, x, p_, forces.on_beta);
    }
  };
  for (std::size_t i = 0; i < bright.size(); ++i) {
    const std::uint32_t slot = bright[i];
    const Gathered& row = gathered_[slot];
    const bool constant = outside && !row.global;
    const BrightValue added = bright_value(gaps()[i], slopes()[i], row.slack, constant);
    factors[i] = added.value;
    push(added.slope, bright_x_.data() + slot * p_, bright_w_.data() + slot * q_);
  }
  double sum = 0.0;
  for (std::size_t i = bright.size(); i < gaps().size(); ++i) {
    const std::size_t row = i - bright.size();
    sum += gaps()[i];
    push(slopes()[i], rows_x_.data() + row * p_, rows_w_.data() + row * q_);
  }
  return sum;
}

void GroupTarget::evaluate_whole(std::size_t level, const GroupCoefficients& at, Point& point) {
  poll_interruption();
  const auto bright = bright_of(level);
  Buffer<double>& factors = scratch_factors_;
  factors.resize(bright.size());
  point.parts[static_cast<Index>(level)] = evaluate_level_here(
      level, at.du.data() + level * q_, at.fixed, at.outside[level] != 0, factors.data(), {});
  for (std::size_t i = 0; i < bright.size(); ++i) {
    point.log_factors[bright[i]] = factors[i];
  }
}

// Each at its rank.
void GroupTarget::evaluate_elsewhere(const GroupCoefficients& at, Point& point) {
  const std::uint64_t before = queries_total();
  std::vector<double> found;
  for (const std::size_t level : elsewhere_) {
    if (rows_.holds(level)) {
      evaluate_whole(level, at, point);
      found.push_back(point.parts[static_cast<Index>(level)]);
      for (const std::uint32_t slot : bright_of(level)) {
        found.push_back(point.log_factors[slot]);
      }
    }
  }
  found = found_by_all(before, std::move(found));
  const double* next = found.data();
  for (const std::size_t level : elsewhere_) {
    point.parts[static_cast<Index>(level)] = *next++;
    for (const std::uint32_t slot : bright_of(level)) {
      point.log_factors[slot] = *next++;
    }
  }
}

void GroupTarget::evaluate_rows(const GroupCoefficients& at, Point& point) {
  count_evaluation();
  point.log_factors.resize(bright_count());
  point.parts.setZero(static_cast<Index>(levels()));
  // Level by level where every row is evaluated, all other bright rows at once.
  const auto is_whole = [&](std::size_t level) {
    return at.outside[level] != 0 || is_beacon(level);
  };
  elsewhere_.clear();
  for (std::size_t level = 0; level < levels(); ++level) {
    if (!is_whole(level)) {
      continue;
    }
    if (rows_.is_everywhere(level)) {
      evaluate_whole(level, at, point);
    } else {
      elsewhere_.push_back(level);
    }
  }
  if (!elsewhere_.empty()) {
    evaluate_elsewhere(at, point);
  }
  clear_rows();
  for (std::size_t slot = 0; slot < gathered_.size(); ++slot) {
    if (!is_whole(gathered_[slot].level)) {
      push_bright(slot, at.du.data() + gathered_[slot].level * q_, at.fixed);
    }
  }
  run_gaps(at.fixed.shared);
  std::size_t i = 0;
  for (std::size_t slot = 0; slot < gathered_.size(); ++slot) {
    if (!is_whole(gathered_[slot].level)) {
      point.log_factors[slot] = bright_value(gaps()[i++], 0.0, gathered_[slot].slack, false).value;
    }
  }
}

// As a density of (beta, u, psi): without the frame's Jacobian.
void GroupTarget::assemble(const GroupPlace& place, Point& point) const noexcept {
  const double density =
      log_density_of_scales(place) -
      0.5 * point.zeta.head(static_cast<Index>(p_ + levels() * q_)).squaredNorm() +
      residual(point) + place.frame.half_log_det();
  set_density(point, density);
}

void GroupTarget::evaluate(Point& point, Order /*order*/) {
  point.gradient.setZero(dimension());
  sort_bright();
  const GroupPlace& here = place(point);
  evaluate_rows(here.at, point);
  assemble(here, point);
}

}  // namespace flymc
