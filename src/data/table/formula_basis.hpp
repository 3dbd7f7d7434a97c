// Columns of a formula whose constants come from all rows.
//
//   scale(x)    (x - m) / s, mean and standard deviation (divisor n - 1)
//   poly(x, k)  p_1 / |p_1|, ..., p_k / |p_k|: monic polynomials, orthogonal over the rows,
//               p_0 = 1, p_1 = x - a_0, p_{i+1} = (x - a_i) p_i - (|p_i|^2 / |p_{i-1}|^2) p_{i-1},
//               a_i = sum x p_i^2 / sum p_i^2, |p_i|^2 = sum p_i^2; as R's poly has them
//   bs(x, df)   cubic B-splines (b_splines.hpp)
//   s(x, k)     natural splines beside x itself (smooth_basis.hpp)
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "data/table/formula.hpp"
#include "flymc/detail/ranks/shard.hpp"

namespace flymc {

// How many columns it makes, and of how many constants: [m, s], [a_0 .. a_{k-1}, |p_0|^2 ..
// |p_k|^2], knots; none of a number as it is.
[[nodiscard]] std::size_t basis_columns(const Formula::Variable& variable) noexcept;
[[nodiscard]] std::size_t basis_constants(const Formula::Variable& variable) noexcept;

// The columns at one value. REQUIRES: basis_constants() constants, basis_columns() places.
void set_basis(const Formula::Variable& variable, std::span<const double> constants, double value,
               double* out) noexcept;

// Values of rows, by their numbers among all; called from several threads.
using ValuesOfRows = std::function<void(RowRange rows, std::span<double> values)>;

// One pass over the rows, and one more for s or for each degree; of bs() a copy of this rank's
// values. The same for any number of threads and ranks. REQUIRES: finite values. THROWS Error kData
// for values that are all equal, or no more different ones than the degree, or df.
[[nodiscard]] std::vector<double> find_constants(const Formula::Variable& variable,
                                                 const Shard& shard, unsigned threads,
                                                 const ValuesOfRows& values);

}  // namespace flymc
