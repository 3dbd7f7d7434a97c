// One pass over all rows at a fixed theta, in blocks and threads: the shape of every set-up stage.
//
//   value = sum_n v_n,   gradient = sum_n x_n s_n',   gram_p = sum_n w_np x_n x_n'
// Sums are formed over fixed pieces of rows and merged by their numbers (piece_sum.hpp): the number
// of threads or ranks cannot change a bit of the result.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "flymc/dataset.hpp"
#include "flymc/detail/core/linalg.hpp"
#include "flymc/detail/posterior/query.hpp"

namespace flymc {

struct PassSums {
  double value = 0.0;
  Matrix gradient;            // columns x slopes
  std::vector<Matrix> grams;  // columns x columns each, symmetric
  std::uint64_t queries = 0;
};

// A block of rows with their predictors; the caller fills slopes and weights.
struct PassBlock {
  RowRange range;
  ConstRowMatrixView x;   // the standardised rows; empty unless asked for
  RowMatrixView eta;      // rows x predictors
  RowMatrixView slopes;   // rows x slopes
  RowMatrixView weights;  // rows x grams
  QueryCounter& counter;
};

struct PassShape {
  int predictors = 1;
  int grams = 1;         // 0: value and gradient only
  int slopes = 0;        // columns of the gradient; 0: as many as predictors
  bool rows = false;     // whether blocks bring the standardised rows
  unsigned threads = 0;  // 0: all cores
};

// Returns the block's share of `value`. Called from several threads, each block once.
using PassWork = std::function<double(PassBlock&)>;

[[nodiscard]] PassSums run_pass(const Dataset& data, const Vector& theta, const PassShape& shape,
                                const PassWork& work);

// The precision of all parameters from Grams of curvature weights: itself for one predictor, else
// the sum over pairs of (e_j - e_k)(e_j - e_k)' (x) gram_jk.
[[nodiscard]] Matrix assemble_precision(const std::vector<Matrix>& grams, int predictors);

}  // namespace flymc
