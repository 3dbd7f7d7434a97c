// The two order statistics around a quantile of type 7, for very many samples of one size: a sample
// that looks normal is searched in its tail only, any other in full.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace flymc {

// quantile() = below + fraction (above - below). REQUIRES: below <= above.
struct Neighbours {
  double below = 0.0;
  double above = 0.0;
  double fraction = 0.0;

  // The quantile of g(sample), g monotone and increasing, given g(below) and g(above). Equal
  // neighbours stay exactly equal; nothing of an infinite one above is nothing.
  [[nodiscard]] static double interpolate(double low, double high, double fraction) noexcept {
    return low == high || fraction == 0.0 ? low : (1.0 - fraction) * low + fraction * high;
  }
};

// Keeps its scratch; not thread-safe.
class TailSearch {
 public:
  // REQUIRES: a sample that is not empty and holds no NaN; 0 <= prob <= 1. `mean` and `sd` only
  // tell where to look: any numbers give the same answer. O(n), without an allocation after the
  // first call.
  [[nodiscard]] Neighbours find(std::span<const double> sample, double prob, double mean,
                                double sd);

 private:
  std::vector<double> scratch_;
};

// The quantile of a sample of counts, which is one of them: the smallest with at least such a share
// of the sample at or below it. REQUIRES: sorted, not empty; 0 <= prob <= 1.
[[nodiscard]] double quantile_of_counts(std::span<const double> sorted, double prob) noexcept;

}  // namespace flymc
