// Slice sampling along a uniformly random direction (Neal 2003): a height under the density at the
// current position, an interval around it found by stepping out, then shrinkage until a position on
// the slice is found. Always moves; about ten evaluations.
// See docs/method/paper.md, Updates of theta given z.
#pragma once

#include "flymc/kernel/theta_kernel.hpp"

namespace flymc {

class Slice final : public ThetaKernel {
 public:
  explicit Slice(Index dimension) : proposal_(dimension), direction_(dimension) {}

  [[nodiscard]] Order order() const noexcept override { return Order::kValue; }
  [[nodiscard]] Adapts adapts() const noexcept override { return Adapts::kDistance; }
  [[nodiscard]] double initial_step_size() const noexcept override { return 2.0; }
  ThetaInfo step(Density& density, Point& current, const Tuning& tuning, Stream& stream) override;

 private:
  struct Interval {
    double left;
    double right;
  };
  [[nodiscard]] bool on_slice(Density& density, const Point& current, double t, double log_height);
  [[nodiscard]] Interval step_out(Density& density, const Point& current, double log_height,
                                  double width, Stream& stream);

  Point proposal_;
  Vector direction_;
};

}  // namespace flymc
