// Split Hamiltonian Monte Carlo. The density is a Gaussian times a residual (SplitDensity); the
// Gaussian's motion is solved exactly, D independent oscillators of frequency om = sqrt(q),
//   zeta(t) = zeta cos(om t) + p sin(om t)/om + b (1 - cos(om t))/om^2,
//   p(t)    = p cos(om t) - zeta om sin(om t) + b sin(om t)/om,
// and the residual kicks the momentum. A trajectory of total angle pi/2, with no fireflies an
// independent draw, has `kicks` steps
//   half kick of the bright data, propagate(1, h), half kick of the bright data;
//   propagate(l, h): half kick of level l, twice propagate(l + 1, h/2), half kick of level l,
// the last level flowing exactly for h. A beacon of leverage r is a wall that turns a unit momentum
// with curvature about r^2/2, so it tolerates a step of 1.2/r: its level is the least l with
// h r / 2^(l-1) <= 1.2. A Laplace prior kicks inside the flow, where it costs no query.
//
// Every force is a function of the position alone, every kick a shear, every flow exact; the
// sequence is a palindrome: reversible and volume preserving. The angle is jittered by 10 %
// independently of the state. Accepted on the full joint at the end point. kicks x M queries.
// See docs/method/engine.md, Split HMC.
#pragma once

#include <array>

#include "flymc/kernel/theta_kernel.hpp"

namespace flymc {

class SplitHmc final : public ThetaKernel {
 public:
  static constexpr int kFewestKicks = 2;
  static constexpr int kMostKicks = 16;

  explicit SplitHmc(Index dimension);

  [[nodiscard]] Adapts adapts() const noexcept override { return Adapts::kKicks; }
  [[nodiscard]] Order order() const noexcept override { return Order::kGradient; }
  ThetaInfo step(Density& density, Point& current, const Tuning& tuning, Stream& stream) override;

 private:
  static constexpr int kMostLevels = 24;

  void deal_beacons(const SplitDensity& density, double step) noexcept;
  void set_flow(const SplitDensity& density, double time) noexcept;
  void start(SplitDensity& density, Point& current, double step);
  void propagate(SplitDensity& density, int level, double step);
  void flow(SplitDensity& density, double step);
  void kick_bright(double time) noexcept;
  void kick(Index part, double time) noexcept;

  Point proposal_;
  Vector momentum_;
  Vector rotated_;
  Vector cosine_;                                    // cos(om t)
  Vector sine_over_;                                 // sin(om t) / om
  Vector sine_times_;                                // om sin(om t)
  Vector drift_;                                     // b (1 - cos(om t)) / om^2
  Vector push_;                                      // b sin(om t) / om
  std::array<std::size_t, kMostLevels + 1> ends_{};  // beacons of level l: ends_[l-1] .. ends_[l]
  int levels_ = 0;
  int prior_kicks_ = 0;  // inside one flow
};

}  // namespace flymc
