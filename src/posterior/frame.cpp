#include "flymc/posterior/frame.hpp"

#include <cmath>

#include "core/message.hpp"
#include "flymc/error.hpp"

namespace flymc {

Frame::Frame(const Anchor& anchor, bool plain) : anchor_(anchor.theta) {
  const Eigen::LLT<Matrix> cholesky(anchor.precision);
  if (cholesky.info() != Eigen::Success) {
    throw Error(ErrorKind::kData, "the posterior precision is not positive definite",
                message("use a tighter {}.", Setting{"prior"}));
  }
  root_ = cholesky.matrixL();
  if (plain) {
    // Power iteration on H^-1 for the widest direction; tuning only, so a few digits do.
    Vector v = Vector::Ones(anchor_.size()).normalized();
    double variance = 1.0;
    constexpr int kIterations = 30;
    for (int i = 0; i < kIterations; ++i) {
      v = cholesky.solve(v);
      variance = v.norm();
      v /= variance;
    }
    length_scale_ = std::sqrt(variance);
  } else {
    map_ = root_.triangularView<Eigen::Lower>()
               .solve(Matrix::Identity(root_.rows(), root_.cols()))
               .transpose();
  }
}

Frame Frame::plain(const Anchor& anchor) { return {anchor, true}; }

Frame Frame::whitened(const Anchor& anchor) { return {anchor, false}; }

Frame Frame::oscillator(const Anchor& anchor, const Matrix& gaussian_precision) {
  Frame frame(anchor, false);
  const Matrix in_frame = frame.map_.transpose() * gaussian_precision * frame.map_;
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(in_frame);
  if (eigen.info() != Eigen::Success) {  // the density is computed from these: none may be made up
    throw Error(ErrorKind::kData, "the bounds' precision has no eigenvalues in double precision",
                message("rescale the columns or use a tighter {}.", Setting{"prior"}));
  }
  frame.frequencies_ = eigen.eigenvalues();
  frame.rotation_ = eigen.eigenvectors();
  frame.map_ = frame.map_ * frame.rotation_;
  return frame;
}

void Frame::to_delta(const Vector& zeta, Vector& delta) const noexcept {
  if (is_plain()) {
    delta = zeta;
  } else {
    delta.noalias() = map_ * zeta;
  }
}

void Frame::to_theta(const Vector& zeta, Vector& theta) const noexcept {
  to_delta(zeta, theta);
  theta += anchor_;
}

void Frame::pull_back(const Vector& theta_gradient, Vector& zeta_gradient) const noexcept {
  if (is_plain()) {
    zeta_gradient = theta_gradient;
  } else {
    zeta_gradient.noalias() = map_.transpose() * theta_gradient;
  }
}

Matrix Frame::pull_back_form(const Matrix& theta_form) const {
  return is_plain() ? theta_form : Matrix(map_.transpose() * theta_form * map_);
}

Matrix Frame::covariance_root() const {
  return is_plain() ? Matrix(root_.triangularView<Eigen::Lower>()
                                 .solve(Matrix::Identity(root_.rows(), root_.cols()))
                                 .transpose())
                    : map_;
}

Vector Frame::from_theta(const Vector& theta) const {
  const Vector delta = theta - anchor_;
  if (is_plain()) {
    return delta;
  }
  const Vector white = root_.transpose() * delta;
  return is_oscillator() ? Vector(rotation_.transpose() * white) : white;
}

void Frame::laplace_draw(const Vector& z, Vector& zeta) const noexcept {
  zeta = z;
  if (is_plain()) {
    root_.triangularView<Eigen::Lower>().transpose().solveInPlace(zeta);
  }
}

double Frame::posterior_norm(const Vector& zeta, Vector& scratch) const noexcept {
  if (!is_plain()) {
    return zeta.norm();
  }
  scratch.noalias() = root_.transpose() * zeta;
  return scratch.norm();
}

double Frame::laplace_log_density(const Vector& zeta, Vector& scratch) const noexcept {
  const double norm = posterior_norm(zeta, scratch);
  return -0.5 * norm * norm;
}

}  // namespace flymc
