// Local bounds ready for chains: out of one pass (local_pass.hpp) the beacons, data that are always
// evaluated and leave every sum, and the rates of all others.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "flymc/target/local_pass.hpp"
#include "flymc/target/row_sums.hpp"

namespace flymc {

namespace detail {

// Data without a finite tangent join the beacons, chosen or not.
inline void add_unbounded(const LocalPass& pass, std::vector<Datum>& beacons) {
  for (std::size_t n = 0; n < pass.rates.size(); ++n) {
    if (!pass.has_bound(n)) {
      beacons.push_back(static_cast<Datum>(n));
    }
  }
  std::sort(beacons.begin(), beacons.end());
  beacons.erase(std::unique(beacons.begin(), beacons.end()), beacons.end());
}

// The tangents of some data in the innermost shell, slack included, as they stand in the sums.
template <BoundedLikelihood M>
[[nodiscard]] Collapsed sum_tangents(const M& model, const Dataset& data, const LocalPass& pass,
                                     const std::vector<Datum>& rows) {
  const Bounds& bounds = pass.bounds;
  std::vector<double> scratch(static_cast<std::size_t>(bounds.pairs));
  const auto one = [&](std::size_t i, double* slopes, double* weights) {
    const Datum n = rows[i];
    const double weight = data.weight(n);
    if (pass.has_bound(n)) {
      shell_curvature(model, bounds, n, data.response(n), 0, scratch.data(), weights);
    } else {  // nor did it bend in the sums
      std::fill_n(weights, bounds.pairs, 0.0);
    }
    const double value = evaluate_likelihood(model, bounds.anchor(n), data.response(n), slopes);
    std::for_each_n(weights, bounds.pairs, [&](double& bend) { bend *= weight; });
    std::for_each_n(slopes, bounds.predictors, [&](double& slope) { slope *= weight; });
    return weight * value - pass.slack(n);
  };
  return sum_rows(data, rows, bounds.predictors, one);
}

// Log likelihoods to second order at the anchor, bending no way but down.
template <BoundedLikelihood M>
[[nodiscard]] Collapsed sum_parabolas(const M& model, const Dataset& data, const Bounds& bounds,
                                      const std::vector<Datum>& rows) {
  const auto one = [&](std::size_t i, double* slopes, double* weights) {
    const Datum n = rows[i];
    const double weight = data.weight(n);
    evaluate_information(model, bounds.anchor(n), data.response(n), weights);
    const double value = evaluate_likelihood(model, bounds.anchor(n), data.response(n), slopes);
    std::for_each_n(weights, bounds.pairs, [&](double& w) { w = weight * std::max(w, 0.0); });
    std::for_each_n(slopes, bounds.predictors, [&](double& slope) { slope *= weight; });
    return weight * value;
  };
  return sum_rows(data, rows, bounds.predictors, one);
}

}  // namespace detail

// Makes these data beacons and builds the rates of all others. A beacon leaves every sum; one that
// the posterior holds within a standard deviation of predictor leaves its parabola behind, to be
// taken off again where the beacon itself is evaluated. A wall is no parabola: a row of larger
// leverage leaves nothing.
template <BoundedLikelihood M>
[[nodiscard]] Bounds with_beacons(const M& model, const Dataset& data, LocalPass pass,
                                  std::vector<Datum> beacons, unsigned threads) {
  Bounds& bounds = pass.bounds;
  detail::add_unbounded(pass, beacons);
  const auto by_reach = [&](Datum a, Datum b) {
    return std::pair(bounds.reach(a), a) < std::pair(bounds.reach(b), b);
  };
  std::sort(beacons.begin(), beacons.end(), by_reach);
  const auto walls = std::partition_point(beacons.begin(), beacons.end(),
                                          [&](Datum n) { return bounds.reach(n) <= 1.0; });
  bounds.parabolic_beacons = static_cast<std::size_t>(walls - beacons.begin());
  if (beacons.size() == data.rows()) {  // the sum of nothing is zero, not rounding noise
    bounds.light.add(bounds.light, -1.0);
  } else if (!beacons.empty()) {
    bounds.light.add(detail::sum_tangents(model, data, pass, beacons), -1.0);
  }
  bounds.collapsed = bounds.light;
  if (bounds.parabolic_beacons > 0) {
    bounds.collapsed.add(detail::sum_parabolas(model, data, bounds, {beacons.begin(), walls}), 1.0);
  }
  for (const Datum n : beacons) {
    pass.rates[n] = 0.0F;
  }
  bounds.beacons = std::move(beacons);
  bounds.rates = Rates(std::move(pass.rates), threads);
  bounds.expected_bright = bounds.rates.total() / pass.kappa;
  return std::move(bounds);
}

// No beacons: every datum has its coin.
template <BoundedLikelihood M>
[[nodiscard]] Bounds make_local_bounds(const M& model, const Dataset& data, const Anchor& anchor,
                                       const LocalOptions& options) {
  return with_beacons(model, data, local_pass(model, data, anchor, options), {}, options.threads);
}

}  // namespace flymc
