// Robust regression: y = (t - eta) / s, phi = -(nu+1)/2 log(1 + y^2/nu) - log s + constant.
//
// Bound: phi = g(y^2) with g(v) = -(nu+1)/2 log(1 + v/nu) convex, so the tangent of g in y^2 lies
// below; as a parabola its curvature is (nu+1) / (nu + y_a^2) / s^2. Any nu > 0, s > 0.
#pragma once

#include <cmath>

#include "flymc/core/error.hpp"
#include "flymc/core/numeric.hpp"
#include "flymc/model/likelihood.hpp"

namespace flymc {

class StudentT {
 public:
  static constexpr bool kLogConcave = false;
  static constexpr double kUntunedXi = 0.0;

  explicit StudentT(double nu = 4.0, double scale = 1.0)
      : nu_(nu),
        scale_(scale),
        log_constant_(std::lgamma(0.5 * (nu + 1.0)) - std::lgamma(0.5 * nu) -
                      0.5 * std::log(nu * 3.14159265358979323846) - std::log(scale)) {
    if (!(nu > 0.0) || !(scale > 0.0) || !std::isfinite(nu) || !std::isfinite(scale)) {
      throw Error(ErrorKind::kUsage, "Student-t: nu and scale must be positive and finite.");
    }
  }
  [[nodiscard]] double nu() const noexcept { return nu_; }
  [[nodiscard]] double scale() const noexcept { return scale_; }

  [[nodiscard]] double log_likelihood(double eta, double response) const noexcept {
    const double y = (response - eta) / scale_;
    return log_constant_ - 0.5 * (nu_ + 1.0) * std::log1p(y * y / nu_);
  }
  [[nodiscard]] double log_likelihood(double eta, double response, double& slope) const noexcept {
    const double y = (response - eta) / scale_;
    slope = (nu_ + 1.0) * y / (nu_ + y * y) / scale_;
    return log_likelihood(eta, response);
  }
  // Negative beyond |y| = sqrt(nu): the likelihood is not log-concave.
  [[nodiscard]] double information(double eta, double response) const noexcept {
    const double y = (response - eta) / scale_;
    const double spread = nu_ + y * y;
    return (nu_ + 1.0) * (nu_ - y * y) / (spread * spread) / (scale_ * scale_);
  }

  [[nodiscard]] double curvature(double anchor, double response) const noexcept {
    const double y = (response - anchor) / scale_;
    return with_margin((nu_ + 1.0) / (nu_ + y * y)) / (scale_ * scale_);
  }
  // xi is a standardised residual.
  [[nodiscard]] double untuned_anchor(double response, double xi) const noexcept {
    return response - xi * scale_;
  }

  // With y0 = (t - a)/s, dy = -u/s, v = nu + y0^2 and delta = (2 y0 dy + dy^2)/v:
  // phi(a+u) - phi(a) - phi'(a) u = -(nu+1)/2 [dy^2/v - (delta - log1p(delta))].
  [[nodiscard]] double remainder(double anchor, double u, double response,
                                 double& slope) const noexcept {
    const double y0 = (response - anchor) / scale_;
    const double dy = -u / scale_;
    const double y1 = y0 + dy;
    const double v0 = nu_ + y0 * y0;
    const double v1 = nu_ + y1 * y1;
    // d/du: (nu+1)/s [y1/v1 - y0/v0] = (nu+1)/s dy (nu - y0 y1) / (v0 v1).
    slope = (nu_ + 1.0) / scale_ * dy * ((nu_ - y0 * y1) / v0 / v1);
    const double delta = dy * (y0 + y1) / v0;
    const double excess = delta < -0.5 ? delta - std::log(v1 / v0) : x_minus_log1p(delta);
    return -0.5 * (nu_ + 1.0) * (dy * dy / v0 - excess);
  }

 private:
  double nu_;
  double scale_;
  double log_constant_;
};

static_assert(BoundedScalar<StudentT>);

}  // namespace flymc
