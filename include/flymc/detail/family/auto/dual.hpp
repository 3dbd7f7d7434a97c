// The value alone, Value; with the gradient, Dual: what a query of a bright datum needs; with
// second derivatives, Jet2: what Newton's method needs.
#pragma once

#include <array>
#include <cstddef>

#include "flymc/detail/family/auto/operators.hpp"

namespace flymc::smooth {

// A double by another name: it lies in this namespace, and so do the functions it is given to.
struct Value {
  static constexpr int kVariables = 0;
  double value = 0.0;

  Value() = default;
  Value(double constant) noexcept : value(constant) {}  // NOLINT: a number is a density's constant
  Value& operator+=(Value other) noexcept {
    value += other.value;
    return *this;
  }
  Value& operator+=(double constant) noexcept {
    value += constant;
    return *this;
  }
  Value& operator*=(double factor) noexcept {
    value *= factor;
    return *this;
  }
};

[[nodiscard]] inline Value product(Value f, Value g) noexcept { return f.value * g.value; }

template <class F>
[[nodiscard]] Value apply(const F& function, Value g) noexcept {
  double f = 0.0;
  function.taylor(g.value, 0, &f);
  return f;
}

template <int P>
struct Dual {
  static constexpr int kVariables = P;
  double value = 0.0;
  std::array<double, P> slope{};

  Dual() = default;
  Dual(double constant) noexcept : value(constant) {}  // NOLINT: as for Value
  [[nodiscard]] static Dual variable(double at, std::size_t which) noexcept {
    Dual x(at);
    x.slope[which] = 1.0;
    return x;
  }

  Dual& operator+=(const Dual& other) noexcept {
    value += other.value;
    for (std::size_t l = 0; l < P; ++l) {
      slope[l] += other.slope[l];
    }
    return *this;
  }
  Dual& operator+=(double constant) noexcept {
    value += constant;
    return *this;
  }
  Dual& operator*=(double factor) noexcept {
    value *= factor;
    for (double& s : slope) {
      s *= factor;
    }
    return *this;
  }
};

template <int P>
[[nodiscard]] Dual<P> product(const Dual<P>& f, const Dual<P>& g) noexcept {
  Dual<P> h(f.value * g.value);
  for (std::size_t l = 0; l < P; ++l) {
    h.slope[l] = f.value * g.slope[l] + g.value * f.slope[l];
  }
  return h;
}

template <class F, int P>
[[nodiscard]] Dual<P> apply(const F& function, const Dual<P>& g) noexcept {
  double f[2];
  function.taylor(g.value, 1, f);
  Dual<P> h(f[0]);
  for (std::size_t l = 0; l < P; ++l) {
    h.slope[l] = f[1] * g.slope[l];
  }
  return h;
}

// Symmetric matrices are packed by rows of the lower triangle: (0,0), (1,0), (1,1), (2,0), ...
[[nodiscard]] constexpr std::size_t packed(std::size_t row, std::size_t column) noexcept {
  return row * (row + 1) / 2 + column;
}
template <int P>
using Packed = std::array<double, P*(P + 1) / 2>;

template <int P>
struct Jet2 {
  static constexpr int kVariables = P;
  double value = 0.0;
  std::array<double, P> slope{};
  Packed<P> second{};

  Jet2() = default;
  Jet2(double constant) noexcept : value(constant) {}  // NOLINT: as for Value
  [[nodiscard]] static Jet2 variable(double at, std::size_t which) noexcept {
    Jet2 x(at);
    x.slope[which] = 1.0;
    return x;
  }

  Jet2& operator+=(const Jet2& other) noexcept {
    value += other.value;
    for (std::size_t l = 0; l < P; ++l) {
      slope[l] += other.slope[l];
    }
    for (std::size_t i = 0; i < second.size(); ++i) {
      second[i] += other.second[i];
    }
    return *this;
  }
  Jet2& operator+=(double constant) noexcept {
    value += constant;
    return *this;
  }
  Jet2& operator*=(double factor) noexcept {
    value *= factor;
    for (double& s : slope) {
      s *= factor;
    }
    for (double& s : second) {
      s *= factor;
    }
    return *this;
  }
};

template <int P>
[[nodiscard]] Jet2<P> product(const Jet2<P>& f, const Jet2<P>& g) noexcept {
  Jet2<P> h(f.value * g.value);
  for (std::size_t k = 0; k < P; ++k) {
    h.slope[k] = f.value * g.slope[k] + g.value * f.slope[k];
    for (std::size_t l = 0; l <= k; ++l) {
      const std::size_t at = packed(k, l);
      h.second[at] = f.value * g.second[at] + g.value * f.second[at] + f.slope[k] * g.slope[l] +
                     f.slope[l] * g.slope[k];
    }
  }
  return h;
}

template <class F, int P>
[[nodiscard]] Jet2<P> apply(const F& function, const Jet2<P>& g) noexcept {
  double f[3];
  function.taylor(g.value, 2, f);
  Jet2<P> h(f[0]);
  for (std::size_t k = 0; k < P; ++k) {
    h.slope[k] = f[1] * g.slope[k];
    for (std::size_t l = 0; l <= k; ++l) {
      const std::size_t at = packed(k, l);
      h.second[at] = f[1] * g.second[at] + 2.0 * f[2] * g.slope[k] * g.slope[l];
    }
  }
  return h;
}

}  // namespace flymc::smooth
