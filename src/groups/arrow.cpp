#include "groups/arrow.hpp"

#include <algorithm>
#include <cmath>

namespace flymc {
namespace {

// Triangles of a few rows, by rows: L v = b and L' v = b in place.
void solve_lower(const double* l, std::size_t n, double* v) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    double sum = v[i];
    for (std::size_t k = 0; k < i; ++k) {
      sum -= l[i * n + k] * v[k];
    }
    v[i] = sum / l[i * n + i];
  }
}
void solve_transposed(const double* l, std::size_t n, double* v) noexcept {
  for (std::size_t i = n; i-- > 0;) {
    double sum = v[i];
    for (std::size_t k = i + 1; k < n; ++k) {
      sum -= l[k * n + i] * v[k];
    }
    v[i] = sum / l[i * n + i];
  }
}

// In place; false where it is not positive definite.
bool cholesky(double* a, std::size_t n) noexcept {
  for (std::size_t j = 0; j < n; ++j) {
    double pivot = a[j * n + j];
    for (std::size_t k = 0; k < j; ++k) {
      pivot -= a[j * n + k] * a[j * n + k];
    }
    if (!(pivot > 0.0)) {
      return false;
    }
    const double root = std::sqrt(pivot);
    a[j * n + j] = root;
    for (std::size_t i = j + 1; i < n; ++i) {
      double sum = a[i * n + j];
      for (std::size_t k = 0; k < j; ++k) {
        sum -= a[i * n + k] * a[j * n + k];
      }
      a[i * n + j] = sum / root;
    }
  }
  return true;
}

// The logarithm of a product, without one for every factor.
class LogProduct {
 public:
  void multiply(double factor) noexcept {
    product_ *= factor;
    if (!(product_ < 1e100 && product_ > 1e-100)) {
      sum_ += std::log(product_);
      product_ = 1.0;
    }
  }
  [[nodiscard]] double log() const noexcept { return sum_ + std::log(product_); }

 private:
  double sum_ = 0.0;
  double product_ = 1.0;
};

}  // namespace

ArrowSums::ArrowSums(const ArrowShape& of)
    : shape(of),
      d(of.levels * static_cast<std::size_t>(of.varying * of.varying)),
      c(of.levels * static_cast<std::size_t>(of.varying * of.fixed)),
      b(of.levels * static_cast<std::size_t>(of.varying)),
      s(of.fixed, of.fixed),
      r(of.fixed) {
  clear();
}

void ArrowSums::clear() {
  std::ranges::fill(d, 0.0);
  std::ranges::fill(c, 0.0);
  std::ranges::fill(b, 0.0);
  s.setZero();
  r.setZero();
}

ArrowFrame::ArrowFrame(const ArrowShape& shape)
    : levels_(shape.levels),
      q_(static_cast<std::size_t>(shape.varying)),
      p_(static_cast<std::size_t>(shape.fixed)),
      qq_(q_ * q_),
      qp_(q_ * p_),
      l_(levels_ * qq_),
      x_(levels_ * qp_),
      y_(levels_ * q_),
      schur_(shape.fixed, shape.fixed),
      y_b_(shape.fixed) {}

// L_g, X_g and y_g; `tied` becomes u'Lambda u.
bool ArrowFrame::factor_level(const ArrowSums& sums, const Matrix& lambda, const double* u_hat,
                              std::size_t g, double& tied) {
  double* const l = l_.data() + g * qq_;
  double* const x = x_.data() + g * qp_;
  double* const y = y_.data() + g * q_;
  const double* const d = sums.d.data() + g * qq_;
  const double* const c = sums.c.data() + g * qp_;
  tied = 0.0;
  for (std::size_t i = 0; i < q_; ++i) {
    double pulled = 0.0;
    for (std::size_t j = 0; j < q_; ++j) {
      const double of_prior = lambda(static_cast<Index>(i), static_cast<Index>(j));
      l[i * q_ + j] = d[i * q_ + j] + of_prior;
      pulled += of_prior * u_hat[j];
    }
    y[i] = sums.b[g * q_ + i] - pulled;
    tied += pulled * u_hat[i];
  }
  if (!cholesky(l, q_)) {
    return false;
  }
  solve_lower(l, q_, y);
  for (std::size_t i = 0; i < q_; ++i) {
    double* const row = x + i * p_;
    std::copy_n(c + i * p_, p_, row);
    for (std::size_t j = 0; j < i; ++j) {
      const double below = l[i * q_ + j];
      for (std::size_t k = 0; k < p_; ++k) {
        row[k] -= below * x[j * p_ + k];
      }
    }
    const double inverse = 1.0 / l[i * q_ + i];
    for (std::size_t k = 0; k < p_; ++k) {
      row[k] *= inverse;
    }
  }
  return true;
}

