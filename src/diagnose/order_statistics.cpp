#include "diagnose/order_statistics.hpp"

#include <algorithm>
#include <cmath>

namespace flymc {
namespace {

// The numbers on one side of a cut, without a branch to mispredict; returns how many.
std::size_t copy_below(std::span<const double> sample, double cut, double* out) noexcept {
  std::size_t count = 0;
  for (const double x : sample) {
    out[count] = x;
    count += x < cut ? 1U : 0U;
  }
  return count;
}

std::size_t copy_above(std::span<const double> sample, double cut, double* out) noexcept {
  std::size_t count = 0;
  for (const double x : sample) {
    out[count] = x;
    count += x > cut ? 1U : 0U;
  }
  return count;
}

// How far out to cut, in standard deviations: about twice as many numbers as needed of a normal
// sample between 2 and 20 % tails.
constexpr double kCut = 1.25;

}  // namespace

Neighbours TailSearch::find(std::span<const double> sample, double prob, double mean, double sd) {
  const std::size_t n = sample.size();
  const double position = static_cast<double>(n - 1) * prob;
  const auto rank = static_cast<std::size_t>(position);
  scratch_.resize(n + 1);
  double* const begin = scratch_.data();
  std::size_t count = 0;
  std::size_t skipped = 0;  // numbers below those copied
  if (prob < 0.5) {
    count = copy_below(sample, mean - kCut * sd, begin);
  } else {
    count = copy_above(sample, mean + kCut * sd, begin);
    skipped = n - count;
  }
  if (rank < skipped || rank + 1 >= skipped + count) {
    std::copy(sample.begin(), sample.end(), begin);
    count = n;
    skipped = 0;
  }
  double* const below = begin + (rank - skipped);
  double* const end = begin + count;
  std::nth_element(begin, below, end);
  const double above = below + 1 == end ? *below : *std::min_element(below + 1, end);
  return {*below, above, position - std::floor(position)};
}

double quantile_of_counts(std::span<const double> sorted, double prob) noexcept {
  constexpr double kRounding = 1e-12;  // 0.95 of 200 is 190, whatever their product
  const double rank = std::ceil(prob * static_cast<double>(sorted.size()) * (1.0 - kRounding));
  return sorted[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

}  // namespace flymc
