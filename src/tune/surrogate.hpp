// A stand-in for the posterior whose cost does not depend on the number of rows: every light row
// becomes the parabola with the average slope and curvature it has under the Laplace approximation,
//   g_n = E phi'(a + u),  w_n = -E phi''(a + u),  u ~ N(0, r_n^2);
// beacons stay exact. Its mean and covariance are a better centre and metric than the mode's where
// the posterior is skewed. Used in warm-up only; nothing exact rests on it.
// See docs/method/engine.md, Set-up.
#pragma once

#include <optional>
#include <tuple>
#include <utility>

#include "flymc/dataset.hpp"
#include "flymc/detail/posterior/baseline.hpp"
#include "flymc/family/prior.hpp"
#include "flymc/posterior/local_bounds.hpp"

namespace flymc {

namespace detail {

[[nodiscard]] inline Bounds without_coins(Bounds bounds) {
  bounds.rates = Rates();
  bounds.radii.clear();
  bounds.global_outside = true;
  return bounds;
}

}  // namespace detail

// Bounds with no coins: what is light is collapsed, and beacons are as before.
template <BoundedLikelihood M>
[[nodiscard]] Bounds make_surrogate(const M& model, const Dataset& data, const Bounds& bounds,
                                    unsigned threads) {
  const int k = bounds.predictors;
  const PassShape shape{.predictors = k, .grams = bounds.pairs, .threads = threads};
  const PassSums sums = run_pass(data, bounds.theta_hat, shape, [&](PassBlock& block) {
    Cubature<M> cubature(model);
    const std::vector<double> flat(static_cast<std::size_t>(bounds.pairs), 0.0);
    double value = 0.0;
    block.counter.query(block.range.size(), [&](std::size_t i) {
      const std::size_t n = block.range.first + i;
      const auto row = static_cast<Index>(i);
      const double light = bounds.is_beacon(static_cast<Datum>(n)) ? 0.0 : data.weight(n);
      if (light == 0.0) {  // its average may not even be finite
        block.slopes.row(row).setZero();
        block.weights.row(row).setZero();
        return;
      }
      const Tangent tangent{bounds.anchor(n), flat.data(), data.response(n)};
      double* slopes = &block.slopes(row, 0);
      value += light * evaluate_likelihood(model, tangent.anchor, tangent.response, slopes);
      std::ignore = cubature.expected_gap(tangent, bounds.leverage(n), slopes);
      cubature.expected_information(tangent, bounds.leverage(n), &block.weights(row, 0));
      block.slopes.row(row) *= light;
      block.weights.row(row) *= light;
    });
    return value;
  });
  Bounds surrogate = detail::without_coins(bounds);
  surrogate.light =
      Collapsed(sums.value, Eigen::Map<const Vector>(sums.gradient.data(), sums.gradient.size()),
                sums.grams, k);
  surrogate.collapsed = surrogate.light;
  if (bounds.parabolic_beacons > 0) {
    const auto parabolic = std::span<const Datum>(bounds.beacons).first(bounds.parabolic_beacons);
    RemoteRows remote_rows(data, bounds, bounds.rates.held());
    remote_rows.fetch(parabolic);
    surrogate.collapsed.add(detail::sum_parabolas(model, data, bounds, remote_rows, parabolic),
                            1.0);
  }
  surrogate.queries = sums.queries;
  return surrogate;
}

// Mean and precision of a surrogate without beacons: it is a Gaussian. None where that is not
// positive definite.
[[nodiscard]] std::optional<Anchor> gaussian_anchor(const Prior& prior, const Bounds& surrogate);

// How far the gradient points from the anchor to the mode, in posterior standard deviations.
[[nodiscard]] double distance_to_mode(const Prior& prior, const LocalPass& pass,
                                      const Anchor& anchor);

// The same for the smoothed gradient: to the mean.
[[nodiscard]] double smooth_shift(const Prior& prior, const LocalPass& pass, const Anchor& anchor);

}  // namespace flymc
