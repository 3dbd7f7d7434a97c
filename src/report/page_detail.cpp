#include "report/page_detail.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <span>

#include "core/parallel.hpp"
#include "diagnose/moments.hpp"
#include "report/numbers.hpp"
#include "report/page_draws.hpp"

namespace flymc {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kRankBins = 20;
constexpr std::size_t kLags = 50;
constexpr std::size_t kGrowthPoints = 10;
constexpr std::size_t kFewestPoints = 50;  // of a chain's trace, however many chains

// Short numbers: what a pixel cannot show is not sent.
[[nodiscard]] Json rounded_list(const std::vector<double>& values, int decimals) {
  Json list = Json::array();
  for (const double value : values) {
    list.push_back(rounded(value, decimals));
  }
  return list;
}

[[nodiscard]] int decimals_for(const Chains& draws) {
  const double sd = standard_deviation(draws.values());
  return sd > 0.0 && std::isfinite(sd) ? std::clamp(supported_decimals(sd) + 2, -15, 15) : 6;
}

[[nodiscard]] Json trace(const Chains& draws, std::size_t points) {
  const std::size_t most = std::max(kFewestPoints, points / draws.count());
  const int decimals = decimals_for(draws);
  Json chains = Json::array();
  for (std::size_t k = 0; k < draws.count(); ++k) {
    chains.push_back(rounded_list(thinned(draws[k], most), decimals));
  }
  return chains;
}

[[nodiscard]] bool shows_all(const RunChains& run, std::size_t points) {
  return run.chains.front().draws() <= std::max(kFewestPoints, points / run.chains.size());
}

[[nodiscard]] Json detail_of(const Chains& draws, std::size_t trace_points) {
  const EssGrowth growth = ess_growth(draws, kGrowthPoints);
  return {{"ranks", rank_histograms(draws, kRankBins)},
          {"acf", rounded_list(autocorrelations(draws, kLags), 3)},
          {"growth",
           {{"draws", growth.draws},
            {"bulk", rounded_list(growth.bulk, 0)},
            {"tail", rounded_list(growth.tail, 0)}}},
          {"chains", trace(draws, trace_points)}};
}

// {"low", "high", "y"}: the heights at equally spaced points, the largest being 1.
[[nodiscard]] Json page_density_of(const std::vector<double>& values) {
  constexpr std::size_t kPoints = 41;
  constexpr std::size_t kMostDraws = 4000;
  std::vector<double> some;
  for (std::size_t i = 0; i < values.size(); i += 1 + values.size() / kMostDraws) {
    some.push_back(values[i]);
  }
  DensityCurve density = density_of(some, {}, kPoints);
  if (density.x.empty()) {
    return nullptr;
  }
  const double top = std::ranges::max(density.y);
  std::ranges::for_each(density.y, [&](double& y) { y /= top; });
  return {
      {"low", density.x.front()}, {"high", density.x.back()}, {"y", rounded_list(density.y, 3)}};
}

// Adds the `count` first of `order` that are not there yet.
void add_first(std::vector<std::size_t>& chosen, const std::vector<std::size_t>& order,
               std::size_t count) {
  for (const std::size_t i : order) {
    if (count == 0) {
      return;
    }
    if (std::ranges::find(chosen, i) == chosen.end()) {
      chosen.push_back(i);
      --count;
    }
  }
}

// Indices of the parameters, the largest key first; an undefined one is largest.
template <class Key>
[[nodiscard]] std::vector<std::size_t> largest_first(const Summary& summary, const Key& key) {
  std::vector<double> keys;
  const std::size_t drawn = summary.parameters.size() - summary.streamed;
  for (const ParameterSummary& parameter : std::span(summary.parameters).first(drawn)) {
    const double value = key(parameter.estimate);
    keys.push_back(std::isnan(value) ? std::numeric_limits<double>::infinity() : value);
  }
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return keys[a] > keys[b]; });
  return order;
}

}  // namespace

Json page_traces(const RunChains& run, const PageLimits& limits) {
  Json series = Json::array();
  for (const char* column : {"lp__", "bright__"}) {
    const std::vector<double> values = gather(run, column);
    const bool moves = std::ranges::any_of(values, [](double value) { return value != 0.0; });
    if (moves) {  // a regular run has no bright points
      const Chains draws(values, run.chains.size());
      series.push_back({{"column", column}, {"chains", trace(draws, limits.trace_points)}});
    }
  }
  return {{"draws", run.chains.front().draws()},
          {"all", shows_all(run, limits.trace_points)},
          {"series", std::move(series)}};
}

std::vector<std::size_t> detailed(const Summary& summary, std::size_t most) {
  const auto by_rhat = largest_first(summary, [](const Estimate& e) { return e.rhat; });
  const auto by_ess = largest_first(summary, [](const Estimate& e) { return -e.ess_bulk; });
  const auto by_size =
      largest_first(summary, [](const Estimate& e) { return std::abs(e.mean / e.sd); });
  std::vector<std::size_t> chosen;
  add_first(chosen, by_rhat, most / 4);
  add_first(chosen, by_ess, most / 4);
  add_first(chosen, by_size, most - std::min(most, chosen.size()));
  return chosen;
}

Json page_detail(const Summary& summary, const RunChains& run, const PageLimits& limits) {
  std::vector<std::size_t> rows = detailed(summary, limits.detailed);
  rows.push_back(summary.parameters.size());
  const std::size_t points =
      std::min(limits.trace_points, limits.detail_trace_points / rows.size());
  std::vector<Json> entries(rows.size());
  parallel_for(rows.size(), 0, [&](std::size_t i) {
    const std::size_t row = rows[i];
    const bool is_parameter = row < summary.parameters.size();
    const auto& parameter = is_parameter ? summary.parameters[row] : summary.log_density;
    const std::vector<double> values = gather(run, parameter.column);
    entries[i] = detail_of(Chains(values, run.chains.size()), points);
    entries[i]["row"] = row;
    entries[i]["density"] = is_parameter ? page_density_of(values) : nullptr;
  });
  return {{"bins", kRankBins},
          {"draws", run.chains.front().draws()},
          {"all", shows_all(run, points)},
          {"entries", std::move(entries)}};
}

}  // namespace flymc