bool ArrowFrame::factor(const ArrowSums& sums, const FixedPrior& prior, const GroupAnchor& anchor,
                        const GroupScales::Precision& precision) {
  schur_ = sums.s;
  schur_.diagonal() += prior.precision;
  const Vector off = anchor.beta - prior.mean;
  y_b_ = sums.r - prior.precision.cwiseProduct(off);
  LogProduct determinant;
  double squares = 0.0;
  double ties = prior.precision.dot(off.cwiseAbs2());
  for (std::size_t g = 0; g < levels_; ++g) {
    double tied = 0.0;
    if (!factor_level(sums, precision.lambda, anchor.u.data() + g * q_, g, tied)) {
      return false;
    }
    ties += tied;
    for (std::size_t i = 0; i < q_; ++i) {
      const double* const row = x(g) + i * p_;
      const double yi = y(g)[i];
      determinant.multiply(l(g)[i * q_ + i]);
      squares += yi * yi;
      for (std::size_t k = 0; k < p_; ++k) {
        y_b_[static_cast<Index>(k)] -= row[k] * yi;
        double* const column = schur_.col(static_cast<Index>(k)).data();
        for (std::size_t j = k; j < p_; ++j) {
          column[j] -= row[k] * row[j];
        }
      }
    }
  }
  const auto p = static_cast<Index>(p_);
  for (Index j = 0; j < p; ++j) {  // right-looking, by columns
    const double pivot = schur_(j, j);
    if (!(pivot > 0.0)) {
      return false;
    }
    schur_.col(j).tail(p - j) /= std::sqrt(pivot);
    for (Index k = j + 1; k < p; ++k) {
      schur_.col(k).tail(p - k) -= schur_(k, j) * schur_.col(j).tail(p - k);
    }
    determinant.multiply(schur_(j, j));
  }
  pull_fixed(y_b_.data());
  half_log_det_ = determinant.log();
  log_z_ = 0.5 * (static_cast<double>(levels_) * precision.log_det + squares + y_b_.squaredNorm() -
                  ties) -
           half_log_det_;
  return std::isfinite(log_z_);
}

void ArrowFrame::fixed_from(const double* zeta_b, Vector& dbeta) const {
  dbeta = y_b_ + ConstVectorView(zeta_b, y_b_.size());
  schur_.triangularView<Eigen::Lower>().transpose().solveInPlace(dbeta);
}

void ArrowFrame::level_from(std::size_t g, const double* zeta_g, const double* dbeta,
                            double* du) const noexcept {
  for (std::size_t i = 0; i < q_; ++i) {
    double sum = y(g)[i] + zeta_g[i];
    const double* const row = x(g) + i * p_;
    for (std::size_t k = 0; k < p_; ++k) {
      sum -= row[k] * dbeta[k];
    }
    du[i] = sum;
  }
  solve_transposed(l(g), q_, du);
}

void ArrowFrame::to_fixed(const Vector& dbeta, double* zeta_b) const {
  VectorView(zeta_b, y_b_.size()) =
      schur_.triangularView<Eigen::Lower>().transpose() * dbeta - y_b_;
}

void ArrowFrame::to_level(std::size_t g, const double* du, const double* dbeta,
                          double* zeta_g) const noexcept {
  for (std::size_t i = 0; i < q_; ++i) {
    double sum = -y(g)[i];
    for (std::size_t j = i; j < q_; ++j) {
      sum += l(g)[j * q_ + i] * du[j];
    }
    const double* const row = x(g) + i * p_;
    for (std::size_t k = 0; k < p_; ++k) {
      sum += row[k] * dbeta[k];
    }
    zeta_g[i] = sum;
  }
}

double ArrowFrame::level_norm2(std::size_t g, const double* du,
                               const double* dbeta) const noexcept {
  double norm2 = 0.0;
  for (std::size_t i = 0; i < q_; ++i) {
    double sum = 0.0;
    for (std::size_t j = i; j < q_; ++j) {
      sum += l(g)[j * q_ + i] * du[j];
    }
    const double* const row = x(g) + i * p_;
    for (std::size_t k = 0; k < p_; ++k) {
      sum += row[k] * dbeta[k];
    }
    norm2 += sum * sum;
  }
  return norm2;
}

double ArrowFrame::fixed_norm2(const double* dbeta) const noexcept {
  double norm2 = 0.0;
  for (Index j = 0; j < schur_.cols(); ++j) {
    double sum = 0.0;
    for (Index i = j; i < schur_.rows(); ++i) {
      sum += schur_(i, j) * dbeta[i];
    }
    norm2 += sum * sum;
  }
  return norm2;
}

void ArrowFrame::pull_level(std::size_t g, double* v) const noexcept { solve_lower(l(g), q_, v); }

void ArrowFrame::take_tied(std::size_t g, const double* pulled, double* on_beta) const noexcept {
  for (std::size_t i = 0; i < q_; ++i) {
    const double* const row = x(g) + i * p_;
    for (std::size_t k = 0; k < p_; ++k) {
      on_beta[k] -= row[k] * pulled[i];
    }
  }
}

void ArrowFrame::pull_fixed(double* v) const noexcept {
  for (Index j = 0; j < schur_.cols(); ++j) {
    v[j] /= schur_(j, j);
    for (Index i = j + 1; i < schur_.rows(); ++i) {
      v[i] -= schur_(i, j) * v[j];
    }
  }
}

double ArrowFrame::largest_offset() const noexcept {
  double largest = y_b_.norm();
  for (const double y : y_) {
    largest = std::max(largest, std::abs(y));
  }
  return largest;
}

}  // namespace flymc
