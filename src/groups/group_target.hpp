// The joint density of fixed effects, levels, scales and coins. In the arrow frame of the scales
// psi (arrow.hpp), whose Jacobian is part of Z,
//
//   log p(zeta, psi, z | y) = log p(psi) + log Z(psi) - |zeta|^2/2
//     + sum over bright i: log(e^(gap_i + slack_i) - 1)    inside, or with a global bound
//                          log(e^slack_i - 1)              local, its level outside
//     + sum over levels outside: sum of gap_i over their local rows
//     + sum over beacon levels: sum of gap_i over their rows,
//
// gap_i = w_i (log L_i - log of its tangent); shared parameters are the last of psi. A point holds
// (zeta_b, zeta_1 .. zeta_G, psi), what its bright rows and its levels add; all else is a function
// of these, kept here for the point that was looked at last. One instance a chain. See
// docs/method/groups.md, Target.
#pragma once

#include <span>
#include <tuple>
#include <vector>

#include "groups/group_rows.hpp"
#include "groups/row_target.hpp"

namespace flymc {

// What belongs to all levels, from the anchor, and whether any of it is outside of its region.
struct FixedEffects {
  Vector beta;
  Vector shared;
  bool outside = false;
};

// Coefficients, from the anchor, and which levels are outside of their regions.
struct GroupCoefficients {
  FixedEffects fixed;
  Buffer<double> du;
  Buffer<char> outside;  // a level with a region
};

// Where (zeta, psi) is: everything that does not depend on z.
struct GroupPlace {
  explicit GroupPlace(const ArrowShape& shape);

  Vector psi;
  ArrowFrame frame;
  GroupCoefficients at;
};

class GroupTarget final : public RowTarget {
 public:
  explicit GroupTarget(GroupSetting setting);

  [[nodiscard]] Index dimension() const noexcept override;
  void evaluate(Point& point, Order order) override;
  void to_theta(const Point& point, Vector& theta) const noexcept override;
  void from_theta(const Vector& theta, Point& point) const override;
  [[nodiscard]] std::span<const double> query(const Point& current,
                                              std::span<const Datum> data) override;
  void refresh(Point& current, Order order) override;
  [[nodiscard]] double bright_rate(std::size_t slot) const noexcept override {
    return gathered_[slot].rate;
  }
  [[nodiscard]] double queried_rate(std::size_t i) const noexcept override {
    return queried_[i].rate;
  }

  // --- for the moves (group_moves.hpp) ---

  [[nodiscard]] const GroupSetting& setting() const noexcept { return setting_; }
  [[nodiscard]] std::size_t levels() const noexcept { return problem().grouping.levels(); }
  [[nodiscard]] std::size_t varying() const noexcept { return q_; }
  [[nodiscard]] std::size_t fixed() const noexcept { return p_; }
  [[nodiscard]] double* zeta_of(Point& point, std::size_t level) const noexcept {
    return point.zeta.data() + p_ + level * q_;
  }
  [[nodiscard]] const double* zeta_of(const Point& point, std::size_t level) const noexcept {
    return point.zeta.data() + p_ + level * q_;
  }
  [[nodiscard]] auto psi_of(Point& point) const { return point.zeta.tail(problem().scales.size()); }

  // The place of a point, made anew where another was looked at last.
  [[nodiscard]] GroupPlace& place(const Point& point);
  // REQUIRES: place(point) was asked for, or taken.
  [[nodiscard]] GroupPlace& here() noexcept { return place_; }
  // Sets a place to psi and all that follows from it; false where there is no frame.
  [[nodiscard]] bool set_frame(const Vector& psi, GroupPlace& place) const;
  // Which levels are outside at these coefficients.
  void set_outside(GroupCoefficients& at) const;
  // What all tangents say of what rows share, coefficients held.
  [[nodiscard]] SharedParabola shared_parabola(const GroupCoefficients& at) const;
  // What zeta is in a frame, of the scales that follow it.
  void set_coefficients(const ArrowFrame& frame, const Vector& zeta, GroupCoefficients& out) const;
  // For moves that change point and place together: from here on it is nobody's, until it is kept.
  void take_place(const Point& point) {
    std::ignore = place(point);
    placed_.resize(0);
  }
  void keep_place(const Point& point) { placed_ = point.zeta; }
  void swap_place(GroupPlace& other) noexcept { std::swap(place_, other); }
  [[nodiscard]] GroupPlace make_place() const { return GroupPlace(problem().shape()); }

