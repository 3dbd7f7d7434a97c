#include "diagnose/pareto.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace flymc {
namespace {

constexpr std::size_t kFewest = 5;  // of a tail

double mean_log1p(std::span<const double> values, double factor) {
  double sum = 0.0;
  for (const double value : values) {
    sum += std::log1p(factor * value);
  }
  return sum / static_cast<double>(values.size());
}

// Where the first quartile of so many ordered numbers stands, as R's loo takes it.
std::size_t first_quartile(std::size_t count) { return (count + 2) / 4 - 1; }

// sum_j theta_j exp(l_j) / sum_j exp(l_j).
double weighted_mean(std::span<const double> theta, std::span<const double> log_weight) {
  const double top = *std::max_element(log_weight.begin(), log_weight.end());
  double total = 0.0;
  double sum = 0.0;
  for (std::size_t j = 0; j < theta.size(); ++j) {
    const double weight = std::exp(log_weight[j] - top);
    total += weight;
    sum += weight * theta[j];
  }
  return sum / total;
}

// Positions of all weights, the largest last and in order.
std::vector<std::size_t> ordered_tail(std::span<const double> log_weights, std::size_t tail) {
  std::vector<std::size_t> order(log_weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto lighter = [&](std::size_t a, std::size_t b) {
    return log_weights[a] < log_weights[b];
  };
  const auto first = order.end() - static_cast<std::ptrdiff_t>(tail);
  std::nth_element(order.begin(), first - 1, order.end(), lighter);
  std::sort(first, order.end(), lighter);
  return order;
}

}  // namespace

ParetoFit fit_pareto(std::span<const double> x) {
  const auto n = static_cast<double>(x.size());
  const auto points = 30 + static_cast<std::size_t>(std::sqrt(n));
  const double quartile = x[first_quartile(x.size())];
  std::vector<double> theta(points);
  std::vector<double> profile(points);
  for (std::size_t j = 0; j < points; ++j) {
    const double share = static_cast<double>(points) / (static_cast<double>(j) + 0.5);
    theta[j] = 1.0 / x.back() + (1.0 - std::sqrt(share)) / (3.0 * quartile);
    const double k = mean_log1p(x, -theta[j]);
    profile[j] = n * (std::log(-theta[j] / k) - k - 1.0);
  }
  const double at = weighted_mean(theta, profile);
  const double k = mean_log1p(x, -at);
  constexpr double kPriorDraws = 10.0;
  return {(n * k + 0.5 * kPriorDraws) / (n + kPriorDraws), -k / at};
}

double smooth_weights(std::span<double> log_weights) {
  const double top = *std::max_element(log_weights.begin(), log_weights.end());
  for (double& weight : log_weights) {
    weight -= top;
  }
  const auto count = static_cast<double>(log_weights.size());
  const auto tail =
      static_cast<std::size_t>(std::ceil(std::min(0.2 * count, 3.0 * std::sqrt(count))));
  if (tail < kFewest || tail >= log_weights.size()) {
    return std::numeric_limits<double>::infinity();
  }
  const std::vector<std::size_t> order = ordered_tail(log_weights, tail);
  const auto first = order.end() - static_cast<std::ptrdiff_t>(tail);
  const double threshold = std::exp(log_weights[*(first - 1)]);
  std::vector<double> exceedances;
  for (auto i = first; i != order.end(); ++i) {
    exceedances.push_back(std::exp(log_weights[*i]) - threshold);
  }
  if (exceedances.back() <= 1e-13) {
    return 0.0;  // equal weights
  }
  // Whose first quartile is 0 has no scale to look for a law at.
  if (!(exceedances[first_quartile(tail)] > 0.0)) {
    return std::numeric_limits<double>::infinity();
  }
  const ParetoFit law = fit_pareto(exceedances);
  if (!std::isfinite(law.k) || !std::isfinite(law.sigma)) {
    return std::numeric_limits<double>::infinity();
  }
  for (std::size_t j = 0; j < tail; ++j) {
    const double p = (static_cast<double>(j) + 0.5) / static_cast<double>(tail);
    const double excess = law.sigma * std::expm1(-law.k * std::log1p(-p)) / law.k;
    log_weights[*(first + static_cast<std::ptrdiff_t>(j))] =
        std::min(0.0, std::log(threshold + excess));
  }
  return law.k;
}

}  // namespace flymc
