// A stand-in for the posterior whose cost does not depend on the number of rows: every light row
// becomes the parabola with the average slope and curvature it has under the Laplace approximation,
//   g_n = E phi'(a + u),  w_n = -E phi''(a + u),  u ~ N(0, r_n^2);
// beacons stay exact. Its mean and covariance are a better centre and metric than the mode's where
// the posterior is skewed. Used in warm-up only; nothing exact rests on it.
// See docs/method/engine.md, Set-up.
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>

#include "flymc/dataset.hpp"
#include "flymc/detail/posterior/baseline.hpp"
#include "flymc/detail/posterior/dark_setting.hpp"
#include "flymc/family/prior.hpp"
#include "flymc/posterior/local_bounds.hpp"

namespace flymc {

// No bound of anything, and no coins: a density that is dark everywhere (dark_target.hpp).
struct Surrogate {
  Tangents tangents;
  Collapsed light;     // the parabolas of all data but beacons
  Collapsed gaussian;  // and those that beacons leave
  Beacons beacons;
  std::uint64_t queries = 0;

  [[nodiscard]] DarkParts parts() const noexcept { return {tangents, gaussian, beacons}; }
};

// What is light is collapsed, and beacons are as in the bounds.
template <BoundedLikelihood M>
[[nodiscard]] Surrogate make_surrogate(const M& model, const Dataset& data, const Bounds& bounds,
                                       unsigned threads) {
  const Tangents& tangents = bounds.tangents;
  const int k = tangents.predictors;
  const PassShape shape{.predictors = k, .grams = tangents.pairs, .threads = threads};
  PassSums sums = run_pass(data, tangents.theta_hat, shape, [&](PassBlock& block) {
    Cubature<M> cubature(model);
    const std::vector<double> flat(static_cast<std::size_t>(tangents.pairs), 0.0);
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
      const Tangent tangent{tangents.touch_point(n), flat.data(), data.response(n)};
      double* slopes = &block.slopes(row, 0);
      value += light * evaluate_likelihood(model, tangent.anchor, tangent.response, slopes);
      std::ignore = cubature.expected_gap(tangent, tangents.leverage(n), slopes);
      cubature.expected_information(tangent, tangents.leverage(n), &block.weights(row, 0));
      block.slopes.row(row) *= light;
      block.weights.row(row) *= light;
    });
    return value;
  });
  Surrogate surrogate{.tangents = tangents,
                      .light = Collapsed(tangents.theta_hat, sums.value, sums.gradient.col(0),
                                         std::move(sums.precision), k),
                      .gaussian = {},
                      .beacons = bounds.beacons,
                      .queries = sums.queries};
  surrogate.gaussian = surrogate.light;
  if (bounds.beacons.parabolic_count > 0) {
    RemoteRows remote_rows(data, tangents, std::nullopt);
    remote_rows.fetch(bounds.beacons.parabolic());
    surrogate.gaussian.add(
        detail::sum_parabolas(model, data, remote_rows, bounds.beacons.parabolic()), 1.0);
  }
  return surrogate;
}

// Whether beacons are all that this Gaussian part leaves to be sampled. Where a likelihood is not
// log-concave (Student-t) rows far from their predictor bend the other way: such a sum may grow
// without end, and beacons, which fall only as logarithms there, do not hold it.
[[nodiscard]] bool is_positive_definite(const Prior& prior, const Collapsed& gaussian);

// Mean and precision of prior times Gaussian part: of a surrogate without beacons. None where that
// is not positive definite.
[[nodiscard]] std::optional<Anchor> gaussian_anchor(const Prior& prior, const Collapsed& gaussian);

// The log posterior at the anchor of a pass. Collective.
[[nodiscard]] double log_posterior(const Prior& prior, const Dataset& data, const LocalPass& pass);

// How far the gradient points from the anchor to the mode, in posterior standard deviations.
[[nodiscard]] double distance_to_mode(const Prior& prior, const LocalPass& pass,
                                      const Anchor& anchor);

// The same for the smoothed gradient: to the mean.
[[nodiscard]] double smooth_shift(const Prior& prior, const LocalPass& pass, const Anchor& anchor);

}  // namespace flymc
