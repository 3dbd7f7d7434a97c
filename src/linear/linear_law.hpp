// The posterior of a normal linear regression, sigma the same in every row: unknown, or a number.
// Sums over rows are its likelihood. With weights w, N = sum w and s = log sigma
//
//   sum log L = peak - N s - Q(beta)/(2 sigma^2),
//   Q = sum w (y - eta)^2 = Q^ - 2 r'd + d'S d,   d = beta - anchor.
// Priors of beta are normal or flat: precisions P, means m. Take T with T'ST = diag(kappa) and
// T'PT = diag(lambda); in coordinates v of beta = anchor + T v the rows alone want a_j = (T'r)_j /
// kappa_j (0 where kappa_j = 0: they do not tell) and the prior m_j. Given sigma they are
// independent,
//
//   v_j ~ N((kappa_j a_j + sigma^2 lambda_j m_j)/D_j, sigma^2/D_j),   D = kappa + sigma^2 lambda,
// and with beta integrated out
//
//   log p(s | y) = peak - (N - p) s - R/2 - sum log(D_j)/2 + log|T| + p log(2 pi)/2 + log p(s),
//   R = Q0/sigma^2 + sum_j kappa_j lambda_j (m_j - a_j)^2/D_j,   Q0 = Q^ - sum_j kappa_j a_j^2:
// what no coefficients explain, and how far rows and prior disagree. No term is negative, so that
// none is lost to another, however small sigma is. The anchor is where rows alone want it: Q0 is
// then Q^ but for rounding. Constants that Prior and Family leave out are left out.
// See docs/method/families.md, Normal by sums.
#pragma once

#include <cstdint>
#include <optional>

#include "flymc/dataset.hpp"
#include "flymc/detail/core/linalg.hpp"
#include "flymc/family/family.hpp"
#include "flymc/family/prior.hpp"
#include "linear/scalar_law.hpp"

namespace flymc {

// All outlive what is made of them. theta is (beta, s), or beta where sigma is a number.
struct LinearProblem {
  const Dataset& data;
  const Family& family;    // whose type is gaussian
  const Prior& prior;      // normal or flat for beta
  double log_sigma = 0.0;  // where it is no parameter
  unsigned threads = 1;
};

// Immutable; thread safe.
class LinearLaw {
 public:
  // Two passes over the rows: one about the prior's means, one about least squares; further ones
  // where that was not reached. Collective where rows are split. THROWS Error(kData) where doubles
  // cannot tell columns apart or noise from none, and where the posterior is not proper.
  explicit LinearLaw(const LinearProblem& problem);

  [[nodiscard]] Index coefficients() const noexcept { return anchor_.size(); }
  [[nodiscard]] Index dimension() const noexcept { return coefficients() + (sigma_law_ ? 1 : 0); }
  [[nodiscard]] bool infers_sigma() const noexcept { return sigma_law_.has_value(); }
  [[nodiscard]] double log_sigma(const Vector& theta) const noexcept {
    return infers_sigma() ? theta[coefficients()] : problem_.log_sigma;
  }

  // O(p^2).
  [[nodiscard]] double log_posterior(const Vector& theta) const;
  // log p(s | y): O(p). Minus infinity where it is no number.
  [[nodiscard]] double log_marginal(double log_sigma) const;
  // beta given sigma, of p standard normals, which are overwritten.
  void draw_coefficients(double log_sigma, Vector& normals, Eigen::Ref<Vector> beta) const;

  // Of s. REQUIRES: infers_sigma().
  [[nodiscard]] const ScalarLaw& sigma() const noexcept { return *scalar_; }
  // log of the integral of e^log_posterior.
  [[nodiscard]] double log_evidence() const;

  [[nodiscard]] int passes() const noexcept { return passes_; }
  [[nodiscard]] std::uint64_t queries() const noexcept { return queries_; }

 private:
  void read_prior();
  void tally_responses();
  void sum_rows(bool with_gram);
  void factor(double log_sigma);
  void find_wanted(double variance);
  [[nodiscard]] bool move_anchor();
  void find_sigma();
  void require_proper() const;

  LinearProblem problem_;
  Vector mean_;                     // m
  Vector precision_;                // P
  std::optional<Prior> sigma_law_;  // of s
  double weight_ = 0.0;             // N
  double peak_ = 0.0;
  double size_ = 0.0;  // mean square of y

  Vector anchor_;
  double least_ = 0.0;  // Q^
  double most_ = 0.0;   // Q where the prior wants the coefficients
  Vector slope_;        // r
  Matrix gram_;         // S

  Matrix map_;  // T
  double log_det_ = 0.0;
  Vector kappa_;
  Vector lambda_;
  Vector wanted_by_rows_;     // a
  Vector wanted_by_prior_;    // m, as coordinates
  double unexplained_ = 0.0;  // Q0

  std::optional<ScalarLaw> scalar_;
  int passes_ = 0;
  std::uint64_t queries_ = 0;
};

}  // namespace flymc
