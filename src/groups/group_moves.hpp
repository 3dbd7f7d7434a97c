// The theta-update of a model with groups: Metropolis moves of (zeta, psi) given z, in the
// coordinates of group_target.hpp.
//
//   levels   given beta and psi the zeta_g are independent. Without a row to evaluate a level turns
//            by an angle against a fresh normal, which is exact; else split HMC in q dimensions,
//            each level with its own accept.
//   fixed    zeta_b with all zeta_g held: u moves along with beta, as the Schur complement says.
//   scales   psi, with what rows share, at fixed zeta, every other time (never where coins are
//            summed out): u and beta move with the frame.
//   centred  the scales of levels given u, which rows do not enter at all, and what rows share
//            given (beta, u).
//   held     the scales of levels with beta and zeta_g held: u moves along, and no number of the
//            fixed effects is needed (HeldArrow). Given coins; or with all of them summed out and
//            then thrown anew, where that looks at all rows and still pays (AllRows).
//
// Centred and held steps in turn (interweaving): the first is slow where levels have few rows, the
// second where many rows are bright.
//
// The angle is the same for a whole iteration. Each move leaves p(zeta, psi | z, y) invariant; the
// one without coins, which changes z, p(zeta, psi, z | y).
// See docs/method/groups.md, Moves.
#pragma once

#include "groups/all_rows.hpp"
#include "groups/group_target.hpp"
#include "groups/group_tuning.hpp"

namespace flymc {

// Which of them a step makes, for tests.
struct GroupMoveSet {
  bool levels = true;
  bool fixed = true;
  bool scales = true;
  bool centred = true;
  bool held = true;

  // Whether those that are made sum coins out and throw them anew.
  [[nodiscard]] bool sums_out(const GroupTuning& tuning) const noexcept {
    return held && tuning.sums_out;
  }
};

class GroupMoves final : public GroupKernel {
 public:
  // REQUIRES: both outlive this; `target` is the density of every step.
  GroupMoves(GroupTarget& target, const GroupTuning& tuning, GroupMoveSet moves = {});

  ThetaInfo step(Density& density, Point& current, const Tuning& tuning, Stream& stream) override;

 private:
  void move_levels(Point& current, double angle, Stream& stream);
  void turn_level(Point& current, std::size_t level, const Turn& turn, Stream& stream);
  [[nodiscard]] double move_level(Point& current, std::size_t level, double angle, Stream& stream);
  void move_fixed(Point& current, double angle, Stream& stream);
  void move_scales(Point& current, Stream& stream);
  void move_scales_at_beta(Point& current, Stream& stream);
  void draw_given_levels(Vector& psi, Stream& stream);
  void walk_held(Point& current, Vector& psi, Stream& stream);
  void move_without_coins(Point& current, Vector& psi, Stream& stream);
  void throw_coins(Point& current, Stream& stream);
  [[nodiscard]] bool walk_shared(Point& current, GroupPlace& here, Stream& stream);

  // Forces on zeta_b at these fixed effects, all zeta_g held.
  void force_on_fixed(const Point& current, const Vector& zeta_b, Vector& force);
  void take_proposal(Point& current) noexcept;
  void take_coefficients(Point& current) noexcept;
  void finish(Point& current);

  GroupTarget& target_;
  const GroupTuning& tuning_;
  GroupMoveSet moves_;

  GroupPlace other_;
  struct Before {  // for a way back
    GroupCoefficients at;
    Buffer<double> log_factors;
    Vector parts;
  };
  Before before_;
  Point proposal_;
  HeldArrow held_;
  AllRows rows_;
  Matrix shared_step_;
  Vector zeta_;
  Vector momentum_;
  Vector force_;
  Vector du_;
  FixedEffects fixed_;
  Vector on_level_;
  Buffer<double> factors_;
};

}  // namespace flymc
