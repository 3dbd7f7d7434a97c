// The Gram of a block of rows most of whose raw numbers are zeros, such as indicators of many
// levels. With x_i = b + d_i, the background and a row's entries (Dataset::Entry),
//
//   sum w_i x_i x_i' = sum w_i d_i d_i' + b m' + m b' + (sum w_i) b b',   m = sum w_i d_i :
//
// the square of a row's entries in place of the square of its columns. As |b_j| <= 1, the error of
// an element is of the order of rounding times sum w (1 + |x_j|) (1 + |x_k|).
#pragma once

#include <cstddef>
#include <vector>

#include "flymc/dataset.hpp"
#include "flymc/detail/core/linalg.hpp"

namespace flymc {

class SparseGram {
 public:
  // `data` outlives it.
  explicit SparseGram(const Dataset& data);

  // Finds the entries of a block; false where multiplying whole rows is cheaper.
  [[nodiscard]] bool read(const Dataset::RawBlock& block);

  // Adds the Gram of the block that was read to the lower triangle, a weight a row.
  void add_to(Matrix& gram, const Eigen::Ref<const Vector, 0, Eigen::InnerStride<>>& weights);

 private:
  const Dataset& data_;
  Vector background_;
  std::vector<Dataset::Entry> entries_;  // of all rows of the block
  std::vector<std::size_t> ends_;        // of each row's
  Vector moment_;                        // m
};

}  // namespace flymc
