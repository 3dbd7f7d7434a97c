// The modes of a posterior that need not have just one: its likelihood is not log-concave.
//
// Climbs from several starts: the anchor that was found, the prior's location, least squares, and
// exact fits of a few random rows each (elemental sets), first on a sample of rows, and where more
// than one mode shows there on all of them. A sample may lack the one row that a mode passes
// through: influential_starts() looks at every row. Starts do not depend on the seed, so neither
// does the mode that wins. Modes are compared by Laplace's evidence,
//   log p(theta_k, data) + D/2 log 2 pi - 1/2 log det H_k.
// See docs/method/engine.md, More than one mode.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "flymc/detail/core/numeric.hpp"
#include "flymc/detail/posterior/local_pass.hpp"
#include "flymc/error.hpp"
#include "flymc/posterior/anchor.hpp"
#include "flymc/posterior/density.hpp"
#include "flymc/tune/find_anchor.hpp"
#include "tune/largest_rates.hpp"

namespace flymc {

// Modes in order of their evidence, the best first; each once.
class Modes {
 public:
  // Climbs from a start, and adds the mode it comes to where it is new. A start from which there is
  // no way up is left alone.
  void climb(const Prior& prior, const LikelihoodPass& pass, const Vector& start,
             const NewtonOptions& options);

  [[nodiscard]] const std::vector<Mode>& all() const noexcept { return modes_; }
  [[nodiscard]] bool several() const noexcept { return modes_.size() > 1; }
  [[nodiscard]] const Mode& best() const noexcept { return modes_.front(); }
  // Within half a posterior standard deviation of the best.
  [[nodiscard]] bool is_best(const Vector& theta) const;
  // Those within `nats` of the best.
  [[nodiscard]] std::vector<Mode> within(double nats) const;

  [[nodiscard]] int passes() const noexcept { return passes_; }  // of every climb
  [[nodiscard]] std::uint64_t queries() const noexcept { return queries_; }
  void add_queries(std::uint64_t queries) noexcept { queries_ += queries; }

