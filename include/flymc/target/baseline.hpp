// The part of the joint that no bright datum touches: prior times collapsed bounds.
//
// In an oscillator frame with a Gaussian prior it is diagonal in eta,
//   constant + b.eta - 1/2 sum_j q_j eta_j^2,
// O(dimension); otherwise it is evaluated at theta, O(K D^2).
#pragma once

#include "flymc/core/linalg.hpp"
#include "flymc/model/prior.hpp"
#include "flymc/target/bounds.hpp"
#include "flymc/target/frame.hpp"

namespace flymc {

// The precision of prior x bounds where that is Gaussian: what an oscillator frame diagonalises.
[[nodiscard]] Matrix gaussian_precision(const Prior& prior, const Collapsed& collapsed);

// Immutable but for its scratch: one instance a chain.
class Baseline {
 public:
  // REQUIRES: frame.is_oscillator() only with a prior without Laplace terms, built from
  // gaussian_precision(prior, collapsed).
  Baseline(const Prior& prior, const Collapsed& collapsed, const Frame& frame);

  // Log density at eta (oscillator frame; the gradient is in eta) ...
  [[nodiscard]] double at_eta(const Vector& eta, Vector* gradient) const noexcept;
  // ... or at theta = anchor + delta (the gradient is in theta).
  [[nodiscard]] double at_delta(const Vector& delta, Vector* gradient) noexcept;

 private:
  const Prior& prior_;
  const Collapsed& collapsed_;
  const Frame& frame_;
  double constant_ = 0.0;
  Vector linear_;  // b
  Vector theta_;
  Vector product_;
};

}  // namespace flymc
