// Local bounds ready for chains: out of one pass (local_pass.hpp) the beacons, data that are always
// evaluated and leave every sum, and the rates of all others.
// See docs/method/engine.md, Beacons and merged rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "flymc/detail/core/bytes.hpp"
#include "flymc/detail/posterior/local_pass.hpp"
#include "flymc/detail/posterior/row_sums.hpp"
#include "flymc/posterior/bounds.hpp"

namespace flymc {

namespace detail {

// Data without a finite tangent join the beacons, chosen or not. Collective.
inline void add_unbounded(const Dataset& data, const LocalPass& pass, std::vector<Datum>& beacons) {
  std::vector<Datum> unbounded;
  for (std::size_t i = 0; i < pass.rates.size(); ++i) {
    if (!CoinRate(pass.rates[i]).has_bound()) {
      unbounded.push_back(data.shard().mine().first + i);
    }
  }
  ByteWriter mine;
  mine.put_all(unbounded);
  for (const std::string& bytes : data.shard().ranks().gather(mine.bytes())) {
    ByteReader(bytes).get_all(unbounded);
    beacons.insert(beacons.end(), unbounded.begin(), unbounded.end());
  }
  std::sort(beacons.begin(), beacons.end());
  beacons.erase(std::unique(beacons.begin(), beacons.end()), beacons.end());
}

// The tangents of some data in the innermost shell, slack included, as they stand in the sums.
template <BoundedLikelihood M>
[[nodiscard]] Collapsed sum_tangents(const M& model, const Dataset& data, const LocalPass& pass,
                                     const RemoteRows& remote_rows, std::span<const Datum> rows) {
  const Tangents& tangents = pass.tangents;
  std::vector<double> scratch(static_cast<std::size_t>(tangents.pairs));
  const auto one = [&](const RemoteRow& n, double* slopes, double* weights) {
    const double weight = n.row.weight;
    if (n.rate->has_bound()) {
      shell_curvature(model, tangents, n.touch(), 0, scratch.data(), weights);
    } else {  // nor did it bend in the sums
      std::fill_n(weights, tangents.pairs, 0.0);
    }
    const double value = evaluate_likelihood(model, n.touch_point, n.row.response, slopes);
    std::for_each_n(weights, tangents.pairs, [&](double& bend) { bend *= weight; });
    std::for_each_n(slopes, tangents.predictors, [&](double& slope) { slope *= weight; });
    return weight * value - pass.slack(*n.rate);
  };
  return sum_rows(data, remote_rows, rows, one);
}

// Log likelihoods to second order at the anchor, bending no way but down.
template <BoundedLikelihood M>
[[nodiscard]] Collapsed sum_parabolas(const M& model, const Dataset& data,
                                      const RemoteRows& remote_rows, std::span<const Datum> rows) {
  const Tangents& tangents = remote_rows.tangents();
  const auto one = [&](const RemoteRow& n, double* slopes, double* weights) {
    const double weight = n.row.weight;
    parabola_curvature(model, n.touch_point, n.row.response, weights);
    const double value = evaluate_likelihood(model, n.touch_point, n.row.response, slopes);
    std::for_each_n(weights, tangents.pairs, [&](double& bend) { bend *= weight; });
    std::for_each_n(slopes, tangents.predictors, [&](double& slope) { slope *= weight; });
    return weight * value;
  };
  return sum_rows(data, remote_rows, rows, one);
}

// By how far the posterior lets them move; returns how many stay within a standard deviation.
[[nodiscard]] inline std::size_t sort_by_reach(const Dataset& data, const RemoteRows& remote_rows,
                                               std::vector<Datum>& beacons) {
  Vector scratch(data.columns());
  std::vector<std::pair<double, Datum>> by_reach;
  for (const Datum n : beacons) {
    by_reach.emplace_back(remote_rows.at(n, scratch.data()).reach(remote_rows.tangents()), n);
  }
  std::sort(by_reach.begin(), by_reach.end());
  for (std::size_t i = 0; i < beacons.size(); ++i) {
    beacons[i] = by_reach[i].second;
  }
  return static_cast<std::size_t>(
      std::ranges::count_if(by_reach, [](const auto& beacon) { return beacon.first <= 1.0; }));
}

// How often coins are looked at. An iteration costs T queries of theta and in proportion to the
// eagerness s of its coins, M s; a draw lags by their age, a + b/s: the cheapest s grows with
// sqrt(T/M), and T with the beacons, which coins do not pay for. Rates are made for none. Of narrow
// tables a sweep leaves few coins old.
[[nodiscard]] inline double eagerness(std::size_t parameters, std::size_t beacons, double bright) {
  constexpr std::size_t kWide = 128;
  constexpr double kMost = 4.0;
  return parameters < kWide || !(bright > 0.0)
             ? 1.0
             : std::min(kMost, std::sqrt(1.0 + static_cast<double>(beacons) / bright));
}

// The coins of all data but these.
[[nodiscard]] inline CoinRates make_coins(const Dataset& data, LocalPass& pass,
                                          std::span<const Datum> beacons, unsigned threads) {
  for (const Datum n : beacons) {
    if (data.shard().holds(n)) {
      pass.rates[n - data.shard().mine().first] = CoinRate::beacon().stored();
    }
  }
  CoinRates coins{.rates = Rates(std::move(pass.rates), data.shard(), threads),
                  .slack_per_rate = pass.slack_per_rate};
  coins.expected_bright = coins.rates.total() / pass.kappa;
  coins.eagerness = eagerness(static_cast<std::size_t>(pass.tangents.theta_hat.size()),
                              beacons.size(), coins.expected_bright);
  return coins;
}

}  // namespace detail

// Makes these data beacons and builds the rates of all others. A beacon leaves every sum; one that
// the posterior holds within a standard deviation of predictor leaves its parabola behind, to be
// taken off again where the beacon itself is evaluated. A wall is no parabola: a row of larger
// leverage leaves nothing. Collective.
template <BoundedLikelihood M>
[[nodiscard]] Bounds with_beacons(const M& model, const Dataset& data, LocalPass pass,
                                  std::vector<Datum> beacons, unsigned threads) {
  detail::add_unbounded(data, pass, beacons);
  RemoteRows remote_rows(data, pass.tangents, pass.rates);
  remote_rows.fetch(beacons);
  Bounds bounds;
  bounds.queries = pass.queries;
  bounds.threads = threads;
  bounds.beacons.parabolic_count = detail::sort_by_reach(data, remote_rows, beacons);
  bounds.beacons.rows = std::move(beacons);
  const std::vector<Datum>& lit = bounds.beacons.rows;
  bounds.light = pass.sum;
  if (lit.size() == data.rows()) {  // the sum of nothing is zero, not rounding noise
    bounds.light.add(bounds.light, -1.0);
  } else if (!lit.empty()) {
    bounds.light.add(detail::sum_tangents(model, data, pass, remote_rows, lit), -1.0);
  }
  bounds.gaussian = bounds.light;
  if (bounds.beacons.parabolic_count > 0) {
    bounds.gaussian.add(detail::sum_parabolas(model, data, remote_rows, bounds.beacons.parabolic()),
                        1.0);
  }
  bounds.coins = detail::make_coins(data, pass, lit, threads);
  bounds.tangents = std::move(pass.tangents);
  return bounds;
}

// No beacons: every datum has its coin.
template <BoundedLikelihood M>
[[nodiscard]] Bounds make_local_bounds(const M& model, const Dataset& data, const Anchor& anchor,
                                       const LocalOptions& options) {
  return with_beacons(model, data, local_pass(model, data, anchor, options), {}, options.threads);
}

}  // namespace flymc
