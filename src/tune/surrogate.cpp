#include "tune/surrogate.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "flymc/detail/ranks/piece_sum.hpp"
#include "flymc/detail/tune/newton.hpp"

namespace flymc {

bool is_positive_definite(const Prior& prior, const Collapsed& gaussian) {
  Vector step;
  return solve_scaled(gaussian_precision(prior, gaussian), gaussian.linear(), step);
}

std::optional<Anchor> gaussian_anchor(const Prior& prior, const Collapsed& gaussian) {
  Anchor anchor;
  anchor.precision = gaussian_precision(prior, gaussian);
  const Vector gradient = gaussian.linear() + prior_parabola(prior, gaussian).slope;
  Vector step;
  if (!solve_scaled(anchor.precision, gradient, step)) {
    return std::nullopt;
  }
  anchor.theta = gaussian.centre() + step;
  return anchor;
}

// The sum's constant lacks the slack of every bound.
double log_posterior(const Prior& prior, const Dataset& data, const LocalPass& pass) {
  const std::size_t first = data.shard().mine().first;
  const double slack = sum_pieces(data.shard(), 1, 1, [&](RowRange rows, std::span<double> sum) {
    for (std::size_t n = rows.first; n < rows.last; ++n) {
      sum[0] += pass.slack(CoinRate(pass.rates[n - first]));
    }
  })[0];
  return pass.sum.constant() + slack + prior.log_density(pass.tangents.theta_hat);
}

namespace {

double step_length(const Prior& prior, const LocalPass& pass, const Vector& likelihood_gradient,
                   const Anchor& anchor) {
  const Vector gradient = likelihood_gradient + prior_parabola(prior, pass.sum).slope;
  Vector step;
  return solve_scaled(anchor.precision, gradient, step)
             ? std::sqrt(std::max(0.0, gradient.dot(step)))
             : 0.0;
}

}  // namespace

double distance_to_mode(const Prior& prior, const LocalPass& pass, const Anchor& anchor) {
  return step_length(prior, pass, pass.gradient, anchor);
}

double smooth_shift(const Prior& prior, const LocalPass& pass, const Anchor& anchor) {
  return step_length(prior, pass, pass.smooth_gradient, anchor);
}

}  // namespace flymc
