// Random-walk Metropolis: zeta' = zeta + step z, z ~ N(0, I); accepted with probability
// min(1, p(zeta') / p(zeta)). Best near an acceptance of 0.234 (Roberts, Gelman & Gilks 1997).
// See docs/method/paper.md, Updates of theta given z.
#pragma once

#include "flymc/kernel/theta_kernel.hpp"

namespace flymc {

class RandomWalk final : public ThetaKernel {
 public:
  explicit RandomWalk(Index dimension) : proposal_(dimension) {}

  [[nodiscard]] Order order() const noexcept override { return Order::kValue; }
  [[nodiscard]] double target_accept_prob() const noexcept override { return 0.234; }
  [[nodiscard]] double initial_step_size() const noexcept override;
  ThetaInfo step(Density& density, Point& current, const Tuning& tuning, Stream& stream) override;

 private:
  Point proposal_;
};

}  // namespace flymc
