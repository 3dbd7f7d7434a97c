// A normal response with coefficients that vary by level. Its likelihood is Gaussian in (beta, u)
// at every sigma: the collapsed sums are the likelihood, and no row is looked at again.
//
//   sum log L = -N log sigma - Q(beta, u)/(2 sigma^2),   Q = sum weight (y - eta)^2,  N = sum
//   weight, Q = Q^ - 2 (b'du + r'dbeta) + sum_g (du'D du + 2 du'C dbeta) + dbeta'S dbeta   about
//   the anchor.
//
// In units of sigma the frame is that of arrow.hpp for unit noise: K/sigma in the place of K, and
// sigma^2 P in that of P. Its coordinates are sigma zeta. With
//   R(psi, sigma) = min over (beta, u) of  Q + sigma^2 (sum_g u_g'Lambda u_g + (beta-m)'P(beta-m))
// attained at the centre zeta = 0, what is left of the posterior when (beta, u) are integrated out
// is
//   log p(psi, sigma | y) = -(N - p) log sigma - R/(2 sigma^2) - sum log|L_g| - log|L_b|
//                           + log p(psi) + log p(sigma).
// All of R is a sum of squares: nothing cancels where levels scatter much more than rows.
// See docs/method/groups.md, A normal response.
#pragma once

#include "groups/group_problem.hpp"
#include "groups/row_bounds.hpp"

namespace flymc {

// Where chains are: scales, their frame, and coefficients.
struct NormalPlace {
  explicit NormalPlace(const ArrowShape& shape)
      : frame(shape),
        dbeta(shape.fixed),
        u(shape.levels * static_cast<std::size_t>(shape.varying)),
        scaled(static_cast<Index>(u.size()) + shape.fixed) {}

  Vector psi;  // scales of levels, then log sigma where that is unknown
  double sigma = 1.0;
  ArrowFrame frame;
  double log_marginal = 0.0;  // log p(psi, sigma | y)
  Vector dbeta;               // from the anchor
  Buffer<double> u;           // levels themselves
  Vector scaled;              // sigma zeta
};

// Immutable. No row has a bound of its own.
class NormalArrow : public RowBounds {
 public:
  // Two passes. `beta`: where the search for a mode begins. REQUIRES: problem.model.is_gaussian().
  // THROWS Error(kData) where no mode is found.
  NormalArrow(const GroupProblem& problem, const Vector& beta, unsigned threads);

  // A place at these scales, its coefficients the centre; false where there is no frame.
  [[nodiscard]] bool set_scales(const Vector& psi, NormalPlace& place) const;
  // Its coefficients, of zeta = (zeta_b, zeta_1, ..).
  void set_coefficients(const Eigen::Ref<const Vector>& zeta, NormalPlace& place) const;
  // Back again.
  void to_zeta(const NormalPlace& place, Eigen::Ref<Vector> zeta) const;
  // log|d(beta, u)/d zeta|.
  [[nodiscard]] double log_jacobian(const NormalPlace& place) const noexcept;

  // Q.
  [[nodiscard]] double squares(const NormalPlace& place) const noexcept;

  GroupAnchor anchor;
  double weight = 0.0;  // N
  Vector psi;           // the mode of the marginal
  Matrix psi_spread;    // their covariance there

 private:
  void sum_rows(unsigned threads);
  [[nodiscard]] const GroupProblem& problem() const noexcept { return *problem_; }
  void climb(NormalPlace& scratch);
  [[nodiscard]] double log_marginal(const Vector& at, NormalPlace& scratch) const;
  [[nodiscard]] Matrix covariance(NormalPlace& scratch) const;

  const GroupProblem* problem_;
  ArrowSums sums_;      // about u = 0
  ArrowSums slopes_;    // b and r at the anchor
  double least_ = 0.0;  // Q^
};

}  // namespace flymc
