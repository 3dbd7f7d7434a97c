// The part of the joint that no bright datum and no beacon touches: prior times collapsed bounds.
//
//   gaussian:  constant + b.zeta - 1/2 zeta' Q zeta, the innermost shell's bounds and the prior's
//              parabola. In an oscillator frame Q = diag(q): O(dimension). A q_j below zero counts
//              as zero there, and the rest of it as region.
//   region:    -1/2 zeta' Delta_s zeta, what a wider shell adds; built on the first visit.
//   remainder: the prior less its parabola at the anchor; zero but for laws of a parameter on its
//              natural scale, and for Laplace terms, whose parabola is that of sqrt(t^2 + e_j^2),
//              e_j = min(1/sqrt(S_jj), scale_j).
// See docs/method/engine.md, Split HMC.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "flymc/detail/core/linalg.hpp"
#include "flymc/detail/posterior/collapsed.hpp"
#include "flymc/detail/posterior/point.hpp"
#include "flymc/detail/posterior/wider_shells.hpp"
#include "flymc/family/prior.hpp"
#include "flymc/posterior/bounds.hpp"
#include "flymc/posterior/frame.hpp"

namespace flymc {

// The prior's parabola about the centre of the likelihood's, theta_hat:
//   slope.delta - 1/2 sum_j precision_j delta_j^2.
struct PriorParabola {
  Vector slope;
  Vector precision;
};
[[nodiscard]] PriorParabola prior_parabola(const Prior& prior, const Collapsed& likelihood);

// The precision of both: what an oscillator frame diagonalises.
[[nodiscard]] Matrix gaussian_precision(const Prior& prior, const Collapsed& likelihood);
[[nodiscard]] inline Matrix gaussian_precision(const Prior& prior, const Bounds& bounds) {
  return gaussian_precision(prior, bounds.gaussian);
}

// Immutable but for shells built on demand; shared by all chains, which bring their own scratch.
class Baseline {
 public:
  // REQUIRES: an oscillator frame was built from gaussian_precision(prior, likelihood). All outlive
  // this. `wider` is null where there is no shell but the innermost.
  Baseline(const Prior& prior, const Collapsed& likelihood, const Frame& frame,
           const WiderShells* wider);

  // The Gaussian part; sets the gradient where one is given.
  [[nodiscard]] double gaussian(const Vector& zeta, Vector& scratch, Vector* gradient) const;
  [[nodiscard]] const Vector& squared_frequencies() const noexcept { return frequencies_; }
  [[nodiscard]] const Vector& pull() const noexcept { return linear_; }

  // The prior's remainder at theta = anchor + delta, with its gradient in theta.
  [[nodiscard]] bool has_remainder() const noexcept { return !prior_.is_parabola(); }
  [[nodiscard]] double remainder(const Vector& delta, Vector& theta, Vector* gradient) const;
  [[nodiscard]] double kink() const noexcept { return kink_; }

  // REQUIRES: a shell with tangents.
  [[nodiscard]] bool has_region(int shell) const noexcept { return shell > 0 || has_negative_; }
  [[nodiscard]] double region(int shell, const Vector& zeta, Vector& gradient) const;
  // The same as a part of the point, zero where there is none.
  void evaluate_region(int shell, Point& point, Vector& scratch) const;
  // What every shell has of it, the one without tangents too: the rest of each q_j below zero, with
  // its gradient added to one in zeta.
  [[nodiscard]] double add_negative(const Vector& zeta, Eigen::Ref<Vector> gradient) const;
  [[nodiscard]] double expected_bright(int shell) const;

 private:
  struct Shell {
    std::once_flag made;
    Matrix correction;  // Delta_s in zeta
    double expected_bright = 0.0;
  };
  [[nodiscard]] const Shell& shell_at(int shell) const;

  const Prior& prior_;
  const Collapsed& likelihood_;
  const Frame& frame_;
  const WiderShells* wider_;
  PriorParabola parabola_;
  double constant_ = 0.0;
  Vector linear_;       // b
  Vector frequencies_;  // q, not below zero; empty but in an oscillator frame
  Matrix form_;         // Q where it is not diagonal and zeta is not theta: whitened frames
  double kink_ = 0.0;
  bool has_negative_ = false;
  std::unique_ptr<Shell[]> shells_;
};

}  // namespace flymc
