#include "report/page_draws.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <span>

#include "diagnose/autocovariance.hpp"
#include "diagnose/moments.hpp"
#include "diagnose/rank_ess.hpp"

namespace flymc {

std::vector<double> thinned(std::span<const double> chain, std::size_t most) {
  if (chain.size() <= most) {
    return {chain.begin(), chain.end()};
  }
  const std::size_t stretches = std::max<std::size_t>(1, most / 2);
  std::vector<double> values;
  for (std::size_t b = 0; b < stretches; ++b) {
    const std::size_t first = b * chain.size() / stretches;
    const std::size_t last = (b + 1) * chain.size() / stretches;
    const auto stretch = chain.subspan(first, last - first);
    const auto [low, high] = std::minmax_element(stretch.begin(), stretch.end());
    values.push_back(low < high ? *low : *high);
    values.push_back(low < high ? *high : *low);
  }
  return values;
}

std::vector<std::vector<std::size_t>> rank_histograms(const Chains& draws, std::size_t bins) {
  const std::size_t total = draws.values().size();
  std::vector<std::size_t> order(total);
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Ties in the order of the draws: equal values favour no chain.
  const auto turn = [&](std::size_t i) { return i % draws.length(); };
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    const double x = draws.values()[a];
    const double y = draws.values()[b];
    return x != y ? x < y : turn(a) != turn(b) ? turn(a) < turn(b) : a < b;
  });
  std::vector counts(draws.count(), std::vector<std::size_t>(bins, 0));
  for (std::size_t rank = 0; rank < total; ++rank) {
    ++counts[order[rank] / draws.length()][rank * bins / total];
  }
  return counts;
}

std::vector<double> autocorrelations(const Chains& draws, std::size_t lags) {
  std::vector<double> rho = mean_autocovariance(draws);
  if (rho.empty() || !(rho[0] > 0.0) || !std::isfinite(rho[0])) {
    return {};
  }
  rho.resize(std::min(rho.size(), lags + 1));
  const double variance = rho[0];
  for (double& value : rho) {
    value /= variance;
  }
  return rho;
}

EssGrowth ess_growth(const Chains& draws, std::size_t points) {
  EssGrowth growth;
  std::vector<double> first;
  for (std::size_t i = 1; i <= points; ++i) {
    const std::size_t length = i * draws.length() / points;
    if (length == 0 || (!growth.draws.empty() && growth.draws.back() == length)) {
      continue;
    }
    first.clear();
    for (std::size_t k = 0; k < draws.count(); ++k) {
      const auto part = draws[k].first(length);
      first.insert(first.end(), part.begin(), part.end());
    }
    const Chains chains(first, draws.count());
    growth.draws.push_back(length);
    growth.bulk.push_back(ess_bulk(chains));
    growth.tail.push_back(ess_tail(chains));
  }
  return growth;
}

DensityCurve density_of(std::span<const double> draws, const Support& support, std::size_t points) {
  const double spread =
      std::min(standard_deviation(draws), (quantile(draws, 0.75) - quantile(draws, 0.25)) / 1.34);
  if (!(spread > 0.0) || !std::isfinite(spread)) {
    return {};
  }
  const auto n = static_cast<double>(draws.size());
  const double width = 0.9 * spread * std::pow(n, -0.2);
  const double low = std::max(support.low, quantile(draws, 0.001) - 2.0 * width);
  const double high = std::min(support.high, quantile(draws, 0.999) + 2.0 * width);
  const auto kernels = [&](double x) {
    double sum = 0.0;
    for (const double draw : draws) {
      const double t = (x - draw) / width;
      sum += std::exp(-0.5 * t * t);
    }
    return sum;
  };
  DensityCurve density;
  for (std::size_t i = 0; i < points; ++i) {
    const double x = low + (high - low) * static_cast<double>(i) / static_cast<double>(points - 1);
    double sum = kernels(x);
    for (const double bound : {support.low, support.high}) {
      sum += std::isfinite(bound) ? kernels(2.0 * bound - x) : 0.0;
    }
    density.x.push_back(x);
    density.y.push_back(sum / (n * width * std::sqrt(2.0 * std::numbers::pi)));
  }
  return density;
}

}  // namespace flymc
