// Independence Metropolis-Hastings with proposals from the Laplace approximation Q = N(anchor,
// H^-1): accepted with probability min(1, p(zeta') Q(zeta) / (p(zeta) Q(zeta'))).
// See docs/method/paper.md, Updates of theta given z.
#pragma once

#include "flymc/kernel/theta_kernel.hpp"
#include "flymc/posterior/frame.hpp"

namespace flymc {

class Independence final : public ThetaKernel {
 public:
  explicit Independence(const Frame& frame)
      : frame_(frame), proposal_(frame.dimension()), scratch_(frame.dimension()) {}

  [[nodiscard]] Order order() const noexcept override { return Order::kValue; }
  [[nodiscard]] Adapts adapts() const noexcept override { return Adapts::kNothing; }
  ThetaInfo step(Density& density, Point& current, const Tuning& tuning, Stream& stream) override;

 private:
  const Frame& frame_;
  Point proposal_;
  Vector scratch_;
};

}  // namespace flymc
