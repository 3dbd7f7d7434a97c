// The paper's bounds: one global tangent a datum, touching at the MAP (tuned) or at one xi for all
// (untuned). With e_n = y_n(theta_hat) - a_n, zero when tuned:
//   linear = sum w (phi' - k e) x,   constant = sum w (phi + phi' e - k e^2 / 2).
// The linear term stays: at an anchor that is not exactly the MAP, dropping it is a bias.
// See docs/method/paper.md, The collapse.
#pragma once

#include <algorithm>
#include <utility>

#include "flymc/dataset.hpp"
#include "flymc/detail/posterior/pass.hpp"
#include "flymc/posterior/anchor.hpp"
#include "flymc/posterior/bounds.hpp"

namespace flymc {

struct GlobalOptions {
  BoundKind kind = BoundKind::kMapTuned;
  double xi = 0.0;  // untuned: where all tangents touch, in the model's own terms
  unsigned threads = 0;
};

namespace detail {

// One datum's share of the collapsed sums, unweighted; `slopes` receives phi' - A e. `scratch`
// holds a number per predictor.
template <BoundedLikelihood M>
[[nodiscard]] double collapse_datum(const M& model, const Tangent& t, const double* eta,
                                    double* slopes, double* scratch) noexcept {
  const int k = predictor_count(model);
  double value = evaluate_likelihood(model, t.anchor, t.response, slopes);
  for (int j = 0; j < k; ++j) {
    scratch[j] = t.anchor[j] - eta[j];  // -e: the bend is taken off the slopes
    value -= slopes[j] * scratch[j];
  }
  return value - add_curvature(curvature_form<M>(), t.curvature, scratch, k, slopes);
}

// One block of the pass: touching points to `points`, the rest to the block's sums.
template <BoundedLikelihood M>
[[nodiscard]] double collapse_block(const M& model, const Dataset& data,
                                    const GlobalOptions& options, double* points,
                                    PassBlock& block) {
  const auto width = static_cast<std::size_t>(predictor_count(model));
  std::vector<double> curvature(static_cast<std::size_t>(curvature_count(model)));
  std::vector<double> scratch(width);
  double value = 0.0;
  block.counter.query(block.range.size(), [&](std::size_t i) {
    const std::size_t n = block.range.first + i;
    const auto row = static_cast<Index>(i);
    double* touch = points + (n - data.shard().mine().first) * width;
    if (options.kind == BoundKind::kUntuned) {
      untuned_anchor(model, data.response(n), options.xi, touch);
    } else {
      std::copy_n(&block.eta(row, 0), width, touch);
    }
    global_curvature(model, touch, data.response(n), curvature.data());
    const Tangent tangent{touch, curvature.data(), data.response(n)};
    value += data.weight(n) * collapse_datum(model, tangent, &block.eta(row, 0),
                                             &block.slopes(row, 0), scratch.data());
    block.slopes.row(row) *= data.weight(n);
    block.weights(row, 0) = data.weight(n) * curvature[0];
  });
  return value;
}

}  // namespace detail

template <BoundedLikelihood M>
[[nodiscard]] Bounds make_bounds(const M& model, const Dataset& data, const Anchor& anchor,
                                 const GlobalOptions& options) {
  static_assert(kHasGlobalBound<M>);
  const int k = predictor_count(model);
  const RowRange held = data.shard().mine();
  Buffer<double> points(held.size() * static_cast<std::size_t>(k));
  const PassShape shape{.predictors = k, .grams = 1, .threads = options.threads};
  PassSums sums = run_pass(data, anchor.theta, shape, [&](PassBlock& block) {
    return detail::collapse_block(model, data, options, points.data(), block);
  });
  Bounds bounds;
  bounds.tangents = {
      .kind = options.kind,
      .predictors = k,
      .form = curvature_form<M>(),
      .pairs = curvature_count(model),
      .theta_hat = anchor.theta,
      .shells = {},
      .rows = std::make_shared<const TouchRows>(TouchRows{held.first, std::move(points), {}})};
  bounds.light =
      Collapsed(anchor.theta, sums.value, sums.gradient.col(0), std::move(sums.precision), k);
  bounds.gaussian = bounds.light;
  bounds.queries = sums.queries;
  return bounds;
}

}  // namespace flymc
