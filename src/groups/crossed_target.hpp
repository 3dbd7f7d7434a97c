// The joint density of fixed effects, levels of several factors, scales and coins. A point holds
// (d, psi), d = (beta, u) less the anchor:
//
//   log p(d, psi, z | y) = b'd - d'S d/2 + log p(beta) + sum over levels log N(u; 0, tau^2)
//     + log p(psi)
//     + s_a.a - a'(sum k_aa)a/2 - d'T a                    what rows share, a from the anchor
//     + sum over bright i: log(e^(gap_i + slack_i) - 1)    inside, or with a global bound
//                          log(e^slack_i - 1)              local and outside
//     + sum over local rows outside: gap_i
//     + sum over beacons: gap_i,
//
// of a normal response (b'd - d'S d/2 - Q^/2)/sigma^2 - N log sigma, and no row beside;
// gap_i = w_i (log L_i - log of its tangent); shared parameters are the last of psi. A row is
// outside where what is common is, or what is shared, or any of its levels: it is counted once.
// What a point's rows add is kept with it; all else follows from d, and is kept here for the point
// that was looked at last. One instance a chain. See docs/method/groups.md, Several factors.
#pragma once

#include <algorithm>
#include <span>
#include <tuple>
#include <vector>

#include "groups/bright_value.hpp"
#include "groups/crossed_bounds.hpp"
#include "groups/row_target.hpp"

namespace flymc {

// Immutable, shared by all chains.
struct CrossedSetting {
  const CrossedProblem& problem;
  const CrossedBounds& bounds;
};

// Where a point is: what does not depend on z.
struct CrossedPlace {
  Vector d;
  Vector shared;                // from the anchor
  Vector force;                 // b - S d - T a
  bool is_fresh = false;        // of d at once, not of many small steps
  bool common_outside = false;  // or what is shared
  Buffer<char> outside;         // of each level, its own region
  Buffer<std::uint32_t> rows;   // local ones outside, ascending
};

class CrossedTarget final : public RowTarget {
 public:
  explicit CrossedTarget(CrossedSetting setting);

  [[nodiscard]] Index dimension() const noexcept override { return size_ + scales().size(); }
  void evaluate(Point& point, Order order) override;
  void to_theta(const Point& point, Vector& theta) const noexcept override;
  void from_theta(const Vector& theta, Point& point) const override;
  [[nodiscard]] std::span<const double> query(const Point& current,
                                              std::span<const Datum> data) override;
  void refresh(Point& current, Order order) override;

  // --- for the moves (crossed_moves.hpp) ---

  [[nodiscard]] const CrossedProblem& problem() const noexcept { return setting_.problem; }
  [[nodiscard]] const CrossedBounds& bounds() const noexcept { return setting_.bounds; }
  [[nodiscard]] const GroupScales& scales() const noexcept { return setting_.problem.scales; }
  [[nodiscard]] Index size() const noexcept { return size_; }
  [[nodiscard]] Index at(std::size_t level) const noexcept {
    return problem().fixed() + static_cast<Index>(level);
  }

  // The place of a point, for moves that change both together: from here on it is nobody's, until
  // the step is finished, which makes it anew: no rounding of many small steps is handed on.
  [[nodiscard]] CrossedPlace& take_place(const Point& point);
  void finish(Point& point);
  // Sets what rows share, of the psi of a point.
  void set_shared(const Vector& psi, CrossedPlace& place) const {
    place.shared = psi.tail(problem().shared()) - bounds().shared;
  }
  // What follows from place.d and place.shared.
  void set_force(CrossedPlace& place) const;
  void set_outside(CrossedPlace& place) const;
  // Of the same d as another place.
  void set_outside_beside(const CrossedPlace& other, CrossedPlace& place) const;
  // Whether so few rows are outside there that moves of all levels at once go on. Those that begin
  // or end elsewhere are rejected unseen, which is as reversible, and costs nothing: levels that
  // are outside come back by themselves.
  [[nodiscard]] bool is_near(const CrossedPlace& place) const noexcept {
    constexpr std::size_t kMost = 1000;
    return place.rows.size() <= kMost;
  }
  // The same for moves that take what is common, or shared, over the edge of its region and back:
  // they pay for every local row.
  [[nodiscard]] bool is_near_for_common(const CrossedPlace& place) const noexcept {
    return place.common_outside || is_near(place);
  }
  [[nodiscard]] bool leaves(std::size_t level, const Vector& d) const noexcept {
    return bounds().has_region[level] != 0 &&
           !(bounds().region.level_norm(level, d) <= bounds().level_radius);
  }
  // Local rows outside, from the levels that are.
  void list_outside(CrossedPlace& place) const;

  // Active rows: beacons, then bright ones by slot.
  struct Active {
    Datum row = 0;
    RowBound kind = RowBound::kLocal;
    double shift = 0.0;  // predictor at the anchor less where the tangent touches
    double slack = 0.0;
  };
  [[nodiscard]] std::size_t active() const noexcept { return active_.size(); }
  [[nodiscard]] std::size_t beacons() const noexcept { return bounds().beacons; }
  [[nodiscard]] const Active& active(std::size_t i) const noexcept { return active_[i]; }
  [[nodiscard]] std::span<const double> x_of(std::size_t i) const noexcept {
    return {active_x_.data() + i * p_, p_};
  }
  [[nodiscard]] std::span<const Member> members_of(std::size_t i) const noexcept {
    return {active_members_.data() + i * most_, active_count_[i]};
  }
  // u of an active row: its predictor less where its tangent touches.
  [[nodiscard]] double u_of(std::size_t i, const Vector& d) const noexcept {
    return active_[i].shift + predict_row(x_of(i), members_of(i), d.data());
  }
  [[nodiscard]] bool is_outside(std::span<const Member> members,
                                const CrossedPlace& place) const noexcept {
    return place.common_outside || std::ranges::any_of(members, [&](const Member& member) {
             return place.outside[member.level] != 0;
           });
  }

  // What an active row adds (a bright local one that is outside adds a constant).
  [[nodiscard]] static BrightValue value_of(const Active& row, bool outside, double gap,
                                            double slope) noexcept;

  // All rows at a place: fills factors and parts (rows outside, then each beacon) of the point.
  void evaluate_rows(const CrossedPlace& place, Point& point);
  // The force of active rows as if all were inside.
  void add_forces(const Vector& d, const Vector& shared, Vector& force);
  // Of tangents, priors and scales.
  [[nodiscard]] double log_gaussian(const CrossedPlace& place, const Vector& psi) const;
  void assemble(const CrossedPlace& place, Point& point) const;

 private:
  [[nodiscard]] bool leaves_common(const CrossedPlace& place) const;
  [[nodiscard]] const CrossedPlace& place(const Point& point);
  void append(Datum n) override;
  void remove(std::size_t slot) override;

  CrossedSetting setting_;
  Index size_;
  std::size_t p_;
  std::size_t most_;
  MemberReader reader_;
  CrossedPlace place_;
  Vector placed_;

  Buffer<Active> active_;
  Buffer<double> active_x_;
  Buffer<Member> active_members_;
  Buffer<std::size_t> active_count_;
};

}  // namespace flymc
