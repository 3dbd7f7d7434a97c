// One pass over all rows at a fixed theta, in blocks and threads: the shape of every set-up stage.
//
//   value = sum_n v_n,   gradient = sum_n x_n s_n',   precision from sums of w_np x_n x_n'.
// Sums are formed over fixed pieces of rows and merged by their numbers (piece_sum.hpp): the number
// of threads or ranks cannot change a bit of the result.
#pragma once

#include <cstdint>
#include <functional>

#include "flymc/dataset.hpp"
#include "flymc/detail/core/linalg.hpp"
#include "flymc/detail/posterior/query.hpp"

namespace flymc {

struct PassSums {
  double value = 0.0;
  Matrix gradient;   // of all parameters, a column for each set of slopes
  Matrix precision;  // of all parameters; or the one Gram that stands for all pairs of predictors
  std::uint64_t queries = 0;
};

// A block of rows with their predictors; the caller fills slopes and weights.
struct PassBlock {
  RowRange range;
  ConstRowMatrixView x;   // the standardised rows; empty unless asked for
  RowMatrixView eta;      // rows x predictors
  RowMatrixView slopes;   // rows x predictors, for each set of slopes
  RowMatrixView weights;  // rows x grams
  QueryCounter& counter;
};

struct PassShape {
  int predictors = 1;
  int grams = 1;         // 0: value and gradient only
  int slope_sets = 1;    // gradients
  bool rows = false;     // whether blocks bring the standardised rows
  unsigned threads = 0;  // 0: all cores
};

// Returns the block's share of `value`. Called from several threads, each block once.
using PassWork = std::function<double(PassBlock&)>;

[[nodiscard]] PassSums run_pass(const Dataset& data, const Vector& theta, const PassShape& shape,
                                const PassWork& work);

}  // namespace flymc
