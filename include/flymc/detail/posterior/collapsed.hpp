// The product of many tangents, one parabola about its centre theta_hat, delta = theta - theta_hat:
//   log prod_n B_n = constant + linear.delta - 1/2 delta' S delta,
// with S = sum_n k_n x_n x_n' for one predictor (grams.hpp has it for several). One Gram alone
// stands for all pairs of predictors (Boehning's bound has equal weights) and is kept in that
// Kronecker form, (K I - 11') (x) gram.
// See docs/method/paper.md, The collapse.
#pragma once

#include <vector>

#include "flymc/detail/core/linalg.hpp"

namespace flymc {

class Collapsed {
 public:
  Collapsed() = default;
  // `curvature`: S, or the Gram common to all pairs of predictors.
  Collapsed(Vector centre, double constant, Vector linear, Matrix curvature, int predictors);

  // Value at delta; adds the gradient where one is given. `product` (sized like delta) receives
  // S delta. Allocates nothing.
  [[nodiscard]] double evaluate(const Vector& delta, Vector& product,
                                Vector* gradient) const noexcept;

  // Adds `sign` times another parabola of the same kind, about the same point.
  void add(const Collapsed& other, double sign);

  [[nodiscard]] const Vector& centre() const noexcept { return centre_; }
  [[nodiscard]] double constant() const noexcept { return constant_; }
  [[nodiscard]] const Vector& linear() const noexcept { return linear_; }
  [[nodiscard]] Matrix precision() const;  // S, dense

 private:
  Vector centre_;  // theta_hat
  double constant_ = 0.0;
  Vector linear_;
  Matrix curvature_;  // S, or the common Gram
  int blocks_ = 1;    // predictors that share a common Gram; 1 where S is dense
};

}  // namespace flymc
