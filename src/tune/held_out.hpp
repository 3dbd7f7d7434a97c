// A prior judged on rows that its posterior has not seen:
//   score = sum_held w_n log L_n(theta) / sum_held w_n,  theta the mode given the training rows.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "flymc/dataset.hpp"
#include "flymc/detail/family/tangent.hpp"
#include "flymc/detail/posterior/pass.hpp"
#include "flymc/detail/tune/newton.hpp"
#include "flymc/error.hpp"
#include "flymc/family/prior.hpp"
#include "flymc/tune/find_anchor.hpp"

namespace flymc {

// Disjoint, each in ascending order.
struct RowSplit {
  std::vector<std::size_t> training;
  std::vector<std::size_t> held_out;
};

// A random fifth is held out, the rest trains: all rows, but at most 20,000 and 80,000 of them.
// REQUIRES: rows >= 2.
[[nodiscard]] RowSplit split_rows(std::size_t rows, std::uint64_t seed);

struct HeldOut {
  Dataset training;
  Dataset held_out;
};

// REQUIRES: an encoded response, at least two rows.
[[nodiscard]] HeldOut hold_out(const Table& table, const Dataset::Options& design,
                               std::uint64_t seed, unsigned threads);

// Mean over rows, by weight.
template <Likelihood M>
[[nodiscard]] double mean_log_likelihood(const M& model, const Dataset& data, const Vector& theta,
                                         unsigned threads) {
  const PassShape shape{.predictors = predictor_count(model), .grams = 0, .threads = threads};
  const PassSums sums = run_pass(data, theta, shape, [&](PassBlock& block) {
    double value = 0.0;
    block.counter.query(block.range.size(), [&](std::size_t i) {
      const std::size_t n = block.range.first + i;
      const auto row = static_cast<Index>(i);
      value += data.weight(n) * evaluate_likelihood(model, &block.eta(row, 0), data.response(n),
                                                    &block.slopes(row, 0));
    });
    return value;
  });
  double weight = 0.0;
  for (std::size_t n = 0; n < data.rows(); ++n) {
    weight += data.weight(n);
  }
  return sums.value / weight;
}

// The score above. The search for the mode starts at theta (empty: at the prior's location) and
// leaves it there; where it finds none, or the score is not finite, the result is minus infinity.
template <Likelihood M>
[[nodiscard]] double held_out_score(const M& model, const Prior& prior, const HeldOut& data,
                                    unsigned threads, Vector& theta) {
  constexpr double kWorst = -std::numeric_limits<double>::infinity();
  const Vector start = theta.size() > 0 ? theta : prior.start();
  try {
    theta = newton(prior, likelihood_pass(model, data.training, threads), start,
                   {.tolerance = 0.1,  // before a last step, which squares it
                    .log_concave = M::kLogConcave})
                .anchor.theta;
  } catch (const Error&) {
    return kWorst;
  }
  const double score = mean_log_likelihood(model, data.held_out, theta, threads);
  return std::isfinite(score) ? score : kWorst;
}

}  // namespace flymc
