#include "tune/surrogate.hpp"

#include <algorithm>
#include <cmath>

#include "flymc/detail/tune/newton.hpp"

namespace flymc {

std::optional<Anchor> gaussian_anchor(const Prior& prior, const Bounds& surrogate) {
  Anchor anchor;
  anchor.precision = gaussian_precision(prior, surrogate);
  const Vector gradient = surrogate.collapsed.linear() + prior_parabola(prior, surrogate).slope;
  Vector step;
  if (!solve_scaled(anchor.precision, gradient, step)) {
    return std::nullopt;
  }
  anchor.theta = surrogate.theta_hat + step;
  return anchor;
}

namespace {

double step_length(const Prior& prior, const LocalPass& pass, const Vector& likelihood_gradient,
                   const Anchor& anchor) {
  Bounds all = pass.bounds;
  all.collapsed = all.light;
  const Vector gradient = likelihood_gradient + prior_parabola(prior, all).slope;
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
