// Penalised splines: what s(x, k) adds to a straight line in x.
//
//   f(x) = a + b x + sum over j of u_j z_j(x),   u_j ~ N(0, tau^2),   j = 1 .. k - 2
//
// z_j are natural cubic splines: with t = (x - first knot) / (last - first), values V and second
// derivatives M at the knots t_0 .. t_{k-1} (M = 0 at both ends), h = t_{i+1} - t_i, between two
// knots with l = (t_{i+1} - t) / h and r = (t - t_i) / h
//
//   z(t) = l V_i + r V_{i+1} + h^2/6 ((l^3 - l) M_i + (r^3 - r) M_{i+1}),
//
// beyond the ends straight lines. They are chosen so that, over the rows of the fit, they are
// orthogonal to 1, to x and to each other, that the penalty of f is a multiple of the sum of u_j^2,
//
//   integral of f''(t)^2 dt = c sum u_j^2,
//
// and that the sum of u_j z_j has standard deviation tau over rows and u together.
//
// How. Continuous slopes say B M = D V (Green & Silverman 1994, 2.1; Wood 2017, 5.3.1): row i of D
// is 1/h_i, -1/h_i - 1/h_{i+1}, 1/h_{i+1}, B is tridiagonal, (h_i + h_{i+1})/3 and h_{i+1}/6. The
// penalty is M'B M. With B = L L' any M = L'^-1 Q, Q orthogonal, has M'B M = I; V = D'(DD')^-1 L Q,
// the shortest. Straight lines have M = 0: they are taken away by least squares over rows. Q then
// diagonalises the covariance of what is left.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace flymc {

// Columns and constants of k knots: the knots, then V and M column by column.
[[nodiscard]] constexpr std::size_t smooth_columns(std::size_t knots) noexcept { return knots - 2; }
[[nodiscard]] constexpr std::size_t smooth_constants(std::size_t knots) noexcept {
  return knots + 2 * knots * smooth_columns(knots);
}

// The columns at one value. REQUIRES: smooth_constants(knots), places for smooth_columns(knots).
void set_smooth_basis(std::size_t knots, std::span<const double> constants, double value,
                      double* out) noexcept;

// Knots are quantiles of the distinct values (R's type 7), both ends among them. O(n log n + n
// k^2). REQUIRES: finite values, more distinct ones than knots less one.
[[nodiscard]] std::vector<double> find_smooth_constants(std::size_t knots,
                                                        std::span<const double> values);

}  // namespace flymc
