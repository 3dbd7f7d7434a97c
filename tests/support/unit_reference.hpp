// The models written a second time, naively and in quad precision: what the engine is held against.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "flymc/detail/family/tangent.hpp"
#include "flymc/family/automatic.hpp"
#include "flymc/family/binomial.hpp"
#include "flymc/family/logistic.hpp"
#include "flymc/family/negative_binomial.hpp"
#include "flymc/family/poisson.hpp"
#include "flymc/family/probit.hpp"
#include "flymc/family/softmax.hpp"
#include "flymc/family/student_t.hpp"
#include "support/normal_reference.hpp"
#include "support/real.hpp"

namespace flymc::unit {

using Reals = std::vector<Real>;

struct Likely {
  Real value;
  Reals slopes;
};

[[nodiscard]] inline Likely likely(const Logistic& /*model*/, const Reals& eta, double response) {
  const Real y = Real{response} * eta[0];
  const Real value = y > 0 ? -log1p(exp(-y)) : y - log1p(exp(y));
  return {value, {Real{response} / (1.0L + exp(y))}};
}

[[nodiscard]] inline Likely likely(const StudentT& model, const Reals& eta, double response) {
  const Real nu = model.nu();
  const Real s = model.scale();
  const Real y = (Real{response} - eta[0]) / s;
  const Real constant = lgamma((nu + 1) / 2) - lgamma(nu / 2) - log(nu * kPi) / 2 - log(s);
  return {constant - (nu + 1) / 2 * log1p(y * y / nu), {(nu + 1) * y / (nu + y * y) / s}};
}

[[nodiscard]] inline Likely likely(const Softmax& /*model*/, const Reals& eta, double response) {
  Real top = eta[0];
  for (const Real& e : eta) {
    top = std::max(top, e);
  }
  Real sum = 0;
  for (const Real& e : eta) {
    sum += exp(e - top);
  }
  const auto label = static_cast<std::size_t>(response);
  Likely result{eta[label] - top - log(sum), Reals(eta.size())};
  for (std::size_t j = 0; j < eta.size(); ++j) {
    result.slopes[j] = (j == label ? 1.0L : 0.0L) - exp(eta[j] - top) / sum;
  }
  return result;
}

[[nodiscard]] inline Likely likely(const Poisson& /*model*/, const Reals& eta, double response) {
  const Real t = response;
  return {t * eta[0] - exp(eta[0]), {t - exp(eta[0])}};
}

[[nodiscard]] inline Likely likely(const Probit& /*model*/, const Reals& eta, double response) {
  const NormalReference at = normal_reference(Real{response} * eta[0]);
  return {at.value, {Real{response} * at.slope}};
}

[[nodiscard]] inline Likely likely(const Binomial& /*model*/, const Reals& eta, double response) {
  const Real y = response;
  const Real e = eta[0];
  const Real log_sum = std::max(e, Real{0}) + log1p(exp(-abs(e)));
  return {y * e - log_sum, {y - exp(e - log_sum)}};
}

[[nodiscard]] inline Likely likely(const NegativeBinomial& model, const Reals& eta,
                                   double response) {
  const Real t = response;
  const Real r = model.size();
  const Real mean = exp(eta[0]);
  return {t * (eta[0] - log(r)) - (t + r) * log1p(mean / r), {r * (t - mean) / (r + mean)}};
}

// Mean and log standard deviation.
struct NormalScale {
  static constexpr int kPredictors = 2;
  static constexpr bool kLocation = true;
  template <class T>
  T log_density(const std::array<T, 2>& eta, double y) const {
    return -0.5 * square((y - eta[0]) * exp(-eta[1])) - eta[1];
  }
  void units(const double* eta, double* out) const { out[0] = exp(eta[1]); }
};
[[nodiscard]] inline Likely likely(const Automatic<NormalScale>& /*model*/, const Reals& eta,
                                   double response) {
  const Real t = (Real{response} - eta[0]) * exp(-eta[1]);
  return {-t * t / 2 - eta[1], {t * exp(-eta[1]), t * t - 1}};
}

// A u for the curvature: a symmetric matrix by the rows of its lower triangle, or the Laplacian of
// the pair weights in the order (0,1), (0,2), (1,2), (0,3), ...
[[nodiscard]] inline Reals bend(CurvatureForm form, const double* curvature, const Reals& u) {
  Reals result(u.size(), 0.0L);
  if (form == CurvatureForm::kSymmetric) {
    for (std::size_t k = 0; k < u.size(); ++k) {
      for (std::size_t j = 0; j <= k; ++j) {
        const Real w = *curvature++;
        result[k] += w * u[j];
        result[j] += j < k ? w * u[k] : 0;
      }
    }
    return result;
  }
  for (std::size_t k = 1; k < u.size(); ++k) {
    for (std::size_t j = 0; j < k; ++j) {
      const Real weight = *curvature++;
      result[j] += weight * (u[j] - u[k]);
      result[k] += weight * (u[k] - u[j]);
    }
  }
  return result;
}

[[nodiscard]] inline Real dot(const Reals& a, const Reals& b) {
  Real sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    sum += a[j] * b[j];
  }
  return sum;
}

// log B by its definition, phi(a) + phi'(a).u - 1/2 u' A u, its slopes, the parabola itself, and
// the size of the terms that each slope adds up (the scale of its rounding error).
struct Bound {
  Real value;
  Reals slopes;
  Real quadratic;
  Reals slope_sizes;
};
template <BoundedLikelihood M>
[[nodiscard]] Bound log_bound(const M& model, const Tangent& tangent, const Reals& eta) {
  const Reals anchor(tangent.anchor, tangent.anchor + eta.size());
  Reals u = eta;
  for (std::size_t j = 0; j < u.size(); ++j) {
    u[j] -= anchor[j];
  }
  const Likely touch = likely(model, anchor, tangent.response);
  const Reals bent = bend(curvature_form<M>(), tangent.curvature, u);
  const Real quadratic = dot(bent, u) / 2;
  Bound result{touch.value + dot(touch.slopes, u) - quadratic, touch.slopes, quadratic,
               touch.slopes};
  for (std::size_t j = 0; j < u.size(); ++j) {
    result.slopes[j] -= bent[j];
    result.slope_sizes[j] = abs(touch.slopes[j]) + abs(bent[j]);
  }
  return result;
}

}  // namespace flymc::unit
