// Local bounds in one pass over the rows: predictor at the anchor, leverage, curvature of the
// innermost shell, rate of the weighted z-update, and the collapsed sums.
//
// rate_n = kappa (E[gap_n] + slack_n), slack_n = slack E[gap_n], E under the Laplace approximation.
// See docs/method/engine.md, Local bounds.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "flymc/dataset.hpp"
#include "flymc/detail/posterior/cubature.hpp"
#include "flymc/detail/posterior/leverage.hpp"
#include "flymc/detail/posterior/pass.hpp"
#include "flymc/posterior/anchor.hpp"
#include "flymc/posterior/bounds.hpp"

namespace flymc {

struct LocalOptions {
  std::vector<double> shells{2.5, 4.0, 8.0};  // radii beyond sqrt(parameters)
  double slack = 0.1;                         // share of E[gap]
  double kappa = 1.5;                         // proposals per expected firefly
  unsigned threads = 0;
};

// What one pass finds out, before any row is made a beacon.
struct LocalPass {
  Bounds bounds;
  Buffer<float> rates;     // of the rows held here
  Vector gradient;         // of the log likelihood at the anchor
  Vector smooth_gradient;  // sum of w E[phi'(a + u)] x: where the posterior mean lies
  double kappa = 1.0;      // rate per expected firefly

  // How often a datum of this rate would be bright.
  [[nodiscard]] double expected_bright(double rate) const noexcept {
    return std::min(1.0, rate / kappa);
  }
  // False: no tangent, no slack and no coin; the datum has to be a beacon.
  [[nodiscard]] static bool has_bound(double rate) noexcept {
    return rate < static_cast<double>(kNoBound);
  }
  [[nodiscard]] double slack(double rate) const noexcept {
    return has_bound(rate) ? bounds.slack_per_rate * rate : 0.0;
  }

  static constexpr float kNoBound = 1e30F;  // the rate of a datum that has to be a beacon
};

namespace detail {

template <BoundedLikelihood M>
[[nodiscard]] OuterShell make_outer(const M& model, const Dataset& data, const Bounds& bounds,
                                    int shell, unsigned threads) {
  const auto pairs = static_cast<std::size_t>(bounds.pairs);
  const PassShape shape{.predictors = bounds.predictors, .grams = bounds.pairs, .threads = threads};
  const PassSums sums = run_pass(data, bounds.theta_hat, shape, [&](PassBlock& block) {
    std::vector<double> scratch(2 * pairs);
    double brighter = 0.0;
    block.slopes.setZero();
    for (std::size_t i = 0; i < block.range.size(); ++i) {
      const std::size_t n = block.range.first + i;
      double* weights = &block.weights(static_cast<Index>(i), 0);
      const Touch touch = bounds.touch(n, data.response(n));
      shell_curvature(model, bounds, touch, shell, scratch.data(), weights);
      shell_curvature(model, bounds, touch, 0, scratch.data(), &scratch[pairs]);
      const double light = bounds.is_beacon(static_cast<Datum>(n)) ? 0.0 : data.weight(n);
      for (std::size_t p = 0; p < pairs; ++p) {
        weights[p] = light * (weights[p] - scratch[pairs + p]);
        brighter += 0.5 * weights[p] * bounds.leverage(n)[p] * bounds.leverage(n)[p];
      }
    }
    return brighter;
  });
  return {assemble_precision(sums.grams, bounds.predictors), bounds.expected_bright + sums.value};
}

// The pass at work: blocks of rows come in from several threads, each once.
template <BoundedLikelihood M>
class LocalWork {
 public:
  LocalWork(const M& model, const Dataset& data, const Anchor& anchor, const LocalOptions& options)
      : model_(model),
        data_(data),
        tangents_(std::make_shared<Tangents>()),
        leverage_(anchor, predictor_count(model)),
        rate_per_gap_(options.kappa * (1.0 + options.slack)) {
    Bounds& bounds = pass_.bounds;
    bounds.kind = BoundKind::kLocal;
    bounds.predictors = predictor_count(model);
    bounds.pairs = curvature_count(model);
    bounds.global_outside = kHasGlobalBound<M>;
    bounds.tangents = tangents_;
    bounds.theta_hat = anchor.theta;
    bounds.slack_per_rate = options.slack / rate_per_gap_;
    const double wider = anchor.decrement > 1.0 && !anchor.sampled ? anchor.decrement : 0.0;
    for (const double shell : options.shells) {  // centred at the anchor, not at the MAP
      bounds.radii.push_back(std::sqrt(static_cast<double>(anchor.theta.size())) + shell + wider);
    }
    const RowRange held = data.shard().mine();
    tangents_->first = held.first;
    tangents_->anchor.resize(held.size() * predictors());
    tangents_->leverage.resize(held.size() * pairs());
    pass_.rates.resize(held.size());
    pass_.kappa = options.kappa;
  }

