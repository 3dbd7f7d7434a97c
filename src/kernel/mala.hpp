// Metropolis-adjusted Langevin: zeta' = zeta + step^2/2 grad log p(zeta) + step z, corrected by
// min(1, p(zeta') N(zeta; mean(zeta'), step^2) / (p(zeta) N(zeta'; mean(zeta), step^2))).
// Best near an acceptance of 0.574 (Roberts & Rosenthal 1998).
// See docs/method/paper.md, Updates of theta given z.
#pragma once

#include "flymc/kernel/theta_kernel.hpp"

namespace flymc {

class Mala final : public ThetaKernel {
 public:
  explicit Mala(Index dimension) : proposal_(dimension) {}

  [[nodiscard]] Order order() const noexcept override { return Order::kGradient; }
  [[nodiscard]] double target_accept_prob() const noexcept override { return 0.574; }
  [[nodiscard]] double initial_step_size() const noexcept override;
  ThetaInfo step(Density& density, Point& current, const Tuning& tuning, Stream& stream) override;

 private:
  Point proposal_;
};

}  // namespace flymc
