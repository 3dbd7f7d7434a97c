// Local bounds in one pass over the rows: predictor at the anchor, leverage, curvature of the
// innermost shell, rate of the weighted z-update, and the collapsed sums.
//
// rate_n = kappa (E|gap_n| + slack_n), slack_n = slack E|gap_n|, E under the Laplace approximation.
// See docs/method/engine.md, Local bounds.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "flymc/dataset.hpp"
#include "flymc/detail/posterior/coin_rate.hpp"
#include "flymc/detail/posterior/collapsed.hpp"
#include "flymc/detail/posterior/cubature.hpp"
#include "flymc/detail/posterior/leverage.hpp"
#include "flymc/detail/posterior/pass.hpp"
#include "flymc/detail/posterior/tangents.hpp"
#include "flymc/posterior/anchor.hpp"

namespace flymc {

struct LocalOptions {
  std::vector<double> shells{};  // radii beyond sqrt(parameters); none: shell_offsets
  double slack = 0.1;            // share of E|gap|
  double kappa = 1.5;            // proposals per expected firefly
  unsigned threads = 0;
};

// Radii beyond sqrt(parameters). The first visit to a wider shell costs a pass over all rows, so a
// posterior as wide as its Laplace approximation leaves the innermost once in as many draws as
// there are rows: P(|zeta| > R_0) <= 1/N. Not below 2.5, where small tables are at their fastest.
[[nodiscard]] std::vector<double> shell_offsets(std::size_t rows, Index parameters);

// What one pass finds out, before any row is made a beacon.
struct LocalPass {
  Tangents tangents;
  Collapsed sum;           // of the innermost shell's bounds of all data that have one
  Buffer<float> rates;     // of the rows held here, see CoinRate
  Vector gradient;         // of the log likelihood at the anchor
  Vector smooth_gradient;  // sum of w E[phi'(a + u)] x: where the posterior mean lies
  double kappa = 1.0;      // rate per expected firefly
  double slack_per_rate = 0.0;
  std::uint64_t queries = 0;

  // How often a datum of this rate would be bright.
  [[nodiscard]] double expected_bright(CoinRate rate) const noexcept {
    return std::min(1.0, rate.value() / kappa);
  }
  [[nodiscard]] double slack(CoinRate rate) const noexcept {
    return rate.has_bound() ? slack_per_rate * rate.value() : 0.0;
  }
};

namespace detail {

// The pass at work: blocks of rows come in from several threads, each once.
template <BoundedLikelihood M>
class LocalWork {
 public:
  LocalWork(const M& model, const Dataset& data, const Anchor& anchor, const LocalOptions& options)
      : model_(model),
        data_(data),
        rows_(std::make_shared<TouchRows>()),
        leverage_(anchor, data.design(), predictor_count(model)),
        rate_per_gap_(options.kappa * (1.0 + options.slack)) {
    pass_.tangents = {.kind = BoundKind::kLocal,
                      .predictors = predictor_count(model),
                      .form = curvature_form<M>(),
                      .pairs = curvature_count(model),
                      .units = units_at(model, data, anchor.theta),
                      .shared = shared_predictors(model, data),
                      .theta_hat = anchor.theta,
                      .shells = shells_around(anchor, options, data.rows()),
                      .rows = rows_};
    const RowRange held = data.shard().mine();
    rows_->first = held.first;
    rows_->points.resize(held.size() * predictors());
    rows_->leverage.resize(held.size() * pairs());
    pass_.rates.resize(held.size());
    pass_.kappa = options.kappa;
    pass_.slack_per_rate = options.slack / rate_per_gap_;
  }

  [[nodiscard]] double operator()(PassBlock& block) {
    const std::size_t place = block.range.first - rows_->first;
    leverage_.compute(block.x, {rows_->leverage.data() + place * pairs(), block.x.rows(),
                                static_cast<Index>(pairs())});
    std::copy_n(block.eta.data(), block.eta.size(), rows_->points.data() + place * predictors());
    if constexpr (BlockLikelihood<M>) {
      return together(block);
    } else {
      return one_by_one(block);
    }
  }

  [[nodiscard]] LocalPass finish(PassSums sums) && {
    const Vector& theta_hat = pass_.tangents.theta_hat;
    pass_.gradient = sums.gradient.col(0);
    pass_.smooth_gradient = sums.gradient.col(1);
    pass_.sum = Collapsed(theta_hat, sums.value, pass_.gradient, std::move(sums.precision),
                          pass_.tangents.predictors);
    pass_.queries = sums.queries;
    return std::move(pass_);
  }

