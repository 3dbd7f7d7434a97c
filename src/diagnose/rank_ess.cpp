#include "diagnose/rank_ess.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "diagnose/autocovariance.hpp"
#include "diagnose/moments.hpp"
#include "flymc/detail/core/special.hpp"

namespace flymc {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

// `value` if both numbers it was made of are numbers: std::min and std::max lose NaN.
[[nodiscard]] double unless_nan(double a, double b, double value) {
  return std::isnan(a) || std::isnan(b) ? kUndefined : value;
}

// Finite and not constant: there is something to diagnose.
[[nodiscard]] bool varies(std::span<const double> values) {
  if (values.empty() || !std::ranges::all_of(values, [](double x) { return std::isfinite(x); })) {
    return false;
  }
  const auto [low, high] = std::ranges::minmax(values);
  return high - low >= std::numeric_limits<double>::epsilon();
}

// Halves of every chain, as a vector of 2 * count chains; one draw a chain is left whole.
[[nodiscard]] std::vector<double> split(const Chains& draws) {
  const std::size_t half = draws.length() / 2;
  if (half == 0) {
    return {draws.values().begin(), draws.values().end()};
  }
  std::vector<double> halves;
  halves.reserve(2 * half * draws.count());
  for (std::size_t k = 0; k < draws.count(); ++k) {
    const auto first = draws[k].first(half);
    const auto last = draws[k].last(half);
    halves.insert(halves.end(), first.begin(), first.end());
    halves.insert(halves.end(), last.begin(), last.end());
  }
  return halves;
}

// A view of what split() returned for chains like `draws`.
[[nodiscard]] Chains halves_of(const Chains& draws, std::span<const double> halves) {
  return {halves, draws.length() < 2 ? draws.count() : 2 * draws.count()};
}

// Values from the smallest to the largest, each with its place.
using Ascending = std::vector<std::pair<double, std::size_t>>;

[[nodiscard]] Ascending sorted(std::span<const double> values) {
  Ascending order(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    order[i] = {values[i], i};
  }
  std::ranges::sort(order);
  return order;
}

// Of |x - median|: values below it fall towards it as those above rise.
[[nodiscard]] Ascending folded(Ascending order, double median) {
  const auto above = std::ranges::find_if(order, [&](const auto& at) { return at.first > median; });
  for (auto& at : order) {
    at.first = std::abs(at.first - median);
  }
  std::reverse(order.begin(), above);
  std::ranges::inplace_merge(order, above, {}, &Ascending::value_type::first);
  return order;
}

// Phi^-1((r - 3/8)/(S + 1/4)) of each value's rank r, where it stands.
[[nodiscard]] std::vector<double> normal_scores(const Ascending& order) {
  std::vector<double> scores(order.size());
  const double scale = static_cast<double>(order.size()) + 0.25;
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && order[end].first == order[begin].first) {
      ++end;
    }
    const double rank = 0.5 * static_cast<double>(begin + 1 + end);
    const double score = normal_quantile((rank - 0.375) / scale);
    for (std::size_t i = begin; i < end; ++i) {
      scores[order[i].second] = score;
    }
  }
  return scores;
}

[[nodiscard]] std::vector<double> chain_means(const Chains& chains) {
  std::vector<double> means(chains.count());
  for (std::size_t k = 0; k < means.size(); ++k) {
    means[k] = mean(chains[k]);
  }
  return means;
}

// sqrt((B/W + n - 1)/n) with B = n var(chain means), W = mean(chain variances).
[[nodiscard]] double potential_scale(const Chains& chains) {
  if (!varies(chains.values())) {
    return kUndefined;
  }
  double within = 0.0;
  for (std::size_t k = 0; k < chains.count(); ++k) {
    within += variance(chains[k]) / static_cast<double>(chains.count());
  }
  const auto n = static_cast<double>(chains.length());
  const double between = n * variance(chain_means(chains));
  return std::sqrt((between / within + n - 1.0) / n);
}

