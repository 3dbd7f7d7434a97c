#include "tune/surrogate.hpp"

#include <algorithm>
#include <cmath>

#include "flymc/detail/tune/newton.hpp"

namespace flymc {

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
