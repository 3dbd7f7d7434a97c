// What a likelihood is: log L of one datum as a function phi of its linear predictor(s).
//
// The engine owns rows, weights, offsets and dot products; a model never sees theta. A model with
// one predictor is a struct of scalar functions (see Logistic); one with several takes pointers
// (Softmax, with a predictor a class; Automatic, with predictors of columns of their own: mean,
// scale, shape). A bound is the tangent parabola at an anchor predictor a, with u = eta - a:
//     log B = phi(a) + phi'(a) u - curvature u^2 / 2 <= phi(a + u),
// for every u (a global bound) or for |u| <= radius (a local one, which bends less).
// See docs/method/families.md, What a family is.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>

namespace flymc {

// A response that the model can never have produced is refused while data are encoded, not here.
// kLogConcave is a promise that exactness rests on: with group effects gaps are bounded by it.
template <class M>
concept ScalarLikelihood = requires(const M& model, double eta, double response, double& slope) {
  { model.log_likelihood(eta, response) } -> std::same_as<double>;
  { model.log_likelihood(eta, response, slope) } -> std::same_as<double>;  // slope = phi'(eta)
  { model.information(eta, response) } -> std::same_as<double>;            // -phi''(eta)
  { M::kLogConcave } -> std::convertible_to<bool>;
};

// How the numbers of a curvature make a quadratic form of the predictors.
enum class CurvatureForm {
  kSymmetric,  // a matrix by the rows of its lower triangle; one number for one predictor
  // One predictor a class, of which differences alone matter: a weighted graph Laplacian, the sum
  // over pairs j < k of c_jk (e_j - e_k)(e_j - e_k)', weights in the order (0,1), (0,2), (1,2), ...
  kLaplacian
};

// Several predictors: arrays of predictors() numbers.
template <class M>
concept VectorLikelihood = requires(const M& model, const double* eta, double response,
                                    double* slopes, double* weights) {
  { model.predictors() } -> std::same_as<int>;
  { model.log_likelihood(eta, response, slopes) } -> std::same_as<double>;  // slopes may be null
  model.information(eta, response, weights);
  { M::kCurvature } -> std::convertible_to<CurvatureForm>;
  { M::kLogConcave } -> std::convertible_to<bool>;
};
// With columns of their own (Dataset::Options::predictors), at most so many.
inline constexpr std::size_t kMostPredictors = 24;
template <class M>
concept MatrixLikelihood = VectorLikelihood<M> && M::kCurvature == CurvatureForm::kSymmetric;

template <class M>
concept Likelihood = ScalarLikelihood<M> || VectorLikelihood<M>;

// The unit of a model's predictors, and so of theta: what moves a predictor by that much is a move
// of size 1 to the likelihood. Whatever is compared with a number of ours is first divided by it.
template <Likelihood M>
[[nodiscard]] double predictor_unit(const M& model) noexcept {
  if constexpr (requires { model.unit(); }) {
    return model.unit();
  } else {
    return 1.0;
  }
}
// Of several, near these predictors: a number each.
template <VectorLikelihood M>
void predictor_units(const M& model, [[maybe_unused]] const double* eta, double* out) noexcept {
  std::fill_n(out, model.predictors(), 1.0);
  if constexpr (requires { model.units(eta, out); }) {
    model.units(eta, out);
  }
}

// Whether the first predictor is a place among the responses, where regressions of these may start
// a search: so of every model with one predictor unless it says otherwise.
template <Likelihood M>
[[nodiscard]] constexpr bool has_location([[maybe_unused]] const M& model) noexcept {
  if constexpr (requires { model.has_location(); }) {
    return model.has_location();
  } else {
    return ScalarLikelihood<M>;
  }
}

// Whether any response is possible at these predictors: so of every model unless it says otherwise.
template <Likelihood M>
[[nodiscard]] bool is_possible([[maybe_unused]] const M& model,
                               [[maybe_unused]] const double* eta) noexcept {
  if constexpr (requires { model.is_possible(eta); }) {
    return model.is_possible(eta);
  } else {
    return true;
  }
}

// A bound that holds for every u: what the paper uses.
template <class M>
concept GlobalScalar = ScalarLikelihood<M> &&
    requires(const M& model, double anchor, double response, double xi) {
  { model.curvature(anchor, response) } -> std::same_as<double>;
  { model.untuned_anchor(response, xi) } -> std::same_as<double>;
  { M::kUntunedXi } -> std::convertible_to<double>;
};

// A bound that only has to hold for |u| <= radius, and bends less for it. An infinite radius asks
// for the global one; a model that has none is never asked (see bounds.hpp).
template <class M>
concept LocalScalar = ScalarLikelihood<M> &&
    requires(const M& model, double anchor, double response, double radius) {
  { model.local_curvature(anchor, response, radius) } -> std::same_as<double>;
};

// Averages over u ~ N(0, r^2) are taken at u = 0 and +- sqrt(3) r: see cubature.hpp.
inline constexpr double kCubatureReach = 1.7320508075688772;
inline constexpr double kCubatureWeight = 1.0 / 6.0;

// Rows of a model with one predictor, in arrays, so that the processor takes several at a time.
struct LikelihoodBlock {
  std::size_t rows = 0;
  const double* eta = nullptr;
  const double* response = nullptr;
  double* value = nullptr;  // of log L
  double* slope = nullptr;

