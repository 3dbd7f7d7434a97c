// f(a + u) - f(a) - f'(a) u and the change of f' between a and a + u, for one u, to a few units in
// the last place of their own size: nothing that is large is subtracted. See Theorem 6 and the
// rules of docs/method/automatic.md, Remainders. What multiplies and adds is not inlined: slope.hpp
// says why.
#pragma once

#include <array>
#include <cstddef>

#include "flymc/detail/family/auto/operators.hpp"

namespace flymc::smooth {

// What a function F of one variable says between x and x + d.
struct Change {
  double value;         // F(x)
  double slope;         // F'(x)
  double rest;          // F(x + d) - F(x) - F'(x) d
  double slope_change;  // F'(x + d) - F'(x)
};

template <int P>
struct Remainder {
  static constexpr int kVariables = P;
  double value = 0.0;                    // f(a)
  double linear = 0.0;                   // f'(a) u
  double rest = 0.0;                     // f(a + u) - value - linear
  std::array<double, P> slope{};         // f'(a)
  std::array<double, P> slope_change{};  // f'(a + u) - f'(a)

  Remainder() = default;
  Remainder(double constant) noexcept : value(constant) {}  // NOLINT: as for Value
  [[nodiscard]] static Remainder variable(double at, double u, std::size_t which) noexcept {
    Remainder x(at);
    x.linear = u;
    x.slope[which] = 1.0;
    return x;
  }
  [[nodiscard]] double change() const noexcept { return linear + rest; }

  Remainder& operator+=(const Remainder& other) noexcept {
    value += other.value;
    linear += other.linear;
    rest += other.rest;
    for (std::size_t l = 0; l < P; ++l) {
      slope[l] += other.slope[l];
      slope_change[l] += other.slope_change[l];
    }
    return *this;
  }
  Remainder& operator+=(double constant) noexcept {
    value += constant;
    return *this;
  }
  Remainder& operator*=(double factor) noexcept {
    value *= factor;
    linear *= factor;
    rest *= factor;
    for (std::size_t l = 0; l < P; ++l) {
      slope[l] *= factor;
      slope_change[l] *= factor;
    }
    return *this;
  }
};

// rest = f_0 rest_g + g_0 rest_f + (change of f)(change of g); the slopes by the product rule.
template <int P>
[[nodiscard, gnu::noinline]] Remainder<P> product(const Remainder<P>& f,
                                                  const Remainder<P>& g) noexcept {
  const double df = f.change();
  const double dg = g.change();
  Remainder<P> h(f.value * g.value);
  h.linear = f.value * g.linear + g.value * f.linear;
  h.rest = f.value * g.rest + g.value * f.rest + df * dg;
  for (std::size_t l = 0; l < P; ++l) {
    h.slope[l] = f.value * g.slope[l] + g.value * f.slope[l];
    h.slope_change[l] = f.slope[l] * dg + f.slope_change[l] * (g.value + dg) + g.slope[l] * df +
                        g.slope_change[l] * (f.value + df);
  }
  return h;
}

// rest = F'(x) rest_g + rest_F(x, change of g), the change of F given.
template <int P>
[[nodiscard, gnu::noinline]] Remainder<P> composition(const Change& f,
                                                      const Remainder<P>& g) noexcept {
  Remainder<P> h(f.value);
  h.linear = f.slope * g.linear;
  h.rest = f.slope * g.rest + f.rest;
  for (std::size_t l = 0; l < P; ++l) {
    h.slope[l] = f.slope * g.slope[l];
    h.slope_change[l] =
        f.slope * g.slope_change[l] + f.slope_change * (g.slope[l] + g.slope_change[l]);
  }
  return h;
}

template <class F, int P>
[[nodiscard]] Remainder<P> apply(const F& function, const Remainder<P>& g) noexcept {
  return composition(function.change(g.value, g.change()), g);
}

}  // namespace flymc::smooth
