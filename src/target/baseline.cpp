#include "flymc/target/baseline.hpp"

#include "flymc/core/error.hpp"

namespace flymc {
namespace {

// Diagonal of the prior's precision; normal terms only.
Vector prior_precision(const Prior& prior) {
  Vector gradient = Vector::Zero(prior.dimension());
  Vector precision = Vector::Zero(prior.dimension());
  const Vector smoothing = Vector::Ones(prior.dimension());
  prior.add_smooth_derivatives(gradient, smoothing, gradient, precision);
  return precision;
}

}  // namespace

Matrix gaussian_precision(const Prior& prior, const Collapsed& collapsed) {
  Matrix precision = collapsed.precision();
  precision.diagonal() += prior_precision(prior);
  return precision;
}

Baseline::Baseline(const Prior& prior, const Collapsed& collapsed, const Frame& frame)
    : prior_(prior),
      collapsed_(collapsed),
      frame_(frame),
      theta_(frame.dimension()),
      product_(frame.dimension()) {
  if (frame.is_oscillator() && prior.has_laplace()) {
    throw Error(ErrorKind::kInternal, "Baseline: an oscillator frame needs a Gaussian prior.");
  }
  if (frame.is_oscillator()) {
    constant_ = collapsed.constant() + prior.log_density(frame.anchor());
    Vector gradient = collapsed.linear();
    prior.add_gradient(frame.anchor(), gradient);
    linear_.resize(frame.dimension());
    frame.pull_back(gradient, linear_);
  }
}

double Baseline::at_eta(const Vector& eta, Vector* gradient) const noexcept {
  const Vector& q = frame_.squared_frequencies();
  if (gradient != nullptr) {
    *gradient = linear_ - q.cwiseProduct(eta);
  }
  return constant_ + linear_.dot(eta) - 0.5 * eta.cwiseAbs2().dot(q);
}

double Baseline::at_delta(const Vector& delta, Vector* gradient) noexcept {
  theta_ = frame_.anchor() + delta;
  if (gradient != nullptr) {
    gradient->setZero();
    prior_.add_gradient(theta_, *gradient);
  }
  return prior_.log_density(theta_) + collapsed_.evaluate(delta, product_, gradient);
}

}  // namespace flymc