  // At most so many of them.
  [[nodiscard]] LikelihoodBlock from(std::size_t first, std::size_t most) const noexcept {
    return {std::min(most, rows - first), eta + first, response + first, value + first,
            slope + first};
  }
};
// What a local bound needs beside, and what comes of it. `eta` is where the tangent touches.
struct TangentBlock {
  const double* leverage = nullptr;  // sd of the predictor
  double radius = 0.0;               // the bound holds for |u| <= radius leverage
  double* curvature = nullptr;
  double* gap = nullptr;           // E|gap|
  double* smooth_slope = nullptr;  // E phi'(a + u)

  [[nodiscard]] TangentBlock from(std::size_t first) const noexcept {
    return {leverage + first, radius, curvature + first, gap + first, smooth_slope + first};
  }
};

// Offered by models for speed: what their functions of one row say, to rounding.
template <class M>
concept BlockLikelihood = ScalarLikelihood<M> &&
    requires(const M& model, const LikelihoodBlock& block, const TangentBlock& tangents) {
  model.evaluate(block);
  model.evaluate(block, tangents);
};

// One of the two is enough for FlyMC; `remainder` is optional (see tangent.hpp).
template <class M>
concept BoundedScalar = GlobalScalar<M> || LocalScalar<M>;

template <class M>
concept BoundedVector = VectorLikelihood<M> && !MatrixLikelihood<M> &&
                        requires(const M& model, const double* anchor, const double* u,
                                 const double* radii, double response, double xi, double* out) {
  { model.curvature() } -> std::same_as<double>;  // one pair weight, the same for all, for every u
  model.local_curvature(anchor, radii, out);      // pair weights for |u_j - u_k| <= radii_jk
  { model.remainder(anchor, u, out) } -> std::same_as<double>;
  model.untuned_anchor(response, xi, out);
  { M::kUntunedXi } -> std::convertible_to<double>;
};

// Where the predictors of one datum may go: with V their covariance in the posterior metric, L L' =
// V and w = L^-1 u, |w| <= radius. Predictors that are the same for all data come first in L and
// may have a radius of their own, |w_k| <= shared_radius.
struct PredictorRegion {
  const double* covariance = nullptr;  // packed, as a curvature
  double radius = 0.0;
  const bool* shared = nullptr;  // one a predictor
  double shared_radius = 0.0;
  // Only whether there is a curvature is asked, and one that holds: it need not be the small one.
  // A model may ignore this; it says yes only where it would without.
  bool any = false;
};

// There is no global bound of these: beyond the last shell the likelihood bounds itself.
template <class M>
concept BoundedMatrix = MatrixLikelihood<M> &&
    requires(const M& model, const double* anchor, const double* u, double response,
             const PredictorRegion& region, double* out) {
  // False where the model has no bound in this region; the datum is then a beacon.
  { model.local_curvature(anchor, response, region, out) } -> std::same_as<bool>;
  { model.remainder(anchor, u, response, out) } -> std::same_as<double>;
};

template <class M>
concept BoundedLikelihood = BoundedScalar<M> || BoundedVector<M> || BoundedMatrix<M>;

template <class M>
inline constexpr bool kHasGlobalBound = GlobalScalar<M> || BoundedVector<M>;

// Rounding may not push a bound above its likelihood: every curvature is raised by this share.
inline constexpr double kCurvatureMargin = 1e-9;
[[nodiscard]] constexpr double with_margin(double curvature) noexcept {
  return curvature + kCurvatureMargin * (1.0 + (curvature < 0.0 ? -curvature : curvature));
}

}  // namespace flymc
