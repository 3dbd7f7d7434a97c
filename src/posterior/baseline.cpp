#include "flymc/detail/posterior/baseline.hpp"

#include <algorithm>
#include <cmath>

namespace flymc {

PriorParabola prior_parabola(const Prior& prior, const Collapsed& likelihood) {
  const Vector precision = likelihood.precision().diagonal();
  Vector smoothing = Vector::Ones(prior.dimension());
  for (Index j = 0; j < smoothing.size(); ++j) {
    const PriorTerm& term = prior.terms()[static_cast<std::size_t>(j)];
    smoothing[j] = std::min(1.0 / std::sqrt(std::max(precision[j], 1e-300)), term.scale);
  }
  PriorParabola result{Vector::Zero(prior.dimension()), Vector::Zero(prior.dimension())};
  prior.add_smooth_derivatives(likelihood.centre(), smoothing, result.slope, result.precision);
  return result;
}

Matrix gaussian_precision(const Prior& prior, const Collapsed& likelihood) {
  Matrix precision = likelihood.precision();
  precision.diagonal() += prior_parabola(prior, likelihood).precision;
  return precision;
}

Baseline::Baseline(const Prior& prior, const Collapsed& likelihood, const Frame& frame,
                   const WiderShells* wider)
    : prior_(prior),
      likelihood_(likelihood),
      frame_(frame),
      wider_(wider),
      parabola_(prior_parabola(prior, likelihood)),
      linear_(frame.dimension()),
      shells_(std::make_unique<Shell[]>(
          static_cast<std::size_t>(wider == nullptr ? 1 : wider->tangent_count()))) {
  constant_ = likelihood.constant();
  if (!has_remainder()) {
    constant_ += prior.log_density(likelihood.centre());
  }
  frame.pull_back(likelihood.linear() + parabola_.slope, linear_);
  if (frame.is_oscillator()) {
    frequencies_ = frame.squared_frequencies().cwiseMax(0.0);
    has_negative_ = frame.squared_frequencies().minCoeff() < 0.0;
  } else if (!frame.is_plain()) {
    form_ = frame.pull_back_form(gaussian_precision(prior, likelihood));
  }
  const Matrix root = has_remainder() ? frame.covariance_root() : Matrix();
  for (Index j = 0; has_remainder() && j < prior.dimension(); ++j) {
    const PriorTerm& term = prior.terms()[static_cast<std::size_t>(j)];
    if (term.kind == PriorKind::kLaplace) {
      kink_ = std::max(kink_, root.row(j).norm() / term.scale);
    } else if (is_natural(term.kind)) {  // a factor of e is one unit of its bend
      kink_ = std::max(kink_, root.row(j).norm());
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
  return constant_ - likelihood_.constant() + parabola_.slope.dot(zeta) -
         0.5 * zeta.cwiseAbs2().dot(parabola_.precision) +
         likelihood_.evaluate(zeta, scratch, gradient);
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
    shell.expected_bright = wider_ == nullptr ? 0.0 : wider_->innermost_expected_bright();
    if (index > 0) {
      const OuterShell outer = wider_->make(index);
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

void Baseline::evaluate_region(int shell, Point& point, Vector& scratch) const {
  if (has_region(shell)) {
    point.parts[kRegionPart] = region(shell, point.zeta, scratch);
    point.forces.col(kRegionPart) = scratch;
  } else {
    point.parts[kRegionPart] = 0.0;
    point.forces.col(kRegionPart).setZero();
  }
}

double Baseline::add_negative(const Vector& zeta, Eigen::Ref<Vector> gradient) const {
  double value = 0.0;
  for (Index j = 0; has_negative_ && j < zeta.size(); ++j) {
    const double below = frequencies_[j] - frame_.squared_frequencies()[j];
    gradient[j] += below * zeta[j];
    value += 0.5 * below * zeta[j] * zeta[j];
  }
  return value;
}

double Baseline::expected_bright(int shell) const { return shell_at(shell).expected_bright; }

}  // namespace flymc
