#include "groups/group_scales.hpp"

#include <cmath>
#include <utility>

namespace flymc {

GroupScales::GroupScales(std::vector<PriorTerm> priors, bool correlated, SharedLaws shared)
    : prior_(std::move(priors)),
      correlated_(correlated && prior_.dimension() > 1),
      shared_(std::move(shared.laws)),
      log_sigma_(shared.log_sigma) {}

Vector GroupScales::start() const {
  Vector psi = Vector::Zero(size());
  for (Index j = 0; j < coefficients(); ++j) {
    psi[j] = std::log(0.5 * prior_.terms()[static_cast<std::size_t>(j)].scale);
  }
  psi.tail(shared()) = shared_.start();
  return psi;
}

double GroupScales::log_prior(const Vector& psi) const {
  return log_prior_of_levels(psi) + log_prior_of_shared(psi.tail(shared()));
}

double GroupScales::log_prior_of_levels(const Vector& psi) const {
  double sum = prior_.log_density(psi.head(coefficients()));
  if (correlated_) {
    const auto q = static_cast<double>(coefficients());
    Index at = coefficients();
    for (Index i = 1; i < coefficients(); ++i) {
      for (Index j = 0; j < i; ++j) {
        const double y = std::abs(psi[at++]);
        // log(1 - tanh^2 y), which does not cancel
        const double log_rest = 2.0 * (std::log(2.0) - y - std::log1p(std::exp(-2.0 * y)));
        sum += (0.5 * (q - 2.0 - static_cast<double>(j)) + 1.0) * log_rest;
      }
    }
  }
  return sum;
}

Matrix GroupScales::factor(const Vector& psi) const {
  const Index q = coefficients();
  Matrix k = Matrix::Identity(q, q);
  if (correlated_) {
    Index at = q;
    for (Index i = 1; i < q; ++i) {
      double rest = 1.0;
      for (Index j = 0; j < i; ++j) {
        const double y = psi[at++];
        k(i, j) = std::tanh(y) * rest;
        rest /= std::cosh(std::min(std::abs(y), 350.0));
      }
      k(i, i) = rest;
    }
  }
  for (Index i = 0; i < q; ++i) {
    k.row(i) *= std::exp(psi[i]);
  }
  return k;
}

void GroupScales::precision(const Vector& psi, Precision& out) const {
  const Index q = coefficients();
  if (!correlated_) {
    out.lambda.setZero(q, q);
    out.log_det = 0.0;
    for (Index i = 0; i < q; ++i) {
      out.lambda(i, i) = std::exp(-2.0 * psi[i]);
      out.log_det -= 2.0 * psi[i];
    }
    return;
  }
  const Matrix half =
      factor(psi).triangularView<Eigen::Lower>().solve(Matrix::Identity(q, q)).eval();
  out.lambda = half.transpose() * half;
  out.log_det = 2.0 * half.diagonal().array().log().sum();
}

Vector GroupScales::natural(const Vector& psi) const {
  Vector out(of_levels());
  out.head(coefficients()) = psi.head(coefficients()).array().exp();
  if (correlated_) {
    const Matrix k = factor(psi);
    Index at = coefficients();
    for (Index i = 1; i < coefficients(); ++i) {
      for (Index j = 0; j < i; ++j) {
        out[at++] = k.row(i).dot(k.row(j)) / (k.row(i).norm() * k.row(j).norm());
      }
    }
  }
  return out;
}

}  // namespace flymc
