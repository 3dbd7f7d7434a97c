#include "kernel/elliptical.hpp"

#include <cmath>
#include <utility>

namespace flymc {

ThetaInfo Elliptical::step(Density& density, Point& current, const Tuning& /*tuning*/,
                           Stream& stream) {
  for (Index j = 0; j < scratch_.size(); ++j) {
    scratch_[j] = stream.normal();
  }
  frame_.laplace_draw(scratch_, partner_);
  const double height = current.log_density - frame_.laplace_log_density(current.zeta, scratch_) +
                        std::log(stream.uniform());
  constexpr double kTurn = 6.283185307179586;
  double angle = kTurn * stream.uniform();
  double lowest = angle - kTurn;
  double highest = angle;
  constexpr int kMostShrinks = 200;  // the bracket has shrunk below rounding long before
  for (int i = 0; i < kMostShrinks; ++i) {
    proposal_.zeta = std::cos(angle) * current.zeta + std::sin(angle) * partner_;
    density.evaluate(proposal_, order());
    if (proposal_.log_density - frame_.laplace_log_density(proposal_.zeta, scratch_) > height) {
      ThetaInfo info;
      info.moved = (proposal_.zeta - current.zeta).norm();
      std::swap(current, proposal_);
      return info;
    }
    (angle < 0.0 ? lowest : highest) = angle;
    angle = lowest + (highest - lowest) * stream.uniform();
  }
  return {.accept_prob = 0.0, .accepted = false};
}

}  // namespace flymc
