// The Gaussian that collapsed tangents make with group effects. Its precision is an arrow: blocks
// by level on the diagonal, each tied to the fixed effects alone.
//
// Levels are u_g = K v_g with v_g standard normal a priori, K K' = Sigma(psi): scales near zero and
// correlations near one then cost no digits. With sums over rows of curvature k and slope s at the
// anchor (beta^, u^), taken about u = 0,
//   D_g = sum k w w',  C_g = sum k w x',  b_g = sum s w + D_g u^_g,
//   S = sum k x x',  r = sum s x + sum C_g' u^_g,
// and the prior of beta normal with precision P (diagonal) and mean m:
//   L_g L_g' = I + K' D_g K,   X_g = L_g^-1 K' C_g,   y_g = L_g^-1 K' b_g,
//   L_b L_b' = S + P - sum X_g' X_g,   y_b = L_b^-1 (r - P (beta^ - m) - sum X_g' y_g),
//   dbeta = L_b^-T (y_b + zeta_b),     u_g = K L_g^-T (y_g + zeta_g - X_g dbeta),
// zeta is standard normal, and what is left, up to a constant, is
//   log Z(psi) = - sum log|L_g| - log|L_b| + 1/2 (sum |y_g|^2 + |y_b|^2).
//
// Parameters alpha that all rows share (row_model.hpp) bend it: with da from the anchor, and sums
// over rows of the curvatures of alpha with the predictor, k_a, and with itself, k_aa,
//   T_g = sum k_a w',  V = sum k_a x',  s_a = sum of slopes in alpha + sum T_g u^_g,
// b_g and r lose T_g' da and V' da, and log Z gains s_a.da - 1/2 da' (sum k_aa) da.
// See docs/method/groups.md, The arrow.
#pragma once

#include "flymc/detail/core/buffer.hpp"
#include "flymc/detail/core/linalg.hpp"
#include "groups/group_scales.hpp"
#include "groups/grouping.hpp"

namespace flymc {

// G levels of q coefficients, p fixed effects, m shared parameters.
struct ArrowShape {
  std::size_t levels = 0;
  Index varying = 1;
  Index fixed = 0;
  Index shared = 0;
};

// Normal, by coordinates.
struct FixedPrior {
  Vector mean;
  Vector precision;  // 0: flat
};

struct GroupAnchor {
  Vector beta;
  Buffer<double> u;  // level by level
  Vector shared{};
};

struct ArrowSums {
  explicit ArrowSums(const ArrowShape& shape);
  void clear();
  // From slopes at the anchor to those at u = 0: what a frame is made of.
  void centre(const GroupAnchor& anchor);

  ArrowShape shape;
  Buffer<double> d;  // q x q a level
  Buffer<double> c;  // q x p a level, by rows
  Buffer<double> b;  // q a level
  Matrix s;          // its lower triangle
  Vector r;
  Buffer<double> t;     // q x m a level, by rows
  Matrix v;             // p x m
  Vector shared_slope;  // s_a
  Matrix shared_bend;   // sum k_aa, its lower triangle
};

class ArrowFrame {
 public:
  explicit ArrowFrame(const ArrowShape& shape);

  // `scales`: K. False where it, or a block, is not positive definite; the frame is then of no use.
  // O(G q (p + q)^2). REQUIRES: centred sums; the anchor outlives the frame's use.
  // `shared`: da; of no size: 0.
  [[nodiscard]] bool factor(const ArrowSums& sums, const FixedPrior& prior,
                            const GroupAnchor& anchor, const Matrix& scales,
                            const Vector& shared = {});

  [[nodiscard]] double log_z() const noexcept { return log_z_; }
  // sum log|L_g| + log|L_b|.
  [[nodiscard]] double log_det() const noexcept { return log_det_; }
  // The least share of a fixed effect's precision that is left once levels have taken theirs: a
  // difference, whose relative error is about 1e-16 of its inverse.
  [[nodiscard]] double least_share() const noexcept { return least_share_; }
  // Of the precision: log|d theta / d zeta| = -half_log_det.
  [[nodiscard]] double half_log_det() const noexcept { return half_log_det_; }