  [[nodiscard]] double operator()(PassBlock& block) {
    Cubature<M> cubature(model_);
    RowMatrix rows_scratch;
    std::vector<double> scratch(pairs());
    const std::size_t first = block.range.first;
    const std::size_t place = first - tangents_->first;
    leverage_.compute(block.x, rows_scratch,
                      {tangents_->leverage.data() + place * pairs(), block.x.rows(),
                       static_cast<Index>(pairs())});
    std::copy_n(block.eta.data(), block.eta.size(),
                tangents_->anchor.data() + place * predictors());
    double value = 0.0;
    block.counter.query(block.range.size(), [&](std::size_t i) {
      const auto row = static_cast<Index>(i);
      const double weight = data_.weight(first + i);
      const double one = one_datum(first + i, cubature, scratch.data(), &block.slopes(row, 0),
                                   &block.weights(row, 0));
      value += weight * one - pass_.slack(static_cast<double>(pass_.rates[place + i]));
      block.slopes.row(row) *= weight;
      block.weights.row(row) *= weight;
    });
    return value;
  }

  [[nodiscard]] LocalPass finish(const PassSums& sums, unsigned threads) && {
    Bounds& bounds = pass_.bounds;
    const Index size = bounds.theta_hat.size();
    pass_.gradient = ConstVectorView(sums.gradient.data(), size);
    pass_.smooth_gradient = ConstVectorView(sums.gradient.data() + size, size);
    bounds.light = Collapsed(sums.value, pass_.gradient, sums.grams, bounds.predictors);
    bounds.queries = sums.queries;
    bounds.make_outer = [&model = model_, &data = data_, threads](const Bounds& self, int shell) {
      return make_outer(model, data, self, shell, threads);
    };
    return std::move(pass_);
  }

 private:
  [[nodiscard]] std::size_t predictors() const noexcept {
    return static_cast<std::size_t>(pass_.bounds.predictors);
  }
  [[nodiscard]] std::size_t pairs() const noexcept {
    return static_cast<std::size_t>(pass_.bounds.pairs);
  }

  // Innermost tangent and rate; slopes receives phi' and E phi', weights the curvature. Without a
  // global bound the widest shell is the one in which a curvature may have no number.
  [[nodiscard]] double one_datum(std::size_t n, Cubature<M>& cubature, double* scratch,
                                 double* slopes, double* weights) {
    const Bounds& bounds = pass_.bounds;
    const Touch touch = bounds.touch(n, data_.response(n));
    const double value = evaluate_likelihood(model_, touch.anchor, touch.response, slopes);
    double* smooth = slopes + bounds.predictors;
    std::copy_n(slopes, bounds.predictors, smooth);
    const int widest = bounds.global_outside ? 0 : bounds.tangent_shells() - 1;
    const bool bounded =
        shell_curvature(model_, bounds, touch, widest, scratch, weights) &&
        (widest == 0 || shell_curvature(model_, bounds, touch, 0, scratch, weights));
    float& rate = pass_.rates[n - tangents_->first];
    rate = LocalPass::kNoBound;
    if (bounded) {
      const double gap =
          cubature.expected_gap({touch.anchor, weights, touch.response}, touch.leverage, smooth);
      constexpr double kSmallest = 1e-10;  // a coin with no rate would be frozen
      constexpr double kLargest = 20.0;    // proposed at every sweep but for 2e-9
      rate = static_cast<float>(
          std::clamp(rate_per_gap_ * data_.weight(n) * gap, kSmallest, kLargest));
    }
    return value;
  }

  const M& model_;
  const Dataset& data_;
  std::shared_ptr<Tangents> tangents_;
  Leverage leverage_;
  double rate_per_gap_;
  LocalPass pass_;
};

}  // namespace detail

template <BoundedLikelihood M>
[[nodiscard]] LocalPass local_pass(const M& model, const Dataset& data, const Anchor& anchor,
                                   const LocalOptions& options) {
  detail::LocalWork<M> work(model, data, anchor, options);
  const PassShape shape{.predictors = predictor_count(model),
                        .grams = curvature_count(model),
                        .slopes = 2 * predictor_count(model),
                        .threads = options.threads};
  const PassSums sums =
      run_pass(data, anchor.theta, shape, [&](PassBlock& block) { return work(block); });
  return std::move(work).finish(sums, options.threads);
}

}  // namespace flymc
