#include "diagnose/moments.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

#include "flymc/detail/core/special.hpp"

namespace flymc {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

double mean(std::span<const double> sample) noexcept {
  const auto n = static_cast<double>(sample.size());
  const double rough = std::accumulate(sample.begin(), sample.end(), 0.0) / n;
  if (!std::isfinite(rough)) {
    return rough;
  }
  double rest = 0.0;
  for (const double x : sample) {
    rest += x - rough;
  }
  return rough + rest / n;
}

double variance(std::span<const double> sample) noexcept {
  if (sample.size() < 2) {
    return kNan;
  }
  const double centre = mean(sample);
  double squares = 0.0;
  for (const double x : sample) {
    squares += (x - centre) * (x - centre);
  }
  return squares / static_cast<double>(sample.size() - 1);
}

double standard_deviation(std::span<const double> sample) noexcept {
  return std::sqrt(variance(sample));
}

double quantile(std::span<const double> sample, double prob) {
  if (sample.empty() || std::ranges::any_of(sample, [](double x) { return std::isnan(x); })) {
    return kNan;
  }
  std::vector<double> values(sample.begin(), sample.end());
  const double position = static_cast<double>(values.size() - 1) * prob;
  const auto below = values.begin() + static_cast<std::ptrdiff_t>(position);
  std::nth_element(values.begin(), below, values.end());
  const double fraction = position - std::floor(position);
  if (fraction == 0.0) {
    return *below;
  }
  const double above = *std::min_element(below + 1, values.end());
  // Equal neighbours stay exactly equal: tail ESS compares draws with their own quantile.
  return above == *below ? above : (1.0 - fraction) * *below + fraction * above;
}

CentralInterval central_interval(std::span<const double> sample, double prob, double error) {
  const CentralInterval of_sample{quantile(sample, 0.5 * (1.0 - prob)),
                                  quantile(sample, 0.5 * (1.0 + prob))};
  if (!(error > 0.0)) {
    return of_sample;
  }
  const double centre = mean(sample);
  const double reach = error * normal_quantile(0.5 * (1.0 + prob));
  return {centre - std::hypot(centre - of_sample.lower, reach),
          centre + std::hypot(of_sample.upper - centre, reach)};
}

}  // namespace flymc
