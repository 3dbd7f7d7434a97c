// Responses drawn from their model given the predictors.
#pragma once

#include <cmath>

#include "flymc/detail/core/numeric.hpp"
#include "flymc/random.hpp"
#include "support/exact_glm.hpp"

namespace flymc::exact {

inline double draw_response(const Logistic& /*model*/, const Vector& eta, Stream& stream) {
  return stream.uniform() < sigmoid(eta[0]) ? 1.0 : -1.0;
}

inline double draw_response(const StudentT& model, const Vector& eta, Stream& stream) {
  const double chi_square = 2.0 * stream.gamma(0.5 * model.nu());
  return eta[0] + model.scale() * stream.normal() / std::sqrt(chi_square / model.nu());
}

inline double draw_response(const Softmax& /*model*/, const Vector& eta, Stream& stream) {
  const Vector weights = eta.array().exp();
  double rest = stream.uniform() * weights.sum();
  int label = 0;
  while (label + 1 < weights.size() && rest >= weights[label]) {
    rest -= weights[label++];
  }
  return label;
}

inline double draw_response(const Probit& /*model*/, const Vector& eta, Stream& stream) {
  return stream.normal() < eta[0] ? 1.0 : -1.0;
}

inline double draw_response(const Poisson& /*model*/, const Vector& eta, Stream& stream) {
  return static_cast<double>(stream.poisson(std::exp(eta[0])));
}

inline double draw_response(const NegativeBinomial& model, const Vector& eta, Stream& stream) {
  const double mean = std::exp(eta[0]) * stream.gamma(model.size()) / model.size();
  return static_cast<double>(stream.poisson(mean));
}

// Successes in six trials, as a fraction.
inline double draw_response(const Binomial& /*model*/, const Vector& eta, Stream& stream) {
  constexpr int kTrials = 6;
  int successes = 0;
  for (int i = 0; i < kTrials; ++i) {
    successes += stream.uniform() < sigmoid(eta[0]) ? 1 : 0;
  }
  return static_cast<double>(successes) / kTrials;
}

}  // namespace flymc::exact
