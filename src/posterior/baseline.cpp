#include "flymc/detail/posterior/baseline.hpp"

#include <algorithm>
#include <cmath>

namespace flymc {

PriorParabola prior_parabola(const Prior& prior, const Bounds& bounds) {
  const Vector likelihood = bounds.collapsed.precision().diagonal();
  Vector smoothing = Vector::Ones(prior.dimension());
  for (Index j = 0; j < smoothing.size(); ++j) {
    const PriorTerm& term = prior.terms()[static_cast<std::size_t>(j)];
    smoothing[j] = std::min(1.0 / std::sqrt(std::max(likelihood[j], 1e-300)), term.scale);
  }
  PriorParabola result{Vector::Zero(prior.dimension()), Vector::Zero(prior.dimension())};
  prior.add_smooth_derivatives(bounds.theta_hat, smoothing, result.slope, result.precision);
  return result;
}

Matrix gaussian_precision(const Prior& prior, const Bounds& bounds) {
  Matrix precision = bounds.collapsed.precision();
  precision.diagonal() += prior_parabola(prior, bounds).precision;
  return precision;
}

Baseline::Baseline(const Prior& prior, const Bounds& bounds, const Frame& frame)
    : prior_(prior),
      bounds_(bounds),
      frame_(frame),
      parabola_(prior_parabola(prior, bounds)),
      linear_(frame.dimension()),
      shells_(std::make_unique<Shell[]>(static_cast<std::size_t>(bounds.tangent_shells()))) {
  constant_ = bounds.collapsed.constant();
  if (!has_remainder()) {
    constant_ += prior.log_density(bounds.theta_hat);
  }
  frame.pull_back(bounds.collapsed.linear() + parabola_.slope, linear_);
  if (frame.is_oscillator()) {
    frequencies_ = frame.squared_frequencies().cwiseMax(0.0);
    has_negative_ = frame.squared_frequencies().minCoeff() < 0.0;
  } else if (!frame.is_plain()) {
    form_ = frame.pull_back_form(gaussian_precision(prior, bounds));
  }
  const Matrix root = has_remainder() ? frame.covariance_root() : Matrix();
  for (Index j = 0; has_remainder() && j < prior.dimension(); ++j) {
    const PriorTerm& term = prior.terms()[static_cast<std::size_t>(j)];
    if (term.kind == PriorKind::kLaplace) {
      kink_ = std::max(kink_, root.row(j).norm() / term.scale);
    }
  }
}

double Baseline::gaussian(const Vector& zeta, Vector& scratch, Vector* gradient) const {
  if (frequencies_.size() > 0) {
    if (gradient != nullptr) {
      *gradient = linear_ - frequencies_.cwiseProduct(zeta);
    }
    return constant_ + linear_.dot(zeta) - 0.5 * zeta.cwiseAbs2().dot(frequencies_);
  }
  if (form_.size() > 0) {
    scratch.noalias() = form_ * zeta;
    if (gradient != nullptr) {
      *gradient = linear_ - scratch;
    }
    return constant_ + linear_.dot(zeta) - 0.5 * zeta.dot(scratch);
  }
  if (gradient != nullptr) {
    *gradient = parabola_.slope - parabola_.precision.cwiseProduct(zeta);
  }
  return constant_ - bounds_.collapsed.constant() + parabola_.slope.dot(zeta) -
         0.5 * zeta.cwiseAbs2().dot(parabola_.precision) +
         bounds_.collapsed.evaluate(zeta, scratch, gradient);
}

double Baseline::remainder(const Vector& delta, Vector& theta, Vector* gradient) const {
  theta = frame_.anchor() + delta;
  if (gradient != nullptr) {
    *gradient = parabola_.precision.cwiseProduct(delta) - parabola_.slope;
    prior_.add_gradient(theta, *gradient);
  }
  return prior_.log_density(theta) - parabola_.slope.dot(delta) +
         0.5 * delta.cwiseAbs2().dot(parabola_.precision);
}

const Baseline::Shell& Baseline::shell_at(int index) const {
  Shell& shell = shells_[static_cast<std::size_t>(index)];
  std::call_once(shell.made, [&] {
    shell.correction = Matrix::Zero(frame_.dimension(), frame_.dimension());
    shell.expected_bright = bounds_.expected_bright;
    if (index > 0) {
      const OuterShell outer = bounds_.make_outer(bounds_, index);
      shell.correction = frame_.pull_back_form(outer.precision);
      shell.expected_bright = outer.expected_bright;
    }
    if (has_negative_) {
      shell.correction.diagonal() += frame_.squared_frequencies() - frequencies_;
    }
  });
  return shell;
}

double Baseline::region(int shell, const Vector& zeta, Vector& gradient) const {
  gradient.noalias() = -(shell_at(shell).correction * zeta);
  return 0.5 * gradient.dot(zeta);
}

double Baseline::expected_bright(int shell) const { return shell_at(shell).expected_bright; }

}  // namespace flymc
