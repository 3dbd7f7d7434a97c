// The anchor of a model's tangents: the MAP by Newton, or roughly by stochastic gradients.
#pragma once

#include <utility>

#include "flymc/data/dataset.hpp"
#include "flymc/model/tangent.hpp"
#include "flymc/target/anchor.hpp"
#include "flymc/target/pass.hpp"
#include "flymc/target/query.hpp"
#include "flymc/tune/newton.hpp"
#include "flymc/tune/sgd.hpp"

namespace flymc {

enum class AnchorSearch { kNewton, kSgd };

struct AnchorOptions {
  AnchorSearch search = AnchorSearch::kNewton;
  double tolerance = 0.01;
  unsigned threads = 0;
  std::uint64_t seed = 1;  // of the stochastic search
  SgdOptions sgd{};
};

// A pass of this model over these data, as a search asks for it.
template <Likelihood M>
[[nodiscard]] LikelihoodPass likelihood_pass(const M& model, const Dataset& data,
                                             unsigned threads) {
  return [&model, &data, threads](const Vector& theta, Curvature curvature) {
    const PassShape shape{
        .predictors = predictor_count(model), .grams = curvature_count(model), .threads = threads};
    return run_pass(data, theta, shape, [&](PassBlock& block) {
      double value = 0.0;
      block.counter.query(block.range.size(), [&](std::size_t i) {
        const std::size_t n = block.range.first + i;
        const auto row = static_cast<Index>(i);
        const double* eta = &block.eta(row, 0);
        value += data.weight(n) *
                 evaluate_likelihood(model, eta, data.response(n), &block.slopes(row, 0));
        if (curvature == Curvature::kInformation) {
          evaluate_information(model, eta, data.response(n), &block.weights(row, 0));
        } else if constexpr (BoundedLikelihood<M>) {
          block.weights.row(row).setConstant(tangent_curvature(model, eta, data.response(n)));
        }
        block.slopes.row(row) *= data.weight(n);
        block.weights.row(row) *= data.weight(n);
      });
      return value;
    });
  };
}

namespace detail {

template <Likelihood M>
[[nodiscard]] BatchGradient batch_gradient(const M& model, const Dataset& data,
                                           QueryCounter& counter) {
  const int k = predictor_count(model);
  return [&model, &data, &counter, k, folded = Matrix(data.folded_rows(), k),
          row = Vector(data.columns()), eta = Vector(k), slopes = Vector(k)](
             const Vector& theta, std::span<const std::size_t> rows, Vector& gradient) mutable {
    data.fold(Eigen::Map<const Matrix>(theta.data(), data.columns(), k), folded);
    counter.query(rows.size(), [&](std::size_t i) {
      data.predict_row(rows[i], folded, eta.data());
      std::ignore = evaluate_likelihood(model, eta.data(), data.response(rows[i]), slopes.data());
      data.copy_row(rows[i], row.data());
      for (int c = 0; c < k; ++c) {
        gradient.segment(c * row.size(), row.size()) += data.weight(rows[i]) * slopes[c] * row;
      }
    });
  };
}

}  // namespace detail

template <Likelihood M>
[[nodiscard]] Anchor find_anchor(const M& model, const Prior& prior, const Dataset& data,
                                 const AnchorOptions& options) {
  // Without a bound there is no majoriser; such a model must be log-concave.
  static_assert(M::kLogConcave || BoundedLikelihood<M>);
  const LikelihoodPass pass = likelihood_pass(model, data, options.threads);
  const NewtonOptions newton_options{.tolerance = options.tolerance,
                                     .log_concave = M::kLogConcave,
                                     .predictors = predictor_count(model)};
  if (options.search == AnchorSearch::kNewton) {
    return newton(prior, pass, prior.location(), newton_options).anchor;
  }
  QueryCounter counter;
  const Vector theta =
      stochastic_gradient(prior, detail::batch_gradient(model, data, counter), data.rows(),
                          options.sgd, Stream(options.seed, 0, Purpose::kAnchor, 0));
  Anchor anchor = anchor_at(prior, pass, theta, newton_options);
  anchor.queries += counter.total();
  return anchor;
}

}  // namespace flymc