  // Bright rows level by level, as they lie now.
  void sort_bright();
  [[nodiscard]] std::span<const std::uint32_t> bright_of(std::size_t level) const noexcept {
    return {sorted_.data() + starts_[level], starts_[level + 1] - starts_[level]};
  }
  [[nodiscard]] bool is_beacon(std::size_t level) const noexcept {
    return setting_.bounds.level_kind[level] == LevelBound::kBeacon;
  }
  // Whether a level has rows that are evaluated wherever it is. (Not: where it is now. Moves choose
  // their proposal by this, and it must be the same on the way back.)
  [[nodiscard]] bool is_active(std::size_t level) const noexcept {
    return is_beacon(level) || !bright_of(level).empty();
  }
  // Whether a level is outside at these coefficients.
  [[nodiscard]] bool leaves(std::size_t level, const double* du,
                            const FixedEffects& fixed) const noexcept;

  // What the rows of one level add, at given coefficients. The values of its bright rows, in the
  // order of bright_of(level), go to `factors`; the sum of the others is returned. Forces, where
  // asked for, are added: on u, and, of a level that is inside, on beta. Bright rows of one that is
  // outside push nowhere. Collective where rows are split and the level is outside.
  struct Forces {
    double* on_level = nullptr;
    double* on_beta = nullptr;
  };
  [[nodiscard]] double evaluate_level(std::size_t level, const double* du,
                                      const FixedEffects& fixed, bool outside, double* factors,
                                      const Forces& forces);

  // All levels: fills factors and parts of the point.
  void evaluate_rows(const GroupCoefficients& at, Point& point);
  [[nodiscard]] double log_density_of_scales(const GroupPlace& place) const {
    return place.frame.log_z() + problem().scales.log_prior(place.psi);
  }
  void assemble(const GroupPlace& place, Point& point) const noexcept;

 private:
  [[nodiscard]] const GroupProblem& problem() const noexcept { return setting_.problem; }

  [[nodiscard]] bool is_placed(const Point& point) const noexcept {
    return placed_.size() == point.zeta.size() && placed_ == point.zeta;
  }

  // A row as it was gathered when it turned bright; its columns are below.
  struct Gathered {
    std::uint32_t level = 0;
    bool global = false;
    double touch = 0.0;
    double shift = 0.0;  // predictor at the anchor less where the tangent touches
    double response = 0.0;
    double weight = 1.0;
    double rate = 0.0;
    double slack = 0.0;
    RowCurvature curvature{};
  };
  struct Queried {
    double rate = 0.0;
    bool is_beacon = false;
    bool is_constant = false;  // a local bound whose level is outside
  };
  void fetch(std::span<const Datum> data) override { rows_.fetch(data); }
  // The same of a level whose rows are at hand.
  [[nodiscard]] double evaluate_level_here(std::size_t level, const double* du,
                                           const FixedEffects& fixed, bool outside, double* factors,
                                           const Forces& forces);
  void evaluate_whole(std::size_t level, const GroupCoefficients& at, Point& point);
  void evaluate_elsewhere(const GroupCoefficients& at, Point& point);
  // What this rank has found of its levels, with queries since then: of all ranks, in their order.
  [[nodiscard]] std::vector<double> found_by_all(std::uint64_t queries_before,
                                                 std::vector<double> mine);
  void push_bright(std::size_t slot, const double* du, const FixedEffects& fixed);
  void append(Datum n) override;
  void remove(std::size_t slot) override;

  GroupSetting setting_;
  std::size_t p_;
  std::size_t q_;
  GroupPlace place_;
  Vector placed_;  // the point it is the place of
  GroupRows rows_;
  Buffer<Queried> queried_;
  std::vector<std::size_t> elsewhere_;  // levels outside, that a rank has the rows of

  // Bright rows by slot.
  Buffer<Gathered> gathered_;
  Buffer<double> bright_x_;
  Buffer<double> bright_w_;
  // Slots level by level.
  Buffer<std::uint32_t> sorted_;
  Buffer<std::uint32_t> starts_;

  // Of rows that are not bright and evaluated together.
  Buffer<double> rows_x_;  // p numbers a row
  Buffer<double> rows_w_;
  Buffer<double> scratch_factors_;
};

}  // namespace flymc
