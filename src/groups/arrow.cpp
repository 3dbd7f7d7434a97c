#include "groups/arrow.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

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

// L' v and L v in place.
void times_transposed(const double* l, std::size_t n, double* v) noexcept {
  for (std::size_t i = 0; i < n; ++i) {  // what is read is still as it was
    double sum = 0.0;
    for (std::size_t j = i; j < n; ++j) {
      sum += l[j * n + i] * v[j];
    }
    v[i] = sum;
  }
}

void times_lower(const double* l, std::size_t n, double* v) noexcept {
  for (std::size_t i = n; i-- > 0;) {
    double sum = 0.0;
    for (std::size_t j = 0; j <= i; ++j) {
      sum += l[i * n + j] * v[j];
    }
    v[i] = sum;
  }
}

// L of L L' = I + K' D K; false where there is none. `product` is for D K.
bool factor_block(const double* d, const double* k, std::size_t n, double* product,
                  double* l) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0.0;
      for (std::size_t m = j; m < n; ++m) {
        sum += d[i * n + m] * k[m * n + j];
      }
      product[i * n + j] = sum;
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = i == j ? 1.0 : 0.0;
      for (std::size_t m = i; m < n; ++m) {
        sum += k[m * n + i] * product[m * n + j];
      }
      l[i * n + j] = sum;
    }
  }
  return cholesky(l, n);
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
      r(of.fixed),
      t(of.levels * static_cast<std::size_t>(of.varying * of.shared)),
      v(of.fixed, of.shared),
      shared_slope(of.shared),
      shared_bend(of.shared, of.shared) {
  clear();
}

void ArrowSums::clear() {
  std::ranges::fill(d, 0.0);
  std::ranges::fill(c, 0.0);
  std::ranges::fill(b, 0.0);
  s.setZero();
  r.setZero();
  std::ranges::fill(t, 0.0);
  v.setZero();
  shared_slope.setZero();
  shared_bend.setZero();
}

void ArrowSums::centre(const GroupAnchor& anchor) {
  const auto q = static_cast<std::size_t>(shape.varying);
  const auto p = static_cast<std::size_t>(shape.fixed);
  const auto m = static_cast<std::size_t>(shape.shared);
  for (std::size_t g = 0; g < shape.levels; ++g) {
    const double* const u = anchor.u.data() + g * q;
    for (std::size_t i = 0; i < q; ++i) {
      for (std::size_t j = 0; j < q; ++j) {
        b[g * q + i] += d[(g * q + i) * q + j] * u[j];
      }
      for (std::size_t j = 0; j < p; ++j) {
        r[static_cast<Index>(j)] += c[(g * q + i) * p + j] * u[i];
      }
      for (std::size_t j = 0; j < m; ++j) {
        shared_slope[static_cast<Index>(j)] += t[(g * q + i) * m + j] * u[i];
      }
    }
  }
}

ArrowFrame::ArrowFrame(const ArrowShape& shape)
    : levels_(shape.levels),
      q_(static_cast<std::size_t>(shape.varying)),
      p_(static_cast<std::size_t>(shape.fixed)),
      qq_(q_ * q_),
      qp_(q_ * p_),
      k_(qq_),
      l_(levels_ * qq_),
      product_(qq_),
      x_(levels_ * qp_),
      y_(levels_ * q_),
      schur_(shape.fixed, shape.fixed),
      y_b_(shape.fixed) {}

