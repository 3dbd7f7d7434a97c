// What split HMC sees of a density: a Gaussian part, diagonal in frame coordinates,
//   b.zeta - 1/2 sum_j q_j zeta_j^2,
// whose motion has a closed form, and the residual in parts, each with a force of its own. Bright
// data and the correction outside the innermost shell are one kick; beacons, by leverage, may be
// dealt to faster levels; what a Laplace prior is more than its parabola costs no query.
// See docs/method/engine.md, Split HMC.
#pragma once

#include <cstddef>

#include "flymc/detail/posterior/point.hpp"

namespace flymc {

class SplitDensity {
 public:
  virtual ~SplitDensity() = default;

  [[nodiscard]] virtual const Vector& squared_frequencies() const noexcept = 0;  // q >= 0
  [[nodiscard]] virtual const Vector& pull() const noexcept = 0;                 // b
  // Posterior standard deviations of a Laplace coordinate per its scale, and of one with a law of
  // its natural scale, the largest; 0: the prior is its parabola.
  [[nodiscard]] virtual double prior_kink() const noexcept = 0;

  [[nodiscard]] virtual std::size_t beacon_count() const noexcept = 0;
  // Beacons are sorted by leverage: how many have at most this one.
  [[nodiscard]] virtual std::size_t beacons_within(double leverage) const noexcept = 0;

  // Makes room for so many levels of beacons, dealt for a step.
  virtual void set_levels(Point& point, Index levels, double step) const = 0;
  // Value and force of one part at point.zeta. Each is a function of the position alone.
  virtual void evaluate_bright(Point& point) = 0;  // and the region's correction
  virtual void evaluate_prior(Point& point) = 0;   // REQUIRES: prior_kink() > 0
  virtual void evaluate_beacons(Point& point, Index part, std::size_t first, std::size_t last) = 0;
  // The log density from the parts; no query.
  virtual void finish(Point& point) noexcept = 0;
};

}  // namespace flymc
