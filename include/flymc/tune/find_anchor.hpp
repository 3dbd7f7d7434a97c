// The anchor of a model's tangents: the MAP by Newton, or roughly by stochastic gradients.
//
// On tall data Newton runs on a random sample of n0 rows, whose mode is about sqrt(D N / n0)
// posterior standard deviations off, and takes one step on all of them, a pass. With
// n0 = max(50 D, D sqrt(N)) that is a Newton step: it leaves about 0.55 D sqrt(N) / n0 < 0.7, which
// is all that bounds need (their bright count rises by 5 %). Where 3 D sqrt(N) rows are few among
// all, it is a step of the chord method, with the gradient of all rows and the curvature of the
// sample, and needs no Grams: the curvature, wrong by a relative sqrt(D / n0), leaves
// D sqrt(N) / n0, and the bend of the likelihood about half as much, 0.4 in all. A chord step needs
// a likelihood that is log-concave or has a global bound: of another only the Hessian of all rows
// tells whether there is a mode where the sample has one. See docs/method/engine.md, Set-up.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "flymc/dataset.hpp"
#include "flymc/detail/family/tangent.hpp"
#include "flymc/detail/posterior/pass.hpp"
#include "flymc/detail/posterior/query.hpp"
#include "flymc/detail/tune/newton.hpp"
#include "flymc/detail/tune/sgd.hpp"
#include "flymc/error.hpp"
#include "flymc/posterior/anchor.hpp"

