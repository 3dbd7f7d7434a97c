// The two products with gathered rows that an evaluation is made of, before and after the
// likelihoods:
//   u_i = x_i delta + shift_i,   predictors minus where the tangent touches;
//   force = F' sum_i x_i s_i',   from the slopes s_i in the predictors.
// Rows kept in frame coordinates, F' x_i, are multiplied with zeta itself, and F drops out.
#pragma once

#include "flymc/detail/core/buffer.hpp"
#include "flymc/detail/core/linalg.hpp"
#include "flymc/detail/core/row_range.hpp"
#include "flymc/detail/data/table/design.hpp"
#include "flymc/detail/posterior/bright_rows.hpp"
#include "flymc/posterior/frame.hpp"

namespace flymc {

// One instance a chain and set of rows: it owns the scratch, which grows with the rows.
class RowProducts {
 public:
  RowProducts(const Frame& frame, const Design& design)
      : frame_(frame),
        design_(design),
        delta_(frame.dimension()),
        theta_gradient_(frame.dimension()) {}

  // u of a range of slots, predictors of one after the other; lives until the next call.
  [[nodiscard]] double* predict(const BrightRows& rows, RowRange slots, const Vector& zeta);

  // `slopes` of the same slots, in the same order.
  void force(const BrightRows& rows, RowRange slots, const double* slopes, Eigen::Ref<Vector> out);

 private:
  const Frame& frame_;
  const Design& design_;
  Vector delta_;
  Vector theta_gradient_;
  Buffer<double> u_;
};

}  // namespace flymc