// L_g, X_g and y_g.
bool ArrowFrame::factor_level(const ArrowSums& sums, const Vector& shared, std::size_t g) {
  double* const l = l_.data() + g * qq_;
  double* const x = x_.data() + g * qp_;
  double* const y = y_.data() + g * q_;
  const double* const c = sums.c.data() + g * qp_;
  if (!factor_block(sums.d.data() + g * qq_, k_.data(), q_, product_.data(), l)) {
    return false;
  }
  for (std::size_t i = 0; i < q_; ++i) {
    y[i] = sums.b[g * q_ + i];
    for (Index j = 0; j < shared.size(); ++j) {
      y[i] -= sums.t[(g * q_ + i) * static_cast<std::size_t>(shared.size()) +
                     static_cast<std::size_t>(j)] *
              shared[j];
    }
  }
  times_transposed(k_.data(), q_, y);
  solve_lower(l, q_, y);
  for (std::size_t i = 0; i < q_; ++i) {
    double* const row = x + i * p_;
    std::fill_n(row, p_, 0.0);
    for (std::size_t j = i; j < q_; ++j) {  // K' C
      const double scale = k_[j * q_ + i];
      for (std::size_t k = 0; k < p_; ++k) {
        row[k] += scale * c[j * p_ + k];
      }
    }
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
                        const Matrix& scales, const Vector& shared) {
  if (!scales.allFinite() || !(scales.diagonal().array() > 0.0).all()) {
    return false;
  }
  u_hat_ = anchor.u.data();
  RowMatrixView(k_.data(), scales.rows(), scales.cols()) = scales;
  schur_ = sums.s;
  schur_.diagonal() += prior.precision;
  y_b_ = sums.r - prior.precision.cwiseProduct(anchor.beta - prior.mean);
  double of_shared = 0.0;
  if (shared.size() > 0) {
    y_b_ -= sums.v * shared;
    of_shared = sums.shared_slope.dot(shared) -
                0.5 * shared.dot(sums.shared_bend.selfadjointView<Eigen::Lower>() * shared);
  }
  LogProduct determinant;
  double squares = 0.0;
  for (std::size_t g = 0; g < levels_; ++g) {
    if (!factor_level(sums, shared, g)) {
      return false;
    }
    for (std::size_t i = 0; i < q_; ++i) {
      const double yi = y(g)[i];
      determinant.multiply(l(g)[i * q_ + i]);
      squares += yi * yi;
    }
  }
  const auto p = static_cast<Index>(p_);
  const auto rows = static_cast<Index>(levels_ * q_);
  const ConstRowMatrixView all_x(x_.data(), rows, p);
  schur_.selfadjointView<Eigen::Lower>().rankUpdate(all_x.transpose(), -1.0);
  y_b_ -= all_x.transpose() * ConstVectorView(y_.data(), rows);
  least_share_ = 1.0;
  for (Index j = 0; j < p; ++j) {  // right-looking, by columns
    const double pivot = schur_(j, j);
    if (!(pivot > 0.0)) {
      return false;
    }
    least_share_ = std::min(least_share_, pivot / (sums.s(j, j) + prior.precision[j]));
    schur_.col(j).tail(p - j) /= std::sqrt(pivot);
    for (Index k = j + 1; k < p; ++k) {
      schur_.col(k).tail(p - k) -= schur_(k, j) * schur_.col(j).tail(p - k);
    }
    determinant.multiply(schur_(j, j));
  }
  pull_fixed(y_b_.data());
  log_det_ = determinant.log();
  log_z_ = 0.5 * (squares + y_b_.squaredNorm()) - log_det_ + of_shared;
  half_log_det_ = log_det_ - static_cast<double>(levels_) * scales.diagonal().array().log().sum();
  return std::isfinite(log_z_);
}

void ArrowFrame::fixed_from(const double* zeta_b, Vector& dbeta) const {
  dbeta = y_b_ + ConstVectorView(zeta_b, y_b_.size());
  schur_.triangularView<Eigen::Lower>().transpose().solveInPlace(dbeta);
}

double ArrowFrame::coefficients_from(std::size_t g, const double* zeta_g, const double* dbeta,
                                     double* u) const noexcept {
  for (std::size_t i = 0; i < q_; ++i) {
    double sum = y(g)[i] + zeta_g[i];
    const double* const row = x(g) + i * p_;
    for (std::size_t k = 0; k < p_; ++k) {
      sum -= row[k] * dbeta[k];
    }
    u[i] = sum;
  }
  solve_transposed(l(g), q_, u);
  double norm2 = 0.0;
  for (std::size_t i = q_; i-- > 0;) {
    norm2 += u[i] * u[i];
  }
  times_lower(k_.data(), q_, u);  // u = K v
  return norm2;
}

void ArrowFrame::level_from(std::size_t g, const double* zeta_g, const double* dbeta,
                            double* du) const noexcept {
  coefficients_from(g, zeta_g, dbeta, du);
  for (std::size_t i = 0; i < q_; ++i) {
    du[i] -= u_hat_[g * q_ + i];
  }
}

void ArrowFrame::to_fixed(const Vector& dbeta, double* zeta_b) const {
  VectorView(zeta_b, y_b_.size()) =
      schur_.triangularView<Eigen::Lower>().transpose() * dbeta - y_b_;
}

void ArrowFrame::to_level(std::size_t g, const double* du, const double* dbeta,
                          double* zeta_g) const noexcept {
  for (std::size_t i = 0; i < q_; ++i) {
    zeta_g[i] = u_hat_[g * q_ + i] + du[i];
  }
  solve_lower(k_.data(), q_, zeta_g);
  for (std::size_t i = 0; i < q_; ++i) {
    double sum = -y(g)[i];
    for (std::size_t j = i; j < q_; ++j) {  // L' is upper triangular
      sum += l(g)[j * q_ + i] * zeta_g[j];
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
  std::array<double, kMostVarying> v;
  std::copy_n(du, q_, v.data());
  solve_lower(k_.data(), q_, v.data());
  double norm2 = 0.0;
  for (std::size_t i = 0; i < q_; ++i) {
    double sum = 0.0;
    for (std::size_t j = i; j < q_; ++j) {
      sum += l(g)[j * q_ + i] * v[j];
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

void ArrowFrame::pull_level(std::size_t g, double* v) const noexcept {
  times_transposed(k_.data(), q_, v);
  solve_lower(l(g), q_, v);
}

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

// --- fixed effects held ---

// What scales are left with, level after level.
class HeldArrow::Left {
 public:
  // A number of y_g, and of the diagonal of L_g.
  void add(double y, double pivot) noexcept {
    squares_ += y * y;
    determinant_.multiply(pivot);
  }
  // A number of v_g.
  void add_prior(double v) noexcept { prior_ += v * v; }
  [[nodiscard]] double value() const noexcept { return 0.5 * squares_ - determinant_.log(); }
  [[nodiscard]] double without_rows() const noexcept { return -0.5 * prior_ - determinant_.log(); }

 private:
  double squares_ = 0.0;
  double prior_ = 0.0;
  LogProduct determinant_;
};

HeldArrow::HeldArrow(const ArrowSums& sums, const GroupAnchor& anchor)
    : sums_(sums),
      anchor_(anchor),
      q_(static_cast<std::size_t>(sums.shape.varying)),
      k_(q_ * q_),
      e_(sums.b.size()),
      zeta_(sums.b.size()),
      l_(q_ * q_),
      product_(q_ * q_),
      y_(q_) {}

// L_g and y_g.
bool HeldArrow::factor_level(std::size_t g, Left& left) noexcept {
  if (!factor_block(sums_.d.data() + g * q_ * q_, k_.data(), q_, product_.data(), l_.data())) {
    return false;
  }
  std::copy_n(e_.data() + g * q_, q_, y_.data());
  times_transposed(k_.data(), q_, y_.data());
  solve_lower(l_.data(), q_, y_.data());
  for (std::size_t i = 0; i < q_; ++i) {
    left.add(y_[i], l_[i * q_ + i]);
  }
  return true;
}

HeldArrow::Intercept HeldArrow::factor_intercept(std::size_t g, Left& left) const noexcept {
  const double sd = k_[0];
  const double root = std::sqrt(1.0 + sd * sums_.d[g] * sd);
  const double pull = sd / root;
  left.add(pull * e_[g], root);
  return {pull, pull * e_[g]};
}

double HeldArrow::hold(const Vector& dbeta, const Vector& shared, const Matrix& scales,
                       const double* du) {
  RowMatrixView(k_.data(), scales.rows(), scales.cols()) = scales;
  const auto rows = static_cast<Index>(e_.size());
  VectorView(e_.data(), rows) = ConstVectorView(sums_.b.data(), rows);
  VectorView(e_.data(), rows) -= ConstRowMatrixView(sums_.c.data(), rows, dbeta.size()) * dbeta;
  if (shared.size() > 0) {
    VectorView(e_.data(), rows) -= ConstRowMatrixView(sums_.t.data(), rows, shared.size()) * shared;
  }
  Left left;
  for (std::size_t g = 0; g < sums_.shape.levels; ++g) {
    double* const zeta = zeta_.data() + g * q_;
    for (std::size_t i = 0; i < q_; ++i) {
      zeta[i] = anchor_.u[g * q_ + i] + du[g * q_ + i];
    }
    if (q_ == 1) {
      const Intercept at = factor_intercept(g, left);
      left.add_prior(zeta[0] / k_[0]);
      zeta[0] = zeta[0] / at.pull - at.y;
      continue;
    }
    if (!factor_level(g, left)) {
      return std::numeric_limits<double>::quiet_NaN();
    }
    solve_lower(k_.data(), q_, zeta);
    std::for_each_n(zeta, q_, [&](double v) { left.add_prior(v); });
    times_transposed(l_.data(), q_, zeta);
    for (std::size_t i = 0; i < q_; ++i) {
      zeta[i] -= y_[i];
    }
  }
  without_rows_ = left.without_rows();
  return left.value();
}

double HeldArrow::move(const Matrix& scales, double* du) {
  if (!scales.allFinite() || !(scales.diagonal().array() > 0.0).all()) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  RowMatrixView(k_.data(), scales.rows(), scales.cols()) = scales;
  Left left;
  for (std::size_t g = 0; g < sums_.shape.levels; ++g) {
    double* const u = du + g * q_;
    if (q_ == 1) {
      const Intercept at = factor_intercept(g, left);
      u[0] = at.pull * (at.y + zeta_[g]) - anchor_.u[g];
      left.add_prior((u[0] + anchor_.u[g]) / k_[0]);
      continue;
    }
    if (!factor_level(g, left)) {
      return std::numeric_limits<double>::quiet_NaN();
    }
    for (std::size_t i = 0; i < q_; ++i) {
      u[i] = y_[i] + zeta_[g * q_ + i];
    }
    solve_transposed(l_.data(), q_, u);
    std::for_each_n(u, q_, [&](double v) { left.add_prior(v); });
    times_lower(k_.data(), q_, u);
    for (std::size_t i = 0; i < q_; ++i) {
      u[i] -= anchor_.u[g * q_ + i];
    }
  }
  without_rows_ = left.without_rows();
  return left.value();
}

}  // namespace flymc
