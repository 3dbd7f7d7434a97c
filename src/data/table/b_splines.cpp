#include "data/table/b_splines.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>

#include "ranks/order_statistic.hpp"

namespace flymc {
namespace {

constexpr std::size_t kDegree = 3;

// t_i, with both ends four times.
double knot(std::span<const double> knots, std::size_t i) noexcept {
  return knots[std::min(std::max(i, kDegree) - kDegree, knots.size() - 1)];
}

// The number in t of the knot behind the value, or of the end of the last piece: the knot before it
// is less, so that no piece is empty.
std::size_t piece_end(std::span<const double> knots, double value) noexcept {
  const auto end = value < knots.back()
                       ? std::upper_bound(knots.begin(), knots.end(), std::max(value, knots[0]))
                       : std::lower_bound(knots.begin(), knots.end(), knots.back());
  const auto place = std::clamp<std::ptrdiff_t>(end - knots.begin(), 1, std::ssize(knots) - 1);
  return static_cast<std::size_t>(place) + kDegree;  // knots of a damaged file stay in bounds
}

// Type 7 of R: linear between order statistics, the least at 0 and the greatest at 1.
double quantile_of_ranks(Ranks& ranks, std::span<double> values, double last, double share) {
  const double place = last * share;
  const double below = std::floor(place);
  const double low = order_statistic(ranks, values, static_cast<std::uint64_t>(below));
  if (place == below) {
    return low;
  }
  const double high = order_statistic(ranks, values, static_cast<std::uint64_t>(below) + 1);
  return low == high ? low : (1.0 - (place - below)) * low + (place - below) * high;
}

}  // namespace

void set_b_splines(std::span<const double> knots, double value, double* out) noexcept {
  const std::size_t end = piece_end(knots, value);
  // B_{end-1-k,k} ... B_{end-1,k}, those of degree k that are not 0 here, k = 0, 1, 2, 3
  std::array<double, kDegree + 1> b = {1.0};
  for (std::size_t k = 1; k <= kDegree; ++k) {
    double left = 0.0;  // what the spline before gives to this one
    for (std::size_t r = 0; r < k; ++r) {
      const double t_right = knot(knots, end + r);
      const double t_left = knot(knots, end + r - k);
      const double share = b[r] / (t_right - t_left);
      b[r] = left + (t_right - value) * share;
      left = (value - t_left) * share;
    }
    b[k] = left;
  }
  const std::size_t first = end - 1 - kDegree;
  std::fill(out, out + knots.size() + 1, 0.0);
  for (std::size_t r = first == 0 ? 1 : 0; r <= kDegree; ++r) {
    out[first + r - 1] = b[r];
  }
}

std::vector<double> find_knots(std::size_t df, Ranks& ranks, std::span<double> values) {
  const auto last = static_cast<double>(sum_of_ranks(ranks, values.size()) - 1);
  const std::size_t pieces = df - kDegree + 1;
  std::vector<double> knots;
  for (std::size_t i = 0; i <= pieces; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(pieces);
    knots.push_back(quantile_of_ranks(ranks, values, last, share));
  }
  return knots;
}

}  // namespace flymc
