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
      reader_(setting.problem.data, setting.problem.grouping),
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
  const double radius = setting_.bounds.level_radius;
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

double GroupTarget::shift_of(std::size_t n, std::size_t level) const noexcept {
  if (!setting_.bounds.is_global(n)) {
    return 0.0;  // it touches at the anchor
  }
  return problem().data.offset(n) +
         reader_.predict(setting_.bounds.anchor.beta.data(),
                         setting_.bounds.anchor.u.data() + level * q_) -
         setting_.bounds.touch[n];
}

void GroupTarget::append(Datum n) {
  const std::size_t level = problem().grouping.level(n);
  reader_.read(n);
  gathered_.push_back({n, static_cast<std::uint32_t>(level), setting_.bounds.is_global(n),
                       shift_of(n, level), setting_.bounds.slack(n)});
  bright_x_.insert(bright_x_.end(), reader_.x().begin(), reader_.x().end());
  bright_w_.insert(bright_w_.end(), reader_.w().begin(), reader_.w().end());
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
  clear_rows();
  for (const Datum n : data) {
    const std::size_t level = problem().grouping.level(n);
    reader_.read(n);
    push_row(n, shift_of(n, level) +
                    reader_.predict(here.fixed.beta.data(), here.du.data() + level * q_));
  }
  run_gaps(here.fixed.shared);
  for (std::size_t i = 0; i < data.size(); ++i) {
    const std::size_t n = data[i];
    const bool outside =
        here.outside[problem().grouping.level(n)] != 0 && !setting_.bounds.is_global(n);
    factors[i] = setting_.bounds.kind[n] == RowBound::kBeacon
                     ? -std::numeric_limits<double>::infinity()
                     : bright_value(gaps()[i], 0.0, setting_.bounds.slack(n), outside).value;
  }
  return factors;
}

void GroupTarget::refresh(Point& current, Order /*order*/) { assemble(place(current), current); }

// --- evaluation ---

void GroupTarget::push_bright(std::size_t slot, const double* du, const FixedEffects& fixed) {
  const Gathered& row = gathered_[slot];
  push_row(row.row, row.shift + dot(bright_x_.data() + slot * p_, fixed.beta.data(), p_) +
                        dot(bright_w_.data() + slot * q_, du, q_));
}

double GroupTarget::evaluate_level(std::size_t level, const double* du, const FixedEffects& fixed,
                                   bool outside, double* factors, const Forces& forces) {
  const auto bright = bright_of(level);
  clear_rows();
  for (const std::uint32_t slot : bright) {
    push_bright(slot, du, fixed);
  }
  const bool all = outside || is_beacon(level);
  if (all) {
    rows_x_.clear();
    rows_w_.clear();
    for (const std::size_t n : problem().grouping.rows(level)) {
      if (setting_.bounds.is_global(n)) {
        continue;
      }
      reader_.read(n);
      push_row(n, reader_.predict(fixed.beta.data(), du));
      if (forces.on_beta != nullptr) {
        rows_x_.insert(rows_x_.end(), reader_.x().begin(), reader_.x().end());
      }
      if (forces.on_level != nullptr) {
        rows_w_.insert(rows_w_.end(), reader_.w().begin(), reader_.w().end());
      }
    }
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

void GroupTarget::evaluate_rows(const GroupCoefficients& at, Point& point) {
  count_evaluation();
  point.log_factors.resize(bright_count());
  point.parts.setZero(static_cast<Index>(levels()));
  // Level by level where every row is evaluated, all other bright rows at once.
  const auto is_whole = [&](std::size_t level) {
    return at.outside[level] != 0 || is_beacon(level);
  };
  Buffer<double>& factors = scratch_factors_;
  for (std::size_t level = 0; level < levels(); ++level) {
    if (!is_whole(level)) {
      continue;
    }
    poll_interruption();
    const auto bright = bright_of(level);
    factors.resize(bright.size());
    point.parts[static_cast<Index>(level)] = evaluate_level(
        level, at.du.data() + level * q_, at.fixed, at.outside[level] != 0, factors.data(), {});
    for (std::size_t i = 0; i < bright.size(); ++i) {
      point.log_factors[bright[i]] = factors[i];
    }
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
