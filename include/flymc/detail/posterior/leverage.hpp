// How far a posterior of precision H lets a datum's predictor move: r_n = sqrt(x_n' H^-1 x_n), and
// with several predictors r_jk for every difference of two, w = (e_j - e_k) (x) x_n. By
// Cauchy-Schwarz |u_n| <= r_n |theta - theta_hat|_H: what the local bounds rest on, so everything
// is double and r is raised by 1e-6 of itself against rounding.
// See docs/method/engine.md, Local bounds.
#pragma once

#include <vector>

#include "flymc/detail/core/linalg.hpp"
#include "flymc/posterior/anchor.hpp"

namespace flymc {

class Leverage {
 public:
  Leverage(const Anchor& anchor, int predictors);

  // One row of `out` per row of x, one column per pair of predictors (one alone for one predictor).
  // Each thread brings its own scratch.
  void compute(const ConstRowMatrixView& x, RowMatrix& scratch, RowMatrixView out) const;

  [[nodiscard]] Index pairs() const noexcept { return static_cast<Index>(roots_.size()); }

 private:
  std::vector<Matrix> roots_;  // L with L L' the covariance of a difference, triangular
  bool upper_ = false;
};

}  // namespace flymc
