// A likelihood of one's own: one expression in, a certified local bound out.
//
//   struct LogisticNoise {
//     template <class T>
//     T log_density(const T& eta, double y) const {
//       return y - eta - 2.0 * softplus(y - eta);
//     }
//   };
//   using Model = flymc::Automatic<LogisticNoise>;  // a LocalScalar
//
// T is a scalar type of the library; y and everything made of it are plain numbers. An expression
// is made of + - * / and exp, expm1, log, log1p, sqrt, pow(x, number), square, softplus, sigmoid,
// log_sigmoid, tanh, log1mexp, lgamma, digamma, lrising(x, number) and std_normal_lcdf of T, found
// by their argument (detail/family/auto/functions.hpp). It may branch on y, not on eta: a density
// must be smooth. Tight bounds come from few operations that each vary little: softplus(x) rather
// than log(1 + exp(x)), one square rather than a product of the same thing. See
// docs/method/automatic.md, The bound.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <functional>
#include <utility>

#include "flymc/detail/family/auto/curvature.hpp"
#include "flymc/detail/family/auto/dual.hpp"
#include "flymc/detail/family/auto/functions.hpp"
#include "flymc/detail/family/auto/remainder.hpp"
#include "flymc/detail/family/auto/slope.hpp"
#include "flymc/family/likelihood.hpp"

namespace flymc {

// Optional: `static constexpr bool kLogConcave`, false where it is not given, and `double unit()
// const`, the unit of the predictor (see predictor_unit).
template <class E>
concept ScalarExpression = requires(const E& density, double y) {
  { density.log_density(smooth::Value{}, y) } -> std::same_as<smooth::Value>;
  { density.log_density(smooth::Dual<1>{}, y) } -> std::same_as<smooth::Dual<1>>;
  { density.log_density(smooth::Jet2<1>{}, y) } -> std::same_as<smooth::Jet2<1>>;
  { density.log_density(smooth::Remainder<1>{}, y) } -> std::same_as<smooth::Remainder<1>>;
  { density.log_density(smooth::Slope<1, 4>{}, y) } -> std::same_as<smooth::Slope<1, 4>>;
};

namespace detail {
template <class T, int P>
using Several = std::array<T, static_cast<std::size_t>(P)>;
}  // namespace detail

// Optional: kLogConcave as above, `static constexpr bool kLocation` (see has_location), `void
// units(const double* eta, double* out) const` (see predictor_units), and `T rewritten(eta, y)
// const`, the same density by another expression, of which the curvature is taken where `bool
// bends_less_rewritten(const double* anchor, const double* reach) const` says so: predictor k goes
// up to reach[k] from its anchor.
template <class E>
concept MatrixExpression = E::kPredictors >= 1 && E::kPredictors <= int{kMostPredictors} &&
                           requires(const E& density, double y) {
  density.log_density(detail::Several<smooth::Value, E::kPredictors>{}, y);
  density.log_density(detail::Several<smooth::Dual<E::kPredictors>, E::kPredictors>{}, y);
  density.log_density(detail::Several<smooth::Jet2<E::kPredictors>, E::kPredictors>{}, y);
  density.log_density(detail::Several<smooth::Remainder<E::kPredictors>, E::kPredictors>{}, y);
  density.log_density(detail::Several<smooth::Slope<E::kPredictors, 4>, E::kPredictors>{}, y);
};

template <class E>
concept DensityExpression = ScalarExpression<E> || MatrixExpression<E>;

namespace detail {

template <DensityExpression E>
inline constexpr bool kSaysLogConcave = [] {
  if constexpr (requires { E::kLogConcave; }) {
    return E::kLogConcave;
  } else {
    return false;
  }
}();

}  // namespace detail

// There is no global bound: beyond the last shell the likelihood bounds itself.
template <DensityExpression E>
class Automatic;

template <ScalarExpression E>
class Automatic<E> {
 public:
  static constexpr bool kLogConcave = detail::kSaysLogConcave<E>;

  Automatic() = default;
  explicit Automatic(E density) : density_(std::move(density)) {}
  [[nodiscard]] const E& density() const noexcept { return density_; }