  void fixed_from(const double* zeta_b, Vector& dbeta) const;
  void level_from(std::size_t g, const double* zeta_g, const double* dbeta,
                  double* du) const noexcept;
  // u_g itself; returns |v_g|^2, its square in units of its prior.
  double coefficients_from(std::size_t g, const double* zeta_g, const double* dbeta,
                           double* u) const noexcept;
  // Back again.
  void to_fixed(const Vector& dbeta, double* zeta_b) const;
  void to_level(std::size_t g, const double* du, const double* dbeta,
                double* zeta_g) const noexcept;

  // |L_g' K^-1 du + X_g dbeta|^2 and |L_b' dbeta|^2: how far a level, or the fixed effects, are
  // from the anchor in standard deviations of their own.
  [[nodiscard]] double level_norm2(std::size_t g, const double* du,
                                   const double* dbeta) const noexcept;
  [[nodiscard]] double fixed_norm2(const double* dbeta) const noexcept;

  // L_g^-1 K' v in place: from a force on u_g to one on zeta_g; and what a force on zeta_g takes
  // off that on beta, which moves u_g along.
  void pull_level(std::size_t g, double* v) const noexcept;
  void take_tied(std::size_t g, const double* pulled, double* on_beta) const noexcept;
  // L_b^-1 v in place.
  void pull_fixed(double* v) const noexcept;

 private:
  [[nodiscard]] const double* l(std::size_t g) const noexcept { return l_.data() + g * qq_; }
  [[nodiscard]] const double* x(std::size_t g) const noexcept { return x_.data() + g * qp_; }
  [[nodiscard]] const double* y(std::size_t g) const noexcept { return y_.data() + g * q_; }
  [[nodiscard]] bool factor_level(const ArrowSums& sums, const Vector& shared, std::size_t g);

  std::size_t levels_;
  std::size_t q_;
  std::size_t p_;
  std::size_t qq_;
  std::size_t qp_;
  Buffer<double> k_;  // K, its lower triangle, by rows
  const double* u_hat_ = nullptr;
  Buffer<double> l_;        // lower triangles, by rows
  Buffer<double> product_;  // D_g K
  Buffer<double> x_;
  Buffer<double> y_;
  Matrix schur_;  // L_b, by columns
  Vector y_b_;
  double log_z_ = 0.0;
  double log_det_ = 0.0;
  double least_share_ = 1.0;
  double half_log_det_ = 0.0;
};

// Its levels, beta and alpha held. zeta_g is as above, and given it the scales are left with
//   sum over levels: |y_g|^2/2 - log|L_g|,
//   y_g = L_g^-1 K' e_g,   e_g = b_g - C_g dbeta - T_g' da:
// one pass over levels, O(G q^3), without a number for each fixed effect.
class HeldArrow {
 public:
  // REQUIRES: sums and anchor outlive it; centred sums.
  HeldArrow(const ArrowSums& sums, const GroupAnchor& anchor);

  // Both return what the scales K are left with; not a number where they are no scales.
  // Sets zeta to what levels are under these scales.
  [[nodiscard]] double hold(const Vector& dbeta, const Vector& shared, const Matrix& scales,
                            const double* du);
  // What the same zeta are under others.
  [[nodiscard]] double move(const Matrix& scales, double* du);
  // After either: what they are left with where rows are not collapsed into tangents but counted
  // each by itself, the prior of levels and the Jacobian, - sum |v_g|^2/2 + log|L_g|.
  [[nodiscard]] double without_rows() const noexcept { return without_rows_; }

 private:
  class Left;
  [[nodiscard]] bool factor_level(std::size_t g, Left& left) noexcept;
  // Of one coefficient a level, where most of the cost would be that of calls: K L^-1 and y_g.
  struct Intercept {
    double pull = 0.0;
    double y = 0.0;
  };
  [[nodiscard]] Intercept factor_intercept(std::size_t g, Left& left) const noexcept;

  const ArrowSums& sums_;
  const GroupAnchor& anchor_;
  std::size_t q_;
  double without_rows_ = 0.0;
  Buffer<double> k_;
  Buffer<double> e_;
  Buffer<double> zeta_;
  // Of one level.
  Buffer<double> l_;
  Buffer<double> product_;
  Buffer<double> y_;
};

}  // namespace flymc
