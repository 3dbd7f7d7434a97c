// One face for all models: predictors and curvatures as arrays, and the gap log L - log B.
//
// gap(u) = remainder(u) + 1/2 u' A u,  A the tangent's curvature at its anchor;
// P(bright) = 1 - B/L = -expm1(-gap), and a bright datum multiplies the joint by expm1(gap).
#pragma once

#include "flymc/core/numeric.hpp"
#include "flymc/model/likelihood.hpp"

namespace flymc {

template <Likelihood M>
[[nodiscard]] constexpr int predictor_count(const M& model) noexcept {
  if constexpr (ScalarLikelihood<M>) {
    return 1;
  } else {
    return model.predictors();
  }
}

// Numbers that describe one curvature: 1, or the pair weights of a graph Laplacian.
template <Likelihood M>
[[nodiscard]] constexpr int curvature_count(const M& model) noexcept {
  const int k = predictor_count(model);
  return k == 1 ? 1 : k * (k - 1) / 2;
}

// Value and derivative of log L; slopes may be null for the value alone.
template <Likelihood M>
[[nodiscard]] double evaluate_likelihood(const M& model, const double* eta, double response,
                                         double* slopes) noexcept {
  if constexpr (VectorLikelihood<M>) {
    return model.log_likelihood(eta, response, slopes);
  } else if (slopes == nullptr) {
    return model.log_likelihood(*eta, response);
  } else {
    return model.log_likelihood(*eta, response, *slopes);
  }
}

template <Likelihood M>
void evaluate_information(const M& model, const double* eta, double response,
                          double* weights) noexcept {
  if constexpr (VectorLikelihood<M>) {
    model.information(eta, response, weights);
  } else {
    *weights = model.information(*eta, response);
  }
}

// The global tangent's curvature at an anchor: the number that goes into the collapsed sums and the
// very same one that enters the gap. Softmax has one for all data and pairs.
template <BoundedLikelihood M>
[[nodiscard]] double tangent_curvature(const M& model, const double* anchor,
                                       double response) noexcept {
  if constexpr (BoundedVector<M>) {
    return model.curvature();
  } else {
    return model.curvature(*anchor, response);
  }
}

template <BoundedLikelihood M>
void untuned_anchor(const M& model, double response, double xi, double* anchor) noexcept {
  if constexpr (BoundedVector<M>) {
    model.untuned_anchor(response, xi, anchor);
  } else {
    *anchor = model.untuned_anchor(response, xi);
  }
}

// A datum's tangent: where it touches and how it bends.
struct Tangent {
  const double* anchor;
  double curvature;
  double response;
};

namespace detail {

template <BoundedScalar M>
[[nodiscard]] double scalar_remainder(const M& model, const Tangent& t, double memo, double u,
                                      double& slope) noexcept {
  if constexpr (requires { model.remainder_from(memo, *t.anchor, u, slope); }) {
    return model.remainder_from(memo, *t.anchor, u, slope);
  } else if constexpr (requires { model.remainder(*t.anchor, u, t.response, slope); }) {
    return model.remainder(*t.anchor, u, t.response, slope);
  } else {  // a model of a user who did not write one: cancels near u = 0, still exact to rounding
    double slope_at_anchor = 0.0;
    const double value = model.log_likelihood(*t.anchor, t.response, slope_at_anchor);
    const double moved = model.log_likelihood(*t.anchor + u, t.response, slope);
    slope -= slope_at_anchor;
    return moved - value - slope_at_anchor * u;
  }
}

}  // namespace detail

// What a model can compute from the anchor alone; kept with a bright datum, so that its evaluations
// do not repeat it. 0 where the model offers nothing.
template <BoundedLikelihood M>
[[nodiscard]] double anchor_memo(const M& model, const Tangent& tangent) noexcept {
  if constexpr (requires { model.memo(*tangent.anchor, tangent.response); }) {
    return model.memo(*tangent.anchor, tangent.response);
  } else {
    return 0.0;
  }
}

// gap >= 0 and its derivative in u (length predictor_count).
template <BoundedLikelihood M>
[[nodiscard]] double evaluate_gap(const M& model, const Tangent& tangent, double memo,
                                  const double* u, double* slopes) noexcept {
  if constexpr (BoundedScalar<M>) {
    const double remainder = detail::scalar_remainder(model, tangent, memo, *u, *slopes);
    *slopes += tangent.curvature * *u;
    return remainder + 0.5 * tangent.curvature * *u * *u;
  } else {
    // All pair weights equal c: 1/2 u' A u = c K/2 sum (u_j - mean)^2, A u = c K (u - mean).
    const int k = model.predictors();
    double gap = model.remainder(tangent.anchor, u, slopes);
    double mean = 0.0;
    for (int j = 0; j < k; ++j) {
      mean += (u[j] - u[0]) / k;
    }
    for (int j = 0; j < k; ++j) {
      const double centred = (u[j] - u[0]) - mean;
      gap += 0.5 * tangent.curvature * k * centred * centred;
      slopes[j] += tangent.curvature * k * centred;
    }
    return gap;
  }
}

template <BoundedLikelihood M>
[[nodiscard]] double evaluate_gap(const M& model, const Tangent& tangent, const double* u,
                                  double* slopes) noexcept {
  return evaluate_gap(model, tangent, anchor_memo(model, tangent), u, slopes);
}

}  // namespace flymc
