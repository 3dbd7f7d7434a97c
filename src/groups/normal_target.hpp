// The posterior of a normal response with coefficients that vary by level, and its theta-update. A
// point holds (zeta_b, zeta_1 .. zeta_G, psi), psi with log sigma where that is unknown; in the
// frame of the scales (normal_arrow.hpp) coefficients and scales are independent,
//
//   p(zeta, psi | y) = p(psi | y) N(zeta; 0, I),
//
// so that an iteration is
//   psi given (beta, u)    steps of a random walk, levels and sigma apart: no frame;
//   psi, (beta, u) integrated out   a Metropolis step with the marginal;
//   zeta                   drawn afresh: (beta, u) is an exact draw given psi.
// No row is looked at: O(G q (p + q)^2), whatever their number.
// See docs/method/groups.md, A normal response.
#pragma once

#include "flymc/posterior/density.hpp"
#include "groups/group_tuning.hpp"
#include "groups/normal_arrow.hpp"

namespace flymc {

// Immutable, shared by all chains.
struct NormalSetting {
  const GroupProblem& problem;
  const NormalArrow& bounds;
};

// One instance a chain.
class NormalTarget final : public Density {
 public:
  explicit NormalTarget(NormalSetting setting);

  [[nodiscard]] Index dimension() const noexcept override {
    return coefficients() + problem().scales.size();
  }
  void evaluate(Point& point, Order order) override;
  void to_theta(const Point& point, Vector& theta) const noexcept override;
  void from_theta(const Vector& theta, Point& point) const override;
  [[nodiscard]] std::uint64_t queries_total() const noexcept override { return 0; }
  [[nodiscard]] std::uint64_t evaluations_total() const noexcept override { return evaluations_; }

  // --- for the moves ---

  [[nodiscard]] const GroupProblem& problem() const noexcept { return setting_.problem; }
  [[nodiscard]] const NormalArrow& arrow() const noexcept { return setting_.bounds; }
  [[nodiscard]] Index coefficients() const noexcept { return place_.scaled.size(); }
  // The place of a point, made anew where another was looked at last. Moves change it with the
  // point, and keep it.
  [[nodiscard]] NormalPlace& place(const Point& point);
  void keep(Point& point);
  void count_evaluation() noexcept { ++evaluations_; }

 private:
  [[nodiscard]] bool is_placed(const Point& point) const noexcept {
    return placed_.size() == point.zeta.size() && placed_ == point.zeta;
  }

  NormalSetting setting_;
  NormalPlace place_;
  Vector placed_;  // the point it is the place of
  std::uint64_t evaluations_ = 0;
};

// Which of them a step makes, for tests: coefficients are always drawn.
struct NormalMoveSet {
  bool centred = true;
  bool collapsed = true;
};

class NormalMoves final : public GroupKernel {
 public:
  // REQUIRES: both outlive this; `target` is the density of every step.
  NormalMoves(NormalTarget& target, const GroupTuning& tuning, NormalMoveSet moves = {});

  ThetaInfo step(Density& density, Point& current, const Tuning& tuning, Stream& stream) override;

 private:
  void draw_scales_given_coefficients(NormalPlace& here, Stream& stream);
  void move_scales(NormalPlace& here, Stream& stream);

  NormalTarget& target_;
  const GroupTuning& tuning_;
  NormalMoveSet moves_;
  NormalPlace other_;
};

}  // namespace flymc
