// How the coefficients of levels scatter: u_g ~ N(0, Sigma), Sigma = S R S, with
//
//   psi = (log standard deviations, then for each block of correlated coefficients y_ij, i > j, row
//   by row),
//   R = K K',  K_ij = tanh(y_ij) prod_{k < j} sqrt(1 - tanh(y_ik)^2)   (canonical partial
//   correlations), a priori uniform over correlation matrices (LKJ with parameter 1): the partial
//   correlation z of column j = 0, 1, ... has density ~ (1 - z^2)^((q - 2 - j)/2), and
//   dz/dy = 1 - z^2;
//   and last what all rows share: log sigma of a normal response, or what else a family does not
//   know (size, shape), each on the scale where it is unbounded.
// See docs/method/groups.md, Scales.
#pragma once

#include <vector>

#include "flymc/detail/core/linalg.hpp"
#include "flymc/family/prior.hpp"

namespace flymc {

// Parameters that all rows share, with the laws of what stands in psi; a normal response has log
// sigma, unknown or a number.
struct SharedLaws {
  std::vector<PriorTerm> laws{};
  double log_sigma = 0.0;  // where it is no parameter
};

class GroupScales {
 public:
  // One prior a standard deviation, as the law of its logarithm (prior.hpp). `blocks`: how many
  // coefficients are correlated with each other, one block after the other.
  GroupScales(std::vector<PriorTerm> priors, std::vector<Index> blocks, SharedLaws shared = {});
  // All of them, or none.
  GroupScales(std::vector<PriorTerm> priors, bool correlated, SharedLaws shared = {});

  [[nodiscard]] Index coefficients() const noexcept { return prior_.dimension(); }
  [[nodiscard]] Index of_levels() const noexcept { return coefficients() + correlations(); }
  [[nodiscard]] Index shared() const noexcept { return shared_.dimension(); }
  [[nodiscard]] Index size() const noexcept { return of_levels() + shared(); }
  [[nodiscard]] Index correlations() const noexcept {
    Index count = 0;
    for (const Index q : blocks_) {
      count += q * (q - 1) / 2;
    }
    return count;
  }
  [[nodiscard]] const std::vector<Index>& blocks() const noexcept { return blocks_; }
  // Which of them a coefficient belongs to.
  [[nodiscard]] std::size_t block_of(Index coefficient) const noexcept {
    std::size_t block = 0;
    for (Index last = blocks_.front(); last <= coefficient; last += blocks_[++block]) {
    }
    return block;
  }

  // Of a normal response.
  [[nodiscard]] bool infers_sigma() const noexcept { return shared() > 0; }
  [[nodiscard]] double log_sigma(const Vector& psi) const noexcept {
    return infers_sigma() ? psi[of_levels()] : log_sigma_;
  }

  // Where a search begins: half of each prior's scale, no correlation; where the priors
  // of shared ones say.
  [[nodiscard]] Vector start() const;

  [[nodiscard]] double log_prior(const Vector& psi) const;
  // Without those of shared ones, and these.
  [[nodiscard]] double log_prior_of_levels(const Vector& psi) const;
  [[nodiscard]] double log_prior_of_shared(const Vector& shared) const {
    return shared_.log_density(shared);
  }

  // Lambda = Sigma^-1 and the logarithm of its determinant, which is twice the sum of those of the
  // diagonal of K^-1.
  struct Precision {
    Matrix lambda;
    Vector log_half;
    double log_det = 0.0;
  };
  void precision(const Vector& psi, Precision& out) const;

  // Canonical partial correlations of a correlation matrix, as psi holds them.
  [[nodiscard]] static Vector unbounded(const Matrix& correlation);

  // Standard deviations of levels, then correlations of R, in the order of psi.
  [[nodiscard]] Vector natural(const Vector& psi) const;

  // Lower Cholesky factor of Sigma: one draw of u is this times normals.
  [[nodiscard]] Matrix factor(const Vector& psi) const;

 private:
  Prior prior_;  // of the logarithms
  std::vector<Index> blocks_;
  Prior shared_;
  double log_sigma_;  // where it is known
};

}  // namespace flymc
