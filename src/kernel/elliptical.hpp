// Elliptical slice sampling (Murray, Adams & MacKay 2010) around the Laplace approximation
// Q = N(anchor, H^-1): with nu ~ Q the ellipse zeta cos(t) + nu sin(t) leaves Q invariant, and t is
// slice-sampled on p/Q by shrinkage. No tuning; fast only where p/Q is nearly flat.
// See docs/method/engine.md, Elliptical slice sampling.
#pragma once

#include "flymc/kernel/theta_kernel.hpp"
#include "flymc/posterior/frame.hpp"

namespace flymc {

class Elliptical final : public ThetaKernel {
 public:
  explicit Elliptical(const Frame& frame)
      : frame_(frame),
        proposal_(frame.dimension()),
        partner_(frame.dimension()),
        scratch_(frame.dimension()) {}

  [[nodiscard]] Adapts adapts() const noexcept override { return Adapts::kNothing; }
  [[nodiscard]] Order order() const noexcept override { return Order::kValue; }
  ThetaInfo step(Density& density, Point& current, const Tuning& tuning, Stream& stream) override;

 private:
  const Frame& frame_;
  Point proposal_;
  Vector partner_;
  Vector scratch_;
};

}  // namespace flymc
