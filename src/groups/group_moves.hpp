// The theta-update of a model with groups: three Metropolis moves of (zeta, psi) given z, in the
// coordinates of group_target.hpp.
//
//   levels   given beta and psi the zeta_g are independent. Without a row to evaluate a level turns
//            by an angle against a fresh normal, which is exact; else split HMC in q dimensions,
//            each level with its own accept.
//   fixed    zeta_b with all zeta_g held: u moves along with beta, as the Schur complement says.
//   scales   psi at fixed zeta: u and beta move with the frame. Or, as often, psi given u
//   (centred),
//            which rows do not enter at all.
//
// The angle is the same for a whole iteration. Each move leaves p(zeta, psi | z, y) invariant.
// See docs/method/groups.md, Moves.
#pragma once

#include "flymc/kernel/theta_kernel.hpp"
#include "groups/group_target.hpp"

namespace flymc {

// How the moves are tuned; frozen before draws count.
struct GroupTuning {
  Vector psi_mean;    // of an independence proposal
  Matrix psi_factor;  // lower Cholesky factor of its covariance
  int level_kicks = 3;
  int fixed_kicks = 2;
};

// Which of them a step makes, for tests.
struct GroupMoveSet {
  bool levels = true;
  bool fixed = true;
  bool scales = true;
  bool centred = true;
};

class GroupMoves final : public ThetaKernel {
 public:
  // REQUIRES: both outlive this; `target` is the density of every step.
  GroupMoves(GroupTarget& target, const GroupTuning& tuning, GroupMoveSet moves = {});

  [[nodiscard]] Adapts adapts() const noexcept override { return Adapts::kNothing; }
  [[nodiscard]] Order order() const noexcept override { return Order::kValue; }

  ThetaInfo step(Density& density, Point& current, const Tuning& tuning, Stream& stream) override;

  // Mean acceptance of the last step's moves, for tuning.
  struct Accepted {
    double levels = 1.0;  // of those with rows to evaluate
    double fixed = 1.0;
    double scales = 1.0;
  };
  [[nodiscard]] const Accepted& accepted() const noexcept { return accepted_; }

 private:
  struct Turn {  // of a trajectory of so many kicks
    double step = 0.0;
    double cosine = 1.0;
    double sine = 0.0;

    void apply(Vector& zeta, Vector& momentum) const noexcept {
      for (Index j = 0; j < zeta.size(); ++j) {
        const double turned = cosine * zeta[j] + sine * momentum[j];
        momentum[j] = cosine * momentum[j] - sine * zeta[j];
        zeta[j] = turned;
      }
    }
  };
  [[nodiscard]] static Turn turn(double angle, int kicks) noexcept;

  void move_levels(Point& current, double angle, Stream& stream);
  void turn_level(Point& current, std::size_t level, double angle, Stream& stream);
  [[nodiscard]] double move_level(Point& current, std::size_t level, double angle, Stream& stream);
  void move_fixed(Point& current, double angle, Stream& stream);
  void move_scales(Point& current, Stream& stream);
  void draw_scales_given_levels(Point& current, Stream& stream);

  // Forces on zeta_b at these fixed effects, all zeta_g held.
  void force_on_fixed(const Point& current, const Vector& zeta_b, Vector& force);
  void take_proposal(Point& current) noexcept;
  void finish(Point& current);

  GroupTarget& target_;
  const GroupTuning& tuning_;
  GroupMoveSet moves_;
  Accepted accepted_;

  GroupPlace other_;
  Point proposal_;
  Vector zeta_;
  Vector momentum_;
  Vector force_;
  Vector du_;
  Vector dbeta_;
  Vector on_level_;
  Buffer<double> factors_;
  Buffer<double> slopes_;
};

}  // namespace flymc
