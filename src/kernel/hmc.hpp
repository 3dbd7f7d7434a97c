// Hamiltonian Monte Carlo: momentum p ~ N(0, I), leapfrog steps of total length about a quarter
// period (1.1 pi/2 posterior standard deviations), accepted on the change of log p(zeta) - |p|^2/2.
// The step is jittered by 10 % independently of the state; a trajectory is palindromic, hence
// reversible. Step size adapted to an acceptance of 0.8.
// See docs/method/paper.md, Updates of theta given z.
#pragma once

#include "flymc/kernel/theta_kernel.hpp"

namespace flymc {

class Hmc final : public ThetaKernel {
 public:
  struct Options {
    double path_length = 1.0;  // in units of zeta
    int max_steps = 128;
  };

  Hmc(Index dimension, const Options& options)
      : options_(options), proposal_(dimension), momentum_(dimension) {}

  [[nodiscard]] Order order() const noexcept override { return Order::kGradient; }
  [[nodiscard]] double target_accept_prob() const noexcept override { return 0.8; }
  [[nodiscard]] double initial_step_size() const noexcept override;
  ThetaInfo step(Density& density, Point& current, const Tuning& tuning, Stream& stream) override;

 private:
  Options options_;
  Point proposal_;
  Vector momentum_;
};

}  // namespace flymc
