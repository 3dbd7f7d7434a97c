// The Gaussian that collapsed tangents make with group effects. Its precision is an arrow: blocks
// by level on the diagonal, each tied to the fixed effects alone.
//
// With du, dbeta from the anchor, sums over rows of curvature k and slope s at the anchor
//   D_g = sum k w w',  C_g = sum k w x',  b_g = sum s w,   S = sum k x x',  r = sum s x,
// and Lambda = Sigma(psi)^-1, the prior of beta normal with precision B (diagonal) and mean m:
//   L_g L_g' = D_g + Lambda,   X_g = L_g^-1 C_g,   y_g = L_g^-1 (b_g - Lambda u_g),
//   L_b L_b' = S + B - sum X_g' X_g,   y_b = L_b^-1 (r - B (beta - m) - sum X_g' y_g),
//   dbeta = L_b^-T (y_b + zeta_b),     du_g = L_g^-T (y_g + zeta_g - X_g dbeta),
// zeta is standard normal, and what is left is
//   log Z(psi) = G/2 log|Lambda| - sum log|L_g| - log|L_b| + 1/2 (sum |y_g|^2 + |y_b|^2)
//                - 1/2 sum u_g'Lambda u_g,
// u_g and beta at the anchor: the prior is not centred there.
// See docs/method/groups.md, The arrow.
#pragma once

#include "flymc/detail/core/buffer.hpp"
#include "flymc/detail/core/linalg.hpp"
#include "groups/group_scales.hpp"

namespace flymc {

// G levels of q coefficients, p fixed effects.
struct ArrowShape {
  std::size_t levels = 0;
  Index varying = 1;
  Index fixed = 0;
};

// Normal, by coordinates.
struct FixedPrior {
  Vector mean;
  Vector precision;  // 0: flat
};

struct GroupAnchor {
  Vector beta;
  Buffer<double> u;  // level by level
};

struct ArrowSums {
  explicit ArrowSums(const ArrowShape& shape);
  void clear();

  ArrowShape shape;
  Buffer<double> d;  // q x q a level
  Buffer<double> c;  // q x p a level, by rows
  Buffer<double> b;  // q a level
  Matrix s;          // its lower triangle
  Vector r;
};

class ArrowFrame {
 public:
  explicit ArrowFrame(const ArrowShape& shape);

  // False where a block is not positive definite; the frame is then of no use. O(G q (p + q)^2).
  [[nodiscard]] bool factor(const ArrowSums& sums, const FixedPrior& prior,
                            const GroupAnchor& anchor, const GroupScales::Precision& precision);

  [[nodiscard]] double log_z() const noexcept { return log_z_; }
  // Of the precision: log|d theta / d zeta| = -half_log_det.
  [[nodiscard]] double half_log_det() const noexcept { return half_log_det_; }

  void fixed_from(const double* zeta_b, Vector& dbeta) const;
  void level_from(std::size_t g, const double* zeta_g, const double* dbeta,
                  double* du) const noexcept;
  // Back again.
  void to_fixed(const Vector& dbeta, double* zeta_b) const;
  void to_level(std::size_t g, const double* du, const double* dbeta,
                double* zeta_g) const noexcept;

  // |L_g' du + X_g dbeta|^2 and |L_b' dbeta|^2: how far a level, or the fixed effects, are from the
  // anchor in standard deviations of their own.
  [[nodiscard]] double level_norm2(std::size_t g, const double* du,
                                   const double* dbeta) const noexcept;
  [[nodiscard]] double fixed_norm2(const double* dbeta) const noexcept;

  // L_g^-1 v in place: from a force on u_g to one on zeta_g; and what a force on zeta_g takes off
  // that on beta, which moves u_g along.
  void pull_level(std::size_t g, double* v) const noexcept;
  void take_tied(std::size_t g, const double* pulled, double* on_beta) const noexcept;
  // L_b^-1 v in place.
  void pull_fixed(double* v) const noexcept;

  // y_g and y_b: how far off the mean is, in standard deviations.
  [[nodiscard]] double largest_offset() const noexcept;

 private:
  [[nodiscard]] const double* l(std::size_t g) const noexcept { return l_.data() + g * qq_; }
  [[nodiscard]] const double* x(std::size_t g) const noexcept { return x_.data() + g * qp_; }
  [[nodiscard]] const double* y(std::size_t g) const noexcept { return y_.data() + g * q_; }
  [[nodiscard]] bool factor_level(const ArrowSums& sums, const Matrix& lambda, const double* u_hat,
                                  std::size_t g, double& tied);

  std::size_t levels_;
  std::size_t q_;
  std::size_t p_;
  std::size_t qq_;
  std::size_t qp_;
  Buffer<double> l_;  // lower triangles, by rows
  Buffer<double> x_;
  Buffer<double> y_;
  Matrix schur_;  // L_b, by columns
  Vector y_b_;
  double log_z_ = 0.0;
  double half_log_det_ = 0.0;
};

}  // namespace flymc
