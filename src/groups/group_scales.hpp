// How the coefficients of levels scatter: u_g ~ N(0, Sigma), Sigma = S R S, with
//
//   psi = (log standard deviations, then for correlated coefficients y_ij, i > j, row by row),
//   R = K K',  K_ij = tanh(y_ij) prod_{k < j} sqrt(1 - tanh(y_ik)^2)   (canonical partial
//   correlations), a priori uniform over correlation matrices (LKJ with parameter 1): the partial
//   correlation z of column j = 0, 1, ... has density ~ (1 - z^2)^((q - 2 - j)/2), and
//   dz/dy = 1 - z^2.
// See docs/method/groups.md, Scales.
#pragma once

#include <vector>

#include "flymc/detail/core/linalg.hpp"
#include "flymc/family/prior.hpp"

namespace flymc {

class GroupScales {
 public:
  // One prior a standard deviation, as the law of its logarithm (prior.hpp).
  GroupScales(std::vector<PriorTerm> priors, bool correlated);

  [[nodiscard]] Index coefficients() const noexcept { return prior_.dimension(); }
  [[nodiscard]] Index size() const noexcept { return coefficients() + correlations(); }
  [[nodiscard]] Index correlations() const noexcept {
    return correlated_ ? coefficients() * (coefficients() - 1) / 2 : 0;
  }

  // Where a search begins: half of each prior's scale, no correlation.
  [[nodiscard]] Vector start() const;

  [[nodiscard]] double log_prior(const Vector& psi) const;

  // Lambda = Sigma^-1, and the logarithm of its determinant.
  struct Precision {
    Matrix lambda;
    double log_det = 0.0;
  };
  void precision(const Vector& psi, Precision& out) const;

  // Standard deviations, then correlations of R, in the order of psi.
  [[nodiscard]] Vector natural(const Vector& psi) const;

  // Lower Cholesky factor of Sigma: one draw of u is this times normals.
  [[nodiscard]] Matrix factor(const Vector& psi) const;

 private:
  Prior prior_;  // of the logarithms
  bool correlated_;
};

}  // namespace flymc