 private:
  [[nodiscard]] std::size_t predictors() const noexcept {
    return static_cast<std::size_t>(pass_.tangents.predictors);
  }
  [[nodiscard]] std::size_t pairs() const noexcept {
    return static_cast<std::size_t>(pass_.tangents.pairs);
  }
  // In the middle of the columns.
  [[nodiscard]] static std::vector<double> units_at(const M& model,
                                                    [[maybe_unused]] const Dataset& data,
                                                    [[maybe_unused]] const Vector& theta) {
    if constexpr (MatrixLikelihood<M>) {
      const std::vector<double> eta = data.constants(theta, model.predictors());
      std::vector<double> units(eta.size());
      predictor_units(model, eta.data(), units.data());
      return units;
    } else {
      return {predictor_unit(model)};
    }
  }
  [[nodiscard]] static std::array<bool, kMostPredictors> shared_predictors(const M& model,
                                                                           const Dataset& data) {
    std::array<bool, kMostPredictors> shared{};
    for (int k = 0; MatrixLikelihood<M> && k < predictor_count(model); ++k) {
      shared[static_cast<std::size_t>(k)] = data.is_shared(k);
    }
    return shared;
  }
  // Centred at the anchor, not at the MAP: where the search ended early they reach further.
  [[nodiscard]] static Shells shells_around(const Anchor& anchor, const LocalOptions& options,
                                            std::size_t rows) {
    Shells shells{.radii = {},
                  .beyond = kHasGlobalBound<M> ? Beyond::kGlobalTangent : Beyond::kLikelihood};
    const double wider = anchor.decrement > 1.0 && !anchor.sampled ? anchor.decrement : 0.0;
    const auto offsets =
        options.shells.empty() ? shell_offsets(rows, anchor.theta.size()) : options.shells;
    for (const double shell : offsets) {
      shells.radii.push_back(std::sqrt(static_cast<double>(anchor.theta.size())) + shell + wider);
      if constexpr (MatrixLikelihood<M>) {  // one number strays less far than many together
        shells.shared_radii.push_back(1.5 + shell + wider);
      }
    }
    return shells;
  }

  [[nodiscard]] double one_by_one(PassBlock& block) {
    Cubature<M> cubature(model_);
    std::vector<double> scratch(pairs());
    const std::size_t first = block.range.first;
    double value = 0.0;
    block.counter.query(block.range.size(), [&](std::size_t i) {
      const auto row = static_cast<Index>(i);
      const double weight = data_.weight(first + i);
      const double one = one_datum(first + i, cubature, scratch.data(), &block.slopes(row, 0),
                                   &block.weights(row, 0));
      value += weight * one - pass_.slack(CoinRate(rate(first + i)));
      block.slopes.row(row) *= weight;
      block.weights.row(row) *= weight;
    });
    return value;
  }

  [[nodiscard]] double together(PassBlock& block) requires BlockLikelihood<M> {
    static_assert(kHasGlobalBound<M>);  // every curvature is a number
    const std::size_t first = block.range.first;
    const std::size_t rows = block.range.size();
    enum Column : Index { kValue, kSlope, kCurvature, kGap, kSmoothSlope, kColumns };
    Matrix out(static_cast<Index>(rows), kColumns);
    block.counter.query_block(rows, [&] {
      model_.evaluate(LikelihoodBlock{rows, block.eta.data(), data_.responses(first),
                                      out.col(kValue).data(), out.col(kSlope).data()},
                      TangentBlock{pass_.tangents.leverage(first), pass_.tangents.shells.radius(0),
                                   out.col(kCurvature).data(), out.col(kGap).data(),
                                   out.col(kSmoothSlope).data()});
    });
    double value = 0.0;
    for (std::size_t i = 0; i < rows; ++i) {
      const auto row = static_cast<Index>(i);
      const double weight = data_.weight(first + i);
      set_rate(first + i, out(row, kGap));
      value += weight * out(row, kValue) - pass_.slack(CoinRate(rate(first + i)));
      block.slopes(row, 0) = weight * out(row, kSlope);
      block.slopes(row, 1) = weight * out(row, kSmoothSlope);
      block.weights(row, 0) = weight * out(row, kCurvature);
    }
    return value;
  }

  // Innermost tangent and rate; slopes receives phi' and E phi', weights the curvature, zero where
  // there is none.
  [[nodiscard]] double one_datum(std::size_t n, Cubature<M>& cubature, double* scratch,
                                 double* slopes, double* weights) {
    const Tangents& tangents = pass_.tangents;
    const Touch touch = tangents.touch(n, data_.response(n));
    const double value = evaluate_likelihood(model_, touch.point, touch.response, slopes);
    double* smooth = slopes + tangents.predictors;
    std::copy_n(slopes, tangents.predictors, smooth);
    if (has_tangents(model_, tangents, touch, scratch, weights) &&
        shell_curvature(model_, tangents, touch, 0, scratch, weights)) {
      set_rate(
          n, cubature.expected_gap({touch.point, weights, touch.response}, touch.leverage, smooth));
    } else {
      rate(n) = CoinRate::unbounded().stored();
    }
    return value;
  }

  [[nodiscard]] float& rate(std::size_t n) noexcept { return pass_.rates[n - rows_->first]; }
  void set_rate(std::size_t n, double gap) noexcept {
    constexpr double kSmallest = 1e-10;  // a coin with no rate would be frozen
    constexpr double kLargest = 20.0;    // proposed at every sweep but for 2e-9
    const double asked = rate_per_gap_ * data_.weight(n) * gap;
    rate(n) = static_cast<float>(asked < kLargest ? std::max(asked, kSmallest) : kLargest);
  }

  const M& model_;
  const Dataset& data_;
  std::shared_ptr<TouchRows> rows_;
  Leverage leverage_;
  double rate_per_gap_;
  LocalPass pass_;
};

}  // namespace detail

template <BoundedLikelihood M>
[[nodiscard]] LocalPass local_pass(const M& model, const Dataset& data, const Anchor& anchor,
                                   const LocalOptions& options) {
  data.design().check(predictor_count(model), has_own_columns(model));
  detail::LocalWork<M> work(model, data, anchor, options);
  const PassShape shape{.predictors = predictor_count(model),
                        .grams = curvature_count(model),
                        .slope_sets = 2,
                        .rows = true,
                        .threads = options.threads};
  return std::move(work).finish(
      run_pass(data, anchor.theta, shape, [&](PassBlock& block) { return work(block); }));
}

}  // namespace flymc
