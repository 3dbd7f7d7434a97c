// How far a posterior of precision H lets a datum's predictor move: r_n = sqrt(x_n' H^-1 x_n), and
// with one predictor a class r_jk for every difference of two, w = (e_j - e_k) (x) x_n. Predictors
// with columns of their own move together as V_n = A_n H^-1 A_n', row k of A_n the columns of
// predictor k, says. By Cauchy-Schwarz |u_n| <= r_n |theta - theta_hat|_H: what the local bounds
// rest on, so r is raised against rounding: by 1e-6 of itself; of one predictor or of differences
// by the error of floats where that is below a thousandth, as sums of squares take half of the time
// then.
// See docs/method/engine.md, Local bounds.
#pragma once

#include <vector>

#include "flymc/detail/core/buffer.hpp"
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

  // A triangular L with L L' the covariance of one predictor or of a difference of two, in panels
  // of its columns (tile.hpp).
  class Root {
   public:
    Root(const Matrix& root, bool upper);
    // |L' x| of some rows, at most kTileRows<float>, raised.
    void compute(const double* rows, Index count, double* out, Index stride) const;

   private:
    Index size_;
    bool upper_;
    Buffer<double> panels_;
    Buffer<float> narrow_;  // empty where floats are not enough
    double narrow_margin_ = 0.0;
  };

  const Design& design_;
  std::vector<Root> roots_;
  std::vector<Matrix> blocks_;  // where predictors have columns of their own: the columns of R^-T,
                                // H = R R', for the coefficients of each
};

}  // namespace flymc
