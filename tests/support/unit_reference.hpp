// The models written a second time, naively and in long double: what the engine is held against.
#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "flymc/model/logistic.hpp"
#include "flymc/model/softmax.hpp"
#include "flymc/model/student_t.hpp"
#include "flymc/model/tangent.hpp"

namespace flymc::unit {

using Real = long double;
using Reals = std::vector<Real>;

struct Likely {
  Real value;
  Reals slopes;
};

[[nodiscard]] inline Likely likely(const Logistic& /*model*/, const Reals& eta, double response) {
  const Real y = Real{response} * eta[0];
  const Real value = y > 0 ? -std::log1p(std::exp(-y)) : y - std::log1p(std::exp(y));
  return {value, {Real{response} / (1.0L + std::exp(y))}};
}

[[nodiscard]] inline Likely likely(const StudentT& model, const Reals& eta, double response) {
  const Real nu = model.nu();
  const Real s = model.scale();
  const Real y = (Real{response} - eta[0]) / s;
  const Real constant = std::lgamma((nu + 1) / 2) - std::lgamma(nu / 2) -
                        std::log(nu * std::numbers::pi_v<Real>) / 2 - std::log(s);
  return {constant - (nu + 1) / 2 * std::log1p(y * y / nu), {(nu + 1) * y / (nu + y * y) / s}};
}

[[nodiscard]] inline Likely likely(const Softmax& /*model*/, const Reals& eta, double response) {
  Real top = eta[0];
  for (const Real e : eta) {
    top = std::max(top, e);
  }
  Real sum = 0;
  for (const Real e : eta) {
    sum += std::exp(e - top);
  }
  const auto label = static_cast<std::size_t>(response);
  Likely result{eta[label] - top - std::log(sum), Reals(eta.size())};
  for (std::size_t j = 0; j < eta.size(); ++j) {
    result.slopes[j] = (j == label ? 1.0L : 0.0L) - std::exp(eta[j] - top) / sum;
  }
  return result;
}

// A u and u' A u for the curvature c: c itself, or the Laplacian whose pair weights are all c.
[[nodiscard]] inline Reals bend(Real c, const Reals& u) {
  if (u.size() == 1) {
    return {c * u[0]};
  }
  Reals result(u.size(), 0.0L);
  for (std::size_t j = 0; j < u.size(); ++j) {
    for (const Real other : u) {
      result[j] += c * (u[j] - other);
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

// log B by its definition, phi(a) + phi'(a).u - 1/2 u' A u, its slopes, and the size of what was
// added up (the scale of the rounding error).
struct Bound {
  Real value;
  Reals slopes;
  Real quadratic;
};
template <BoundedLikelihood M>
[[nodiscard]] Bound log_bound(const M& model, const Tangent& tangent, const Reals& eta) {
  const Reals anchor(tangent.anchor, tangent.anchor + eta.size());
  Reals u = eta;
  for (std::size_t j = 0; j < u.size(); ++j) {
    u[j] -= anchor[j];
  }
  const Likely touch = likely(model, anchor, tangent.response);
  const Reals bent = bend(tangent.curvature, u);
  const Real quadratic = dot(bent, u) / 2;
  Bound result{touch.value + dot(touch.slopes, u) - quadratic, touch.slopes, quadratic};
  for (std::size_t j = 0; j < u.size(); ++j) {
    result.slopes[j] -= bent[j];
  }
  return result;
}

}  // namespace flymc::unit