  [[nodiscard]] double unit() const noexcept requires requires(const E& density) { density.unit(); }
  { return density_.unit(); }
  [[nodiscard]] double log_likelihood(double eta, double response) const noexcept {
    return density_.log_density(smooth::Value(eta), response).value;
  }
  [[nodiscard]] double log_likelihood(double eta, double response, double& slope) const noexcept {
    const auto at = density_.log_density(smooth::Dual<1>::variable(eta, 0), response);
    slope = at.slope[0];
    return at.value;
  }
  [[nodiscard]] double information(double eta, double response) const noexcept {
    return -density_.log_density(smooth::Jet2<1>::variable(eta, 0), response).second[0];
  }
  // Not finite where the expression gives no bound in this region; the datum is then a beacon.
  [[nodiscard]] double local_curvature(double anchor, double response,
                                       double radius) const noexcept {
    return smooth::local_curvature(
        [&](const auto& eta) { return density_.log_density(eta, response); }, anchor, radius);
  }
  [[nodiscard]] double remainder(double anchor, double u, double response,
                                 double& slope) const noexcept {
    const auto moved = density_.log_density(smooth::Remainder<1>::variable(anchor, u, 0), response);
    slope = moved.slope_change[0];
    return moved.rest;
  }

 private:
  E density_;
};

// Predictors with columns of their own.
template <MatrixExpression E>
class Automatic<E> {
 public:
  static constexpr int kPredictors = E::kPredictors;
  static constexpr CurvatureForm kCurvature = CurvatureForm::kSymmetric;
  static constexpr bool kLogConcave = detail::kSaysLogConcave<E>;

  Automatic() = default;
  explicit Automatic(E density) : density_(std::move(density)) {}
  [[nodiscard]] const E& density() const noexcept { return density_; }

  [[nodiscard]] static constexpr int predictors() noexcept { return kPredictors; }
  [[nodiscard]] static constexpr bool has_location() noexcept {
    if constexpr (requires { E::kLocation; }) {
      return E::kLocation;
    } else {
      return false;
    }
  }
  void units(const double* eta, double* out) const noexcept requires
      requires(const E& density, double* one) {
    density.units(one, one);
  }
  { density_.units(eta, out); }

  [[nodiscard]] double log_likelihood(const double* eta, double response,
                                      double* slopes) const noexcept {
    if (slopes == nullptr) {
      return density_
          .log_density(each([&](std::size_t k) { return smooth::Value(eta[k]); }), response)
          .value;
    }
    const auto at = density_.log_density(
        each([&](std::size_t k) { return smooth::Dual<kPredictors>::variable(eta[k], k); }),
        response);
    std::copy_n(at.slope.begin(), kPredictors, slopes);
    return at.value;
  }
  void information(const double* eta, double response, double* out) const noexcept {
    const auto at = density_.log_density(
        each([&](std::size_t k) { return smooth::Jet2<kPredictors>::variable(eta[k], k); }),
        response);
    std::transform(at.second.begin(), at.second.end(), out, std::negate{});
  }
  [[nodiscard]] bool local_curvature(const double* anchor, double response,
                                     const PredictorRegion& region, double* out) const noexcept {
    if constexpr (kPredictors == 1) {
      *out = smooth::local_curvature(
          [&](const auto& eta) { return density_.log_density(std::array{eta}, response); }, *anchor,
          region.radius * std::sqrt(*region.covariance), region.any);
      return std::isfinite(*out);
    } else {
      smooth::Region<kPredictors> where{.radius = region.radius,
                                        .shared_radius = region.shared_radius};
      std::copy_n(region.covariance, where.covariance.size(), where.covariance.begin());
      std::copy_n(region.shared, where.shared.size(), where.shared.begin());
      const auto bounded_by = [&](const auto& expression) {
        smooth::Packed<kPredictors> curvature{};
        const bool bounded = smooth::local_curvature<kPredictors>(
            expression, each([&](std::size_t k) { return anchor[k]; }), where, curvature);
        std::copy(curvature.begin(), curvature.end(), out);
        return bounded;
      };
      if constexpr (requires { density_.bends_less_rewritten(anchor, anchor); }) {
        const auto reach = each([&](std::size_t k) {
          return where.radius_of(k) * std::sqrt(where.covariance[smooth::packed(k, k)]);
        });
        if (density_.bends_less_rewritten(anchor, reach.data()) &&
            bounded_by([&](const auto& eta) { return density_.rewritten(eta, response); })) {
          return true;
        }
      }
      return bounded_by([&](const auto& eta) { return density_.log_density(eta, response); });
    }
  }
  [[nodiscard]] double remainder(const double* anchor, const double* u, double response,
                                 double* slopes) const noexcept {
    const auto moved =
        density_.log_density(each([&](std::size_t k) {
                               return smooth::Remainder<kPredictors>::variable(anchor[k], u[k], k);
                             }),
                             response);
    std::copy_n(moved.slope_change.begin(), kPredictors, slopes);
    return moved.rest;
  }

 private:
  template <class Make>
  [[nodiscard]] static auto each(Make&& make) noexcept {
    detail::Several<decltype(make(std::size_t{0})), kPredictors> all;
    for (std::size_t k = 0; k < all.size(); ++k) {
      all[k] = make(k);
    }
    return all;
  }

  E density_;
};

}  // namespace flymc
