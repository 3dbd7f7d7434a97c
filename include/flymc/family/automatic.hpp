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

#include <concepts>
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
concept DensityExpression = requires(const E& density, double y) {
  { density.log_density(smooth::Value{}, y) } -> std::same_as<smooth::Value>;
  { density.log_density(smooth::Dual<1>{}, y) } -> std::same_as<smooth::Dual<1>>;
  { density.log_density(smooth::Jet2<1>{}, y) } -> std::same_as<smooth::Jet2<1>>;
  { density.log_density(smooth::Remainder<1>{}, y) } -> std::same_as<smooth::Remainder<1>>;
  { density.log_density(smooth::Slope<1, 4>{}, y) } -> std::same_as<smooth::Slope<1, 4>>;
};

// There is no global bound: beyond the last shell the likelihood bounds itself.
template <DensityExpression E>
class Automatic {
 public:
  static constexpr bool kLogConcave = [] {
    if constexpr (requires { E::kLogConcave; }) {
      return E::kLogConcave;
    } else {
      return false;
    }
  }();

  explicit Automatic(E density = {}) : density_(std::move(density)) {}
  [[nodiscard]] const E& density() const noexcept { return density_; }

  [[nodiscard]] double unit() const noexcept {
    if constexpr (requires { density_.unit(); }) {
      return density_.unit();
    } else {
      return 1.0;
    }
  }
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

}  // namespace flymc
