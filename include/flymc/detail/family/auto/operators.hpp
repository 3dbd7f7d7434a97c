// What the scalar types share: sums, differences, products and quotients out of what each type
// defines, += of its own kind and of a number, *= of a number, and a product.
#pragma once

#include <concepts>

namespace flymc::smooth {

// A type of ours: Value, Dual, Jet2, Remainder, Slope.
template <class T>
concept Differentiable = requires {
  { T::kVariables } -> std::convertible_to<int>;
};

template <Differentiable T>
[[nodiscard]] T operator+(T a, const T& b) noexcept {
  a += b;
  return a;
}
template <Differentiable T>
[[nodiscard]] T operator+(T a, double b) noexcept {
  a += b;
  return a;
}
template <Differentiable T>
[[nodiscard]] T operator+(double a, T b) noexcept {
  b += a;
  return b;
}
template <Differentiable T>
[[nodiscard]] T operator-(T a) noexcept {
  a *= -1.0;
  return a;
}
template <Differentiable T>
[[nodiscard]] T operator-(T a, const T& b) noexcept {
  a += -b;
  return a;
}
template <Differentiable T>
[[nodiscard]] T operator-(T a, double b) noexcept {
  a += -b;
  return a;
}
template <Differentiable T>
[[nodiscard]] T operator-(double a, T b) noexcept {
  b *= -1.0;
  b += a;
  return b;
}
template <Differentiable T>
[[nodiscard]] T operator*(const T& a, const T& b) noexcept {
  return product(a, b);
}
template <Differentiable T>
[[nodiscard]] T operator*(T a, double b) noexcept {
  a *= b;
  return a;
}
template <Differentiable T>
[[nodiscard]] T operator*(double a, T b) noexcept {
  b *= a;
  return b;
}
template <Differentiable T>
[[nodiscard]] T operator/(T a, double b) noexcept {
  a *= 1.0 / b;
  return a;
}

}  // namespace flymc::smooth
