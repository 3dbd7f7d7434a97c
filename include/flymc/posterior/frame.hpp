// Coordinates of the chain: theta = anchor + F zeta.
//
// plain:     F = I, as in the paper.
// whitened:  F = R^-T with H = R R' the posterior precision at the anchor: F' H F = I.
// oscillator: F = R^-T V, V diag(q) V' = R^-1 P R^-T for the precision P of the Gaussian part of
//             the target; whitened too, and F' P F = diag(q), so that part costs O(dimension).
// The frame only changes how fast a chain moves, never where it goes.
// See docs/method/engine.md, Frames.
#pragma once

#include "flymc/detail/core/linalg.hpp"
#include "flymc/posterior/anchor.hpp"

namespace flymc {

class Frame {
 public:
  [[nodiscard]] static Frame plain(const Anchor& anchor);
  [[nodiscard]] static Frame whitened(const Anchor& anchor);
  [[nodiscard]] static Frame oscillator(const Anchor& anchor, const Matrix& gaussian_precision);

  [[nodiscard]] Index dimension() const noexcept { return anchor_.size(); }
  [[nodiscard]] const Vector& anchor() const noexcept { return anchor_; }
  [[nodiscard]] bool is_plain() const noexcept { return map_.size() == 0; }
  [[nodiscard]] bool is_oscillator() const noexcept { return frequencies_.size() > 0; }
  [[nodiscard]] const Vector& squared_frequencies() const noexcept { return frequencies_; }  // q
  // The length of one posterior standard deviation in these coordinates: 1, or in the plain frame
  // that of the widest direction.
  [[nodiscard]] double length_scale() const noexcept { return length_scale_; }

  // delta = F zeta = theta - anchor; theta itself; F' gradient. None allocates.
  void to_delta(const Vector& zeta, Vector& delta) const noexcept;
  void to_theta(const Vector& zeta, Vector& theta) const noexcept;
  void pull_back(const Vector& theta_gradient, Vector& zeta_gradient) const noexcept;
  // F' A F, and a root R^-T of the covariance H^-1: for set-up.
  [[nodiscard]] Matrix pull_back_form(const Matrix& theta_form) const;
  [[nodiscard]] Matrix covariance_root() const;
  // F^-1 (theta - anchor): to start a chain, not for the loop.
  [[nodiscard]] Vector from_theta(const Vector& theta) const;

  // |theta - anchor|_H. `scratch` is overwritten; O(dimension) but in the plain frame.
  [[nodiscard]] double posterior_norm(const Vector& zeta, Vector& scratch) const noexcept;

  // The Laplace approximation N(anchor, H^-1) in zeta: zeta = map of a standard normal z, and its
  // log density (up to a constant). `scratch` is overwritten.
  void laplace_draw(const Vector& z, Vector& zeta) const noexcept;
  [[nodiscard]] double laplace_log_density(const Vector& zeta, Vector& scratch) const noexcept;

 private:
  Frame(const Anchor& anchor, bool plain);

  Vector anchor_;
  Matrix root_;         // R, lower
  Matrix rotation_;     // V, empty unless oscillator
  Matrix map_;          // F, empty when plain
  Vector frequencies_;  // q
  double length_scale_ = 1.0;
};

}  // namespace flymc