 private:
  std::vector<Mode> modes_;
  int passes_ = 0;
  std::uint64_t queries_ = 0;
};

// Least squares of response less offset, and exact fits of D random rows each: the best by
// `log_posterior`, and good ones far from these.
[[nodiscard]] std::vector<Vector> regression_starts(
    const Dataset& data, const std::function<double(const Vector&)>& log_posterior);

// The rows of the sample that modes are first looked for in; empty where all rows are hardly more.
[[nodiscard]] std::vector<std::size_t> mode_sample(std::size_t rows, Index parameters);

namespace detail {

inline constexpr NewtonOptions kClimb{.tolerance = 0.01, .log_concave = false};

template <Likelihood M>
[[nodiscard]] Modes modes_of_sample(const M& model, const Prior& prior, const Dataset& data,
                                    const Vector& anchor, unsigned threads) {
  Modes modes;
  const LikelihoodPass pass = likelihood_pass(model, data, threads);
  modes.climb(prior, pass, anchor, kClimb);
  modes.climb(prior, pass, prior.start(), kClimb);
  if (has_location(model) && data.design().is_whole(0)) {
    // The first predictor's coefficients; what else there is stays where it was found.
    const auto whole = [&](const Vector& coefficients) {
      Vector theta = anchor;
      theta.head(coefficients.size()) = coefficients;
      return theta;
    };
    const auto log_posterior = [&](const Vector& coefficients) {
      const Vector theta = whole(coefficients);
      const PassSums sums = pass(theta, Curvature::kInformation);
      modes.add_queries(sums.queries);
      return prior.log_density(theta) + sums.value;
    };
    for (const Vector& start : regression_starts(data, log_posterior)) {
      modes.climb(prior, pass, whole(start), kClimb);
    }
  }
  return modes;
}

}  // namespace detail

// Climbs from the anchor and from these starts, on all rows.
template <Likelihood M>
void climb_all(const M& model, const Prior& prior, const Dataset& data, const Vector& anchor,
               const std::vector<Vector>& starts, unsigned threads, Modes& modes) {
  const LikelihoodPass pass = likelihood_pass(model, data, threads);
  modes.climb(prior, pass, anchor, detail::kClimb);
  for (const Vector& start : starts) {
    modes.climb(prior, pass, start, detail::kClimb);
  }
}

// All modes found, with the anchor's; none where the sample shows no other than that one.
template <Likelihood M>
[[nodiscard]] Modes find_modes(const M& model, const Prior& prior, const Dataset& data,
                               const Vector& anchor, unsigned threads) {
  const std::vector<std::size_t> rows = mode_sample(data.rows(), prior.dimension());
  if (rows.empty()) {
    return detail::modes_of_sample(model, prior, data, anchor, threads);
  }
  const double share = static_cast<double>(rows.size()) / static_cast<double>(data.rows());
  const Modes rough = detail::modes_of_sample(model, prior, data.sample(rows, 1.0 / share, threads),
                                              anchor, threads);
  Modes modes;
  modes.add_queries(rough.queries());
  if (rough.several()) {
    constexpr std::size_t kMost = 4;
    std::vector<Vector> starts;
    for (std::size_t k = 0; k < std::min(kMost, rough.all().size()); ++k) {
      starts.push_back(rough.all()[k].anchor.theta);
    }
    climb_all(model, prior, data, anchor, starts, threads, modes);
  }
  return modes;
}

// Starts on the other side of a few rows, each by itself able to hold a mode:
// - a row far off, fitted exactly: theta + H^-1 x (t - a) / r^2, a move of |t - a| / r posterior
//   standard deviations. It can pay where the gain phi(t) - phi(a) makes up for half that squared.
// - a row that holds the anchor, let go: theta - H^-1 x phi' / (1 - h), the Newton step of all
//   others, where its share h = r^2 (-phi'') of what is known of its predictor is more than half.
template <BoundedLikelihood M>
[[nodiscard]] std::vector<Vector> influential_starts(const M& model, const Dataset& data,
                                                     const Anchor& anchor, const LocalPass& pass) {
  constexpr std::size_t kMost = 6;
  const RowRange held = data.shard().mine();
  Buffer<float> scores;
  scores.resize(held.size());
  struct Pull {
    double score = 0.0;
    double along = 0.0;  // of H^-1 x
  };
  const auto pull_of = [&](double a, double r, double response, double weight) -> Pull {
    double slope = 0.0;
    const double here = model.log_likelihood(a, response, slope);
    const double peak = model.untuned_anchor(response, M::kUntunedXi);
    const double information = weight * model.information(a, response);
    if (information < 0.0) {
      const double sds = (peak - a) / r;
      const double gain = weight * (model.log_likelihood(peak, response) - here);
      return {gain - 0.5 * sds * sds + kNatsThatMatter, (peak - a) / (r * r)};
    }
    const double share = std::min(1.0 - 1e-5, r * r * information);
    return {share > 0.5 ? share : 0.0, -weight * slope / (1.0 - share)};
  };
  for (std::size_t n = held.first; n < held.last; ++n) {
    const Pull pull = pull_of(*pass.tangents.touch_point(n), *pass.tangents.leverage(n),
                              data.response(n), data.weight(n));
    scores[n - held.first] = static_cast<float>(std::max(0.0, pull.score));
  }
  const std::vector<Datum> rows = largest_rates(data.shard(), scores, kMost);
  std::vector<Vector> starts;
  Buffer<double> records;
  Vector x(data.columns());
  Matrix folded(data.folded_rows(), 1);
  data.fold(anchor.theta, folded);
  for (const Dataset::Row& row : data.fetch(rows, records)) {
    data.standardise(row.raw, x.data());
    double a = 0.0;
    data.predict_row(row, folded, &a);
    Vector towards;  // H^-1 x
    if (!solve_scaled(anchor.precision, x, towards)) {
      continue;
    }
    const Pull pull = pull_of(a, std::sqrt(x.dot(towards)), row.response, row.weight);
    if (pull.score > 0.0) {
      starts.push_back(anchor.theta + pull.along * towards);
    }
  }
  return starts;
}

}  // namespace flymc