namespace flymc {

enum class AnchorSearch { kNewton, kSgd };

struct AnchorOptions {
  AnchorSearch search = AnchorSearch::kNewton;
  double tolerance = 0.01;
  bool may_sample = true;  // false: Newton on all rows, also where they are many
  unsigned threads = 0;
  std::uint64_t seed = 1;  // of the stochastic search
  SgdOptions sgd{};
};

namespace detail {

template <BlockLikelihood M>
[[nodiscard]] double value_and_slopes(const M& model, const Dataset& data, PassBlock& block) {
  const std::size_t first = block.range.first;
  Vector values(block.eta.rows());
  block.counter.query_block(block.range.size(), [&] {
    model.evaluate(LikelihoodBlock{block.range.size(), block.eta.data(), data.responses(first),
                                   values.data(), block.slopes.data()});
  });
  for (Index row = 0; row < values.size(); ++row) {
    const double weight = data.weight(first + static_cast<std::size_t>(row));
    values[row] *= weight;
    block.slopes(row, 0) *= weight;
  }
  return values.sum();
}

// The curvature of the global tangent. Without one the size of the bend stands in, which is uphill,
// and the search halves steps that are too long.
template <Likelihood M>
void majoriser(const M& model, const double* eta, double response, double* out) noexcept {
  if constexpr (kHasGlobalBound<M>) {
    global_curvature(model, eta, response, out);
  } else {
    evaluate_information(model, eta, response, out);
    make_upward(curvature_form<M>(), predictor_count(model), Sign::kAbsolute, out);
  }
}

}  // namespace detail

// A pass of this model over these data, as a search asks for it.
template <Likelihood M>
[[nodiscard]] LikelihoodPass likelihood_pass(const M& model, const Dataset& data,
                                             unsigned threads) {
  data.design().check(predictor_count(model), has_own_columns(model));
  return [&model, &data, threads](const Vector& theta, Curvature curvature) {
    const PassShape shape{.predictors = predictor_count(model),
                          .grams = curvature == Curvature::kNone ? 0 : curvature_count(model),
                          .threads = threads};
    return run_pass(data, theta, shape, [&](PassBlock& block) {
      double value = 0.0;
      if constexpr (BlockLikelihood<M>) {
        if (curvature == Curvature::kNone) {
          return detail::value_and_slopes(model, data, block);
        }
      }
      block.counter.query(block.range.size(), [&](std::size_t i) {
        const std::size_t n = block.range.first + i;
        const auto row = static_cast<Index>(i);
        const double* eta = &block.eta(row, 0);
        value += data.weight(n) *
                 evaluate_likelihood(model, eta, data.response(n), &block.slopes(row, 0));
        if (curvature == Curvature::kMajoriser) {
          detail::majoriser(model, eta, data.response(n), &block.weights(row, 0));
        } else if (curvature == Curvature::kInformation) {
          evaluate_information(model, eta, data.response(n), &block.weights(row, 0));
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
          row = Vector(data.columns()), eta = Vector(k), slopes = Vector(k),
          records = Buffer<double>()](const Vector& theta, std::span<const std::size_t> rows,
                                      Vector& gradient) mutable {
    data.fold(theta, folded);
    const std::vector<Dataset::Row> batch = data.fetch(rows, records);
    counter.query(rows.size(), [&](std::size_t i) {
      data.predict_row(batch[i], folded, eta.data());
      std::ignore = evaluate_likelihood(model, eta.data(), batch[i].response, slopes.data());
      data.standardise(batch[i].raw, row.data());
      slopes *= batch[i].weight;
      data.design().add_row(row.data(), slopes.data(), k, gradient.data());
    });
  };
}

}  // namespace detail

// Whether a sample of few among these rows has a curvature that is good enough for the last step.
[[nodiscard]] bool is_tall(std::size_t rows, Index parameters);

// Rows of the sample in ascending order; empty where all rows are hardly more.
[[nodiscard]] std::vector<std::size_t> anchor_sample(std::size_t rows, Index parameters,
                                                     std::uint64_t seed);

namespace detail {

// Newton on a sixty-fourth of the sample, an eighth, and all of it: the first steps need no
// precision. The mode of n rows is itself about sqrt(D N / n) off: before a chord step, a step of a
// quarter of that is the last, so that the curvature is that of the mode. Few rows may have no mode
// near (a negative binomial's size, of counts that vary no more than a Poisson's): more rows begin
// anew then.
template <Likelihood M>
[[nodiscard]] Anchor rough_anchor(const M& model, const Prior& prior, const Dataset& data,
                                  const std::vector<std::size_t>& rows, unsigned threads,
                                  NewtonOptions newton_options, bool chord) {
  Anchor rough;
  rough.theta = prior.start();
  const auto d = static_cast<std::size_t>(prior.dimension());
  for (const std::size_t stride : {std::size_t{64}, std::size_t{8}, std::size_t{1}}) {
    if (rows.size() < 6 * d * stride) {
      continue;
    }
    std::vector<std::size_t> some;
    for (std::size_t i = 0; i < rows.size(); i += stride) {
      some.push_back(rows[i]);
    }
    const double factor = static_cast<double>(data.rows()) / static_cast<double>(some.size());
    const Dataset sample = data.sample(some, factor, threads);
    newton_options.tolerance = chord ? 0.25 * std::sqrt(static_cast<double>(d) * factor) : 0.5;
    const std::uint64_t before = rough.queries;
    const Vector start = rough.majorised ? prior.start() : rough.theta;
    rough = newton(prior, likelihood_pass(model, sample, threads), start, newton_options).anchor;
    rough.queries += before;
  }
  return rough;
}

// Whether what all rows share can be at all: one step may leave what a search does not.
template <Likelihood M>
[[nodiscard]] bool is_possible_at(const M& model, const Dataset& data, const Vector& theta) {
  if constexpr (MatrixLikelihood<M>) {
    const std::vector<double> eta = data.constants(theta, model.predictors());
    return is_possible(model, eta.data());
  } else {
    return true;
  }
}

template <Likelihood M>
[[nodiscard]] Anchor sampled_newton(const M& model, const Prior& prior, const Dataset& data,
                                    const std::vector<std::size_t>& rows,
                                    const AnchorOptions& options, NewtonOptions newton_options) {
  // The Hessian of all rows tells whether there is a mode where the sample has one.
  constexpr bool kUphill = M::kLogConcave || kHasGlobalBound<M>;
  const bool chord = kUphill && is_tall(data.rows(), prior.dimension());
  const Anchor rough =
      rough_anchor(model, prior, data, rows, options.threads, newton_options, chord);
  const LikelihoodPass pass = likelihood_pass(model, data, options.threads);
  Anchor anchor = chord ? chord_step(prior, pass, rough)
                        : newton_step(prior, pass, rough.theta, newton_options);
  // The mode of n0 rows is about sqrt(D N / n0) from that of all; a step much longer than that has
  // left the region where one is enough.
  anchor.sampled = anchor.decrement < 6.0 * std::sqrt(static_cast<double>(prior.dimension()) *
                                                      static_cast<double>(data.rows()) /
                                                      static_cast<double>(rows.size())) &&
                   !rough.majorised && !anchor.majorised &&
                   is_possible_at(model, data, anchor.theta);
  anchor.queries += rough.queries;
  return anchor;
}

}  // namespace detail

template <Likelihood M>
[[nodiscard]] Anchor find_anchor(const M& model, const Prior& prior, const Dataset& data,
                                 const AnchorOptions& options) {
  const LikelihoodPass pass = likelihood_pass(model, data, options.threads);
  const NewtonOptions newton_options{.tolerance = options.tolerance, .log_concave = M::kLogConcave};
  if (options.search == AnchorSearch::kNewton) {
    const auto rows = anchor_sample(data.rows(), prior.dimension(), options.seed);
    Anchor tried;
    if (options.may_sample && !rows.empty()) {
      try {
        tried = detail::sampled_newton(model, prior, data, rows, options, newton_options);
      } catch (const Error&) {
        // a sample may lack what all rows have (a rare category under a flat prior)
      }
    }
    if (tried.sampled) {
      return tried;
    }
    Anchor anchor = newton(prior, pass, prior.start(), newton_options).anchor;
    anchor.passes += tried.passes;
    anchor.queries += tried.queries;
    return anchor;
  }
  QueryCounter counter;
  SgdOptions sgd = options.sgd;
  sgd.unit *= predictor_unit(model);
  const Vector theta =
      stochastic_gradient(prior, detail::batch_gradient(model, data, counter), data.rows(), sgd,
                          Stream(options.seed, 0, Purpose::kAnchor, 0));
  Anchor anchor = anchor_at(prior, pass, theta, newton_options);
  anchor.queries += counter.total();
  return anchor;
}

}  // namespace flymc
