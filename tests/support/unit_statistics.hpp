// Tolerances of statistical unit tests, derived from the Monte Carlo error: each check has a chance
// of about 1e-5 to fail for a correct generator, and the seeds are fixed.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace flymc::unit {

inline constexpr double kTwoSided = 4.42;  // normal quantile of 1 - 0.5e-5
inline constexpr double kOneSided = 4.27;  // normal quantile of 1 - 1e-5

// The 1 - 1e-5 quantile of chi-square (Wilson-Hilferty).
[[nodiscard]] inline double chi_square_limit(double degrees) {
  const double v = 2.0 / (9.0 * degrees);
  const double root = 1.0 - v + kOneSided * std::sqrt(v);
  return degrees * root * root * root;
}

// Pearson's statistic of counts against expected counts.
[[nodiscard]] inline double chi_square(const std::vector<double>& counts,
                                       const std::vector<double>& expected) {
  double sum = 0.0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    sum += (counts[i] - expected[i]) * (counts[i] - expected[i]) / expected[i];
  }
  return sum;
}

// Pearson's statistic of `draws` numbers from draw() in [0, 1) over equal bins.
template <class Draw>
[[nodiscard]] double uniform_chi_square(std::size_t draws, std::size_t bins, Draw&& draw) {
  std::vector<double> counts(bins, 0.0);
  for (std::size_t i = 0; i < draws; ++i) {
    const auto bin = static_cast<std::size_t>(draw() * static_cast<double>(bins));
    counts[bin < bins ? bin : bins - 1] += 1.0;
  }
  const double each = static_cast<double>(draws) / static_cast<double>(bins);
  return chi_square(counts, std::vector<double>(bins, each));
}

// Mean of f(draw) over `draws` draws.
template <class Draw>
[[nodiscard]] double mean_of(std::size_t draws, Draw&& draw) {
  double sum = 0.0;
  for (std::size_t i = 0; i < draws; ++i) {
    sum += draw();
  }
  return sum / static_cast<double>(draws);
}

}  // namespace flymc::unit
