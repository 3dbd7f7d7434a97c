// Covariance and principal components: S = sum_n (x_n - mean)(x_n - mean)' / (n - 1) = V L V',
// scores (x_n - mean)' V of the k largest eigenvalues.
#pragma once

#include <cstddef>

#include "flymc/detail/core/linalg.hpp"

namespace flymc {

struct Covariance {
  Vector mean;
  Matrix matrix;  // divisor n - 1
};

// Two passes over the rows in pieces of fixed size: the same bits for any number of threads.
// O(rows columns^2). REQUIRES: at least two rows.
[[nodiscard]] Covariance covariance_of(ConstRowMatrixView x, unsigned threads);

struct PrincipalComponents {
  Vector mean;
  Matrix loadings;   // columns x k, orthonormal; of each the entry of largest size is positive
  Vector variances;  // of the k scores, descending
  double total_variance = 0.0;  // of all columns
  RowMatrix scores;             // rows x k, in the units of x
};

// The same bits for any number of threads. O(rows columns^2 + columns^3).
// THROWS Error(kData) unless 1 <= k <= columns and k < rows.
[[nodiscard]] PrincipalComponents principal_components(ConstRowMatrixView x, std::size_t k,
                                                       unsigned threads);

}  // namespace flymc