// The autocorrelations rho_0 .. rho_T that Geyer's rules keep; T is even.
[[nodiscard]] std::vector<double> geyer_sequence(const Chains& chains) {
  MeanAutocovariance g(chains);
  const auto n = static_cast<double>(g.lags());
  const double within = g[0] * n / (n - 1.0);
  const double between = chains.count() > 1 ? variance(chain_means(chains)) : 0.0;
  const double var_plus = g[0] + between;
  const auto rho_at = [&](std::size_t t) { return 1.0 - (within - g[t]) / var_plus; };

  double even = 1.0;
  double odd = rho_at(1);
  std::vector<double> rho = {even, odd};
  while (rho.size() + 3 < g.lags() && even + odd > 0.0) {
    even = rho_at(rho.size());
    odd = rho_at(rho.size() + 1);
    const bool positive = even + odd >= 0.0;
    rho.insert(rho.end(), {positive ? even : 0.0, positive ? odd : 0.0});
  }
  rho.pop_back();
  if (even > 0.0) {
    rho.back() = even;  // the last pair may fail while its even term still counts
  }
  for (std::size_t t = 2; t + 2 < rho.size(); t += 2) {
    const double previous = rho[t - 2] + rho[t - 1];
    if (rho[t] + rho[t + 1] > previous) {
      rho[t] = rho[t + 1] = previous / 2.0;
    }
  }
  return rho;
}

[[nodiscard]] double effective_size(const Chains& chains) {
  if (chains.length() < 3 || !varies(chains.values())) {
    return kUndefined;
  }
  const std::vector<double> rho = geyer_sequence(chains);
  double sum = rho[0];
  for (std::size_t t = 1; t + 1 < rho.size(); ++t) {
    sum += rho[t];
  }
  const auto total = static_cast<double>(chains.values().size());
  const double tau = -1.0 + 2.0 * sum + rho.back();
  return total / std::max(tau, 1.0 / std::log10(total));
}

[[nodiscard]] double ess_quantile(const Chains& draws, double prob) {
  if (!varies(draws.values())) {
    return kUndefined;
  }
  const double threshold = quantile(draws.values(), prob);
  std::vector<double> below = split(draws);
  for (double& x : below) {
    x = x <= threshold ? 1.0 : 0.0;
  }
  return effective_size(halves_of(draws, below));
}

}  // namespace

RankDiagnostics rank_diagnostics(const Chains& draws) {
  const std::vector<double> halves = split(draws);
  if (std::ranges::any_of(halves, [](double x) { return std::isnan(x); })) {
    return {kUndefined, kUndefined};
  }
  const Ascending order = sorted(halves);
  const std::vector<double> scores = normal_scores(order);
  RankDiagnostics found{.ess_bulk = effective_size(halves_of(draws, scores)), .rhat = kUndefined};
  const double median = quantile(draws.values(), 0.5);
  if (std::isfinite(median)) {
    const std::vector<double> tails = normal_scores(folded(order, median));
    const double bulk = potential_scale(halves_of(draws, scores));
    const double tail = potential_scale(halves_of(draws, tails));
    found.rhat = unless_nan(bulk, tail, std::max(bulk, tail));
  }
  return found;
}

double rhat(const Chains& draws) { return rank_diagnostics(draws).rhat; }

double ess_bulk(const Chains& draws) { return rank_diagnostics(draws).ess_bulk; }

double ess_tail(const Chains& draws) {
  const double low = ess_quantile(draws, 0.05);
  const double high = ess_quantile(draws, 0.95);
  return unless_nan(low, high, std::min(low, high));
}

double ess_mean(const Chains& draws) {
  const std::vector<double> halves = split(draws);
  return effective_size(halves_of(draws, halves));
}

double mcse_mean(const Chains& draws) {
  return standard_deviation(draws.values()) / std::sqrt(ess_mean(draws));
}

}  // namespace flymc
