// The names under which a density uses them, for every scalar type; found by their arguments.
#pragma once

#include "flymc/detail/family/auto/dual.hpp"
#include "flymc/detail/family/auto/intrinsics.hpp"
#include "flymc/detail/family/auto/operators.hpp"
#include "flymc/detail/family/auto/remainder.hpp"
#include "flymc/detail/family/auto/slope.hpp"

namespace flymc::smooth {

template <Differentiable T>
[[nodiscard]] T exp(const T& x) noexcept {
  return apply(Exp{}, x);
}
template <Differentiable T>
[[nodiscard]] T expm1(const T& x) noexcept {
  return apply(Expm1{}, x);
}
template <Differentiable T>
[[nodiscard]] T log(const T& x) noexcept {
  return apply(Log{}, x);
}
template <Differentiable T>
[[nodiscard]] T log1p(const T& x) noexcept {
  return apply(Log1p{}, x);
}
template <Differentiable T>
[[nodiscard]] T sqrt(const T& x) noexcept {
  return apply(Sqrt{}, x);
}
// x > 0; for a square write square(x).
template <Differentiable T>
[[nodiscard]] T pow(const T& x, double exponent) noexcept {
  return apply(Power{exponent}, x);
}
template <Differentiable T>
[[nodiscard]] T square(const T& x) noexcept {
  return apply(Square{}, x);
}
template <Differentiable T>
[[nodiscard]] T operator/(double a, const T& b) noexcept {
  return a * apply(Inverse{}, b);
}
template <Differentiable T>
[[nodiscard]] T operator/(const T& a, const T& b) noexcept {
  return a * apply(Inverse{}, b);
}
// log(1 + e^x).
template <Differentiable T>
[[nodiscard]] T softplus(const T& x) noexcept {
  return apply(Softplus{}, x);
}
// 1 / (1 + e^-x), and its logarithm.
template <Differentiable T>
[[nodiscard]] T sigmoid(const T& x) noexcept {
  return apply(Sigmoid{}, x);
}
template <Differentiable T>
[[nodiscard]] T log_sigmoid(const T& x) noexcept {
  return -softplus(-x);
}
template <Differentiable T>
[[nodiscard]] T tanh(const T& x) noexcept {
  return apply(Tanh{}, x);
}
// log(1 - e^-x), x > 0.
template <Differentiable T>
[[nodiscard]] T log1mexp(const T& x) noexcept {
  return apply(Log1mExp{}, x);
}
template <Differentiable T>
[[nodiscard]] T lgamma(const T& x) noexcept {
  return apply(LogGamma{}, x);
}
template <Differentiable T>
[[nodiscard]] T digamma(const T& x) noexcept {
  return apply(Digamma{}, x);
}
// log Gamma(x + rise) - log Gamma(x), x > 0 and rise >= 0: the log of a rising factorial.
template <Differentiable T>
[[nodiscard]] T lrising(const T& x, double rise) noexcept {
  return apply(LogRising{rise}, x);
}
// log of (1)(1 + x)(1 + 2x) ... of so many factors, x >= 0; and log(1 + x) / x, x >= 0. For another
// writing of a density alone (see Automatic): there are no remainders of them.
template <Differentiable T>
[[nodiscard]] T lrising_steps(const T& x, double terms) noexcept {
  return apply(LogStepRising{terms}, x);
}
template <Differentiable T>
[[nodiscard]] T log1p_ratio(const T& x) noexcept {
  return apply(Log1pRatio{}, x);
}
// log Phi(x), of the standard normal distribution function.
template <Differentiable T>
[[nodiscard]] T std_normal_lcdf(const T& x) noexcept {
  return apply(LogNormalCdf{}, x);
}

}  // namespace flymc::smooth
