// One face for all models: predictors and curvatures as arrays, and the gap log L - log B.
//
// gap(u) = remainder(u) + 1/2 u' A u,  A the tangent's curvature at its anchor;
// P(bright) = 1 - B/L = -expm1(-gap), and a bright datum multiplies the joint by expm1(gap).
// See docs/method/paper.md, Tangent bounds.
#pragma once

#include <algorithm>

#include "flymc/detail/core/numeric.hpp"
#include "flymc/family/likelihood.hpp"

namespace flymc {

template <Likelihood M>
[[nodiscard]] constexpr int predictor_count(const M& model) noexcept {
  if constexpr (ScalarLikelihood<M>) {
    return 1;
  } else {
    return model.predictors();
  }
}

// Predictors with columns of their own (one alone has all of them).
template <Likelihood M>
[[nodiscard]] constexpr bool has_own_columns(const M& model) noexcept {
  return MatrixLikelihood<M> && predictor_count(model) > 1;
}

template <Likelihood M>
[[nodiscard]] constexpr CurvatureForm curvature_form() noexcept {
  if constexpr (ScalarLikelihood<M>) {
    return CurvatureForm::kSymmetric;
  } else {
    return M::kCurvature;
  }
}

// Numbers that describe one curvature.
template <Likelihood M>
[[nodiscard]] constexpr int curvature_count(const M& model) noexcept {
  const int k = predictor_count(model);
  return curvature_form<M>() == CurvatureForm::kSymmetric ? k * (k + 1) / 2 : k * (k - 1) / 2;
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

// The paper's tangent, valid for every u: curvature_count numbers, the very ones that go into the
// collapsed sums and into the gap.
template <BoundedLikelihood M>
void global_curvature(const M& model, const double* anchor, double response, double* out) noexcept {
  static_assert(kHasGlobalBound<M>);
  if constexpr (BoundedVector<M>) {
    std::fill_n(out, curvature_count(model), model.curvature());
  } else {
    *out = model.curvature(*anchor, response);
  }
}

// The tangent valid while every predictor (or difference of two) stays within its radius. A model
// that offers no local bound keeps its global one. (Of a BoundedMatrix see shell_curvature.)
template <BoundedLikelihood M>
void local_curvature(const M& model, const double* anchor, double response, const double* radii,
                     double* out) noexcept {
  if constexpr (BoundedVector<M>) {
    model.local_curvature(anchor, radii, out);
  } else if constexpr (LocalScalar<M>) {
    *out = model.local_curvature(*anchor, response, *radii);
  } else {
    *out = model.curvature(*anchor, response);
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

// What is left of a curvature when each of its eigenvalues (or weights) becomes |value|, or
// max(value, 0).
enum class Sign { kAbsolute, kPositive };
void make_upward(CurvatureForm form, int predictors, Sign sign, double* curvature) noexcept;

// How a log likelihood bends at the anchor, and no way but down.
template <Likelihood M>
void parabola_curvature(const M& model, const double* anchor, double response,
                        double* out) noexcept {
  evaluate_information(model, anchor, response, out);
  make_upward(curvature_form<M>(), predictor_count(model), Sign::kPositive, out);
}

// A datum's tangent: where it touches and how it bends.
struct Tangent {
  const double* anchor;
  const double* curvature;  // curvature_count numbers
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

// 1/2 u' A u of a curvature; A u is added to `product`.
[[nodiscard]] inline double add_curvature(CurvatureForm form, const double* weights,
                                          const double* u, int predictors,
                                          double* product) noexcept {
  if (predictors == 1) {
    *product += *weights * *u;
    return 0.5 * *weights * *u * *u;
  }
  double value = 0.0;
  if (form == CurvatureForm::kSymmetric) {
    for (int k = 0; k < predictors; ++k) {
      for (int l = 0; l < k; ++l, ++weights) {
        product[k] += *weights * u[l];
        product[l] += *weights * u[k];
        value += *weights * u[k] * u[l];
      }
      product[k] += *weights * u[k];
      value += 0.5 * *weights++ * u[k] * u[k];
    }
    return value;
  }
  for (int k = 1; k < predictors; ++k) {
    for (int j = 0; j < k; ++j) {
      const double apart = u[j] - u[k];
      const double bent = *weights++ * apart;
      product[j] += bent;
      product[k] -= bent;
      value += 0.5 * bent * apart;
    }
  }
  return value;
}

// gap >= 0 and its derivative in u (length predictor_count).
template <BoundedLikelihood M>
[[nodiscard]] double evaluate_gap(const M& model, const Tangent& tangent, double memo,
                                  const double* u, double* slopes) noexcept {
  if constexpr (BoundedScalar<M>) {
    const double remainder = detail::scalar_remainder(model, tangent, memo, *u, *slopes);
    return remainder + add_curvature(CurvatureForm::kSymmetric, tangent.curvature, u, 1, slopes);
  } else {
    double remainder = 0.0;
    if constexpr (BoundedMatrix<M>) {
      remainder = model.remainder(tangent.anchor, u, tangent.response, slopes);
    } else {
      remainder = model.remainder(tangent.anchor, u, slopes);
    }
    return remainder +
           add_curvature(M::kCurvature, tangent.curvature, u, model.predictors(), slopes);
  }
}

template <BoundedLikelihood M>
[[nodiscard]] double evaluate_gap(const M& model, const Tangent& tangent, const double* u,
                                  double* slopes) noexcept {
  return evaluate_gap(model, tangent, anchor_memo(model, tangent), u, slopes);
}

}  // namespace flymc
