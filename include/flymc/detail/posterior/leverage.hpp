// How far a posterior of precision H lets a datum's predictor move: r_n = sqrt(x_n' H^-1 x_n), and
// with one predictor a class r_jk for every difference of two, w = (e_j - e_k) (x) x_n. Predictors
// with columns of their own move together as V_n = A_n H^-1 A_n', row k of A_n the columns of
// predictor k, says. By Cauchy-Schwarz |u_n| <= r_n |theta - theta_hat|_H: what the local bounds
// rest on, so everything is double and r is raised by 1e-6 of itself against rounding.
// See docs/method/engine.md, Local bounds.
#pragma once

#include <vector>

#include "flymc/detail/core/linalg.hpp"
#include "flymc/detail/data/table/design.hpp"
#include "flymc/posterior/anchor.hpp"

namespace flymc {

class Leverage {
 public:
  // `design` outlives it.
  Leverage(const Anchor& anchor, const Design& design, int predictors);

  // One row of `out` per row of x: r of one predictor, r_jk of every pair of classes, or V packed.
  void compute(const ConstRowMatrixView& x, RowMatrixView out) const;

 private:
  void compute_covariances(const ConstRowMatrixView& x, RowMatrixView out) const;

  const Design& design_;
  std::vector<Matrix> roots_;  // L with L L' the covariance of a difference, triangular; or columns
                               // of R^-T, H = R R', for the coefficients of each predictor
  bool upper_ = false;
};

}  // namespace flymc
