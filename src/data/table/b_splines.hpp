// Cubic B-splines, as R's splines::bs has them: with knots t_0 <= t_1 <= ..., both ends four times,
//
//   B_{i,0}(x) = [t_i <= x < t_{i+1}]
//   B_{i,k}(x) = (x - t_i) / (t_{i+k} - t_i) B_{i,k-1}(x)
//              + (t_{i+k+1} - x) / (t_{i+k+1} - t_{i+1}) B_{i+1,k-1}(x)
//
// B_{i,3} for i = 1, 2, ..., df: without the first, which the intercept is for. The ends are those
// of the values; between them lie df - 3 quantiles (type 7) at equal steps. Outside of the ends the
// cubic pieces that end there go on.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "flymc/ranks.hpp"

namespace flymc {

// `knots`: each end once, ascending. Fills knots.size() + 1 places. REQUIRES: the ends differ.
void set_b_splines(std::span<const double> knots, double value, double* out) noexcept;

// Between the ends, or at one of them.
[[nodiscard]] inline bool is_within_knots(std::span<const double> knots, double value) noexcept {
  return !(value < knots.front() || value > knots.back());
}

// The knots of `df` splines. Collective; reorders the values of this rank. REQUIRES: df >= 3,
// finite values, one at least at some rank.
[[nodiscard]] std::vector<double> find_knots(std::size_t df, Ranks& ranks,
                                             std::span<double> values);

}  // namespace flymc
