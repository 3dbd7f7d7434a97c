#include "groups/group_scales.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace flymc {

GroupScales::GroupScales(std::vector<PriorTerm> priors, std::vector<Index> blocks,
                         SharedLaws shared)
    : prior_(std::move(priors)),
      blocks_(std::move(blocks)),
      shared_(std::move(shared.laws)),
      log_sigma_(shared.log_sigma) {}

GroupScales::GroupScales(std::vector<PriorTerm> priors, bool correlated, SharedLaws shared)
    : GroupScales(std::move(priors), std::vector<Index>{}, std::move(shared)) {
  const Index q = coefficients();
  blocks_ = correlated ? std::vector<Index>{q} : std::vector<Index>(static_cast<std::size_t>(q), 1);
}

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
  Index at = coefficients();
  for (const Index q : blocks_) {
    for (Index i = 1; i < q; ++i) {
      for (Index j = 0; j < i; ++j) {
        const double y = std::abs(psi[at++]);
        // log(1 - tanh^2 y), which does not cancel
        const double log_rest = 2.0 * (std::log(2.0) - y - std::log1p(std::exp(-2.0 * y)));
        sum += (0.5 * static_cast<double>(q - 2 - j) + 1.0) * log_rest;
      }
    }
  }
  return sum;
}

Matrix GroupScales::factor(const Vector& psi) const {
  Matrix k = Matrix::Identity(coefficients(), coefficients());
  Index first = 0;
  Index at = coefficients();
  for (const Index q : blocks_) {
    for (Index i = first + 1; i < first + q; ++i) {
      double rest = 1.0;
      for (Index j = first; j < i; ++j) {
        const double y = psi[at++];
        k(i, j) = std::tanh(y) * rest;
        rest /= std::cosh(std::min(std::abs(y), 350.0));
      }
      k(i, i) = rest;
    }
    first += q;
  }
  for (Index i = 0; i < coefficients(); ++i) {
    k.row(i) *= std::exp(psi[i]);
  }
  return k;
}

void GroupScales::precision(const Vector& psi, Precision& out) const {
  const Index q = coefficients();
  if (correlations() == 0) {
    out.lambda.setZero(q, q);
    out.lambda.diagonal() = (-2.0 * psi.head(q)).array().exp();
    out.log_half = -psi.head(q);
  } else {
    const Matrix half =
        factor(psi).triangularView<Eigen::Lower>().solve(Matrix::Identity(q, q)).eval();
    out.lambda = half.transpose() * half;
    out.log_half = half.diagonal().array().log();
  }
  out.log_det = 2.0 * out.log_half.sum();
}

Vector GroupScales::unbounded(const Matrix& correlation) {
  constexpr double kMost = 0.95;  // beyond, any number would do as well
  const Index q = correlation.rows();
  const Matrix lower = correlation.llt().matrixL();
  Vector out(q * (q - 1) / 2);
  Index at = 0;
  for (Index i = 1; i < q; ++i) {
    double rest = 1.0;
    for (Index j = 0; j < i; ++j) {
      const double partial = rest > 0.0 ? lower(i, j) / std::sqrt(rest) : 0.0;
      out[at++] = std::isfinite(partial) ? std::atanh(std::clamp(partial, -kMost, kMost)) : 0.0;
      rest -= lower(i, j) * lower(i, j);
    }
  }
  return out;
}

Vector GroupScales::natural(const Vector& psi) const {
  Vector out(of_levels());
  out.head(coefficients()) = psi.head(coefficients()).array().exp();
  if (correlations() == 0) {
    return out;
  }
  const Matrix k = factor(psi);
  Index first = 0;
  Index at = coefficients();
  for (const Index q : blocks_) {
    for (Index i = first + 1; i < first + q; ++i) {
      for (Index j = first; j < i; ++j) {
        out[at++] = k.row(i).dot(k.row(j)) / (k.row(i).norm() * k.row(j).norm());
      }
    }
    first += q;
  }
  return out;
}

}  // namespace flymc
