// Taylor slopes: coefficients at the centre of a box, and intervals for what is left of order M.
//
// The variables are scaled so that the box is |v_l| <= 1 for each. A Slope represents f where, for
// every v of the box, there are s_alpha in `top` with
//     f(v) = sum_{|alpha| < M} c_alpha v^alpha + sum_{|alpha| = M} s_alpha v^alpha,
// and f(v) lies in `range`. c_alpha are then the Taylor coefficients at 0: plain numbers.
// Functions that multiply and add are not inlined: which products a compiler fuses with sums hangs
// on what is around them, and a C++ density and the same as a text are to have the same bits.
// See docs/method/automatic.md, Slopes: Lemmas 1 to 3 and Theorem 1.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "flymc/detail/family/auto/interval.hpp"
#include "flymc/detail/family/auto/monomials.hpp"
#include "flymc/detail/family/auto/operators.hpp"

namespace flymc::smooth {

// What is known of a function F of one variable over an interval: F, and its Taylor coefficients of
// two orders that follow one another.
struct Enclosure {
  Interval range;
  Interval order;  // F^(m) / m!
  Interval next;   // F^(m+1) / (m+1)!
};

// What a Taylor coefficient of the last order may be off by, of any function.
inline constexpr double kTaylorShare = 1e-11;

template <int P, int M>
struct Slope {
  static_assert(P >= 1 && (M == 3 || M == 4));
  static constexpr int kVariables = P;
  static constexpr const Monomials<P, M>& kTable = kMonomials<P, M>;
  static constexpr std::size_t kLower = Monomials<P, M>::kLower;
  static constexpr std::size_t kCount = Monomials<P, M>::kCount;

  std::array<double, kLower> c{};
  std::array<Interval, kCount - kLower> top{};
  Interval range{};

  Slope() = default;
  Slope(double constant) noexcept : range(point(constant)) { c[0] = constant; }  // NOLINT

  // at + sum_l steps_l v_l.
  [[nodiscard]] static Slope variable(double at, const std::array<double, P>& steps) noexcept {
    Slope x(at);
    for (std::size_t l = 0; l < P; ++l) {
      x.c[1 + l] = steps[l];
      x.range = x.range + around_zero(std::abs(steps[l]));
    }
    return x;
  }

  Slope& operator+=(const Slope& other) noexcept {
    for (std::size_t i = 0; i < kLower; ++i) {
      c[i] += other.c[i];
    }
    for (std::size_t i = 0; i < top.size(); ++i) {
      top[i] = top[i] + other.top[i];
    }
    range = range + other.range;
    return *this;
  }
  Slope& operator+=(double constant) noexcept {
    c[0] += constant;
    range = range + constant;
    return *this;
  }
  Slope& operator*=(double factor) noexcept {
    for (double& one : c) {
      one *= factor;
    }
    for (Interval& one : top) {
      one = factor * one;
    }
    range = factor * range;
    return *this;
  }

  // Slopes of every degree from 1 to M - 1, by Lemma 1: what v^beta = v^alpha v_l adds to the slope
  // of its parent alpha is at most its own size, for |v_l| <= 1. So that of monomial i is at most
  // radii[i] from c_i.
  using Radii = std::array<double, kLower>;
  [[nodiscard, gnu::noinline]] Radii radii() const noexcept {
    constexpr double kRounding = 1.0 + 2.0 * kUlp;
    Radii r{};
    for (std::size_t i = kCount; i-- > P + 1;) {
      const double size = i < kLower ? std::abs(c[i]) + r[i] : top[i - kLower].magnitude();
      double& parent = r[kTable.parent[i]];
      parent = (parent + size) * kRounding;
    }
    return r;
  }

  // c_0 and the slopes of degree 1 give another range: both hold.
  [[gnu::noinline]] void tighten(const Radii& r) noexcept {
    IntervalSum centred(point(c[0]));
    for (std::size_t l = 1; l <= P; ++l) {
      centred.add(1.0, 0.0, std::abs(c[l]) + r[l]);
    }
    range = intersection(range, centred.total());
  }
};

// body(i) for i = 0 .. N - 1, each a constant of the compiler.
template <std::size_t N, class Body>
inline void unrolled(Body&& body) noexcept {
  [&]<std::size_t... I>(std::index_sequence<I...>) { (body.template operator()<I>(), ...); }
  (std::make_index_sequence<N>{});
}

// Lemma 2: f g = sum_{|alpha| < M} c_alpha v^alpha g + sum_{|alpha| = M} s_alpha v^alpha g, with g
// by its slopes of order M - |alpha| in the first sum and by its range in the second. Coefficients
// of f and g below these degrees are zero.
template <int OfF, int OfG, int P, int M>
[[nodiscard]] Slope<P, M> product_with(const Slope<P, M>& f, const Slope<P, M>& g,
                                       const typename Slope<P, M>::Radii& radii_of_g) noexcept {
  using S = Slope<P, M>;
  S h;
  unrolled<S::kLower>([&]<std::size_t i>() {
    constexpr std::size_t kFirst = S::kTable.first[i];
    unrolled<S::kTable.first[i + 1] - kFirst>([&]<std::size_t k>() {
      constexpr auto kFactors = S::kTable.products[kFirst + k];
      if constexpr (S::kTable.degree[kFactors.left] >= OfF &&
                    S::kTable.degree[kFactors.right] >= OfG) {
        h.c[i] += f.c[kFactors.left] * g.c[kFactors.right];
      }
    });
  });
  unrolled<S::kCount - S::kLower>([&]<std::size_t t>() {
    constexpr std::size_t kTop = S::kLower + t;
    constexpr std::size_t kFirst = S::kTable.first[kTop];
    IntervalSum sum(f.top[t] * g.range);
    if constexpr (OfF == 0) {
      sum.add(f.c[0], g.top[t]);
    }
    unrolled<S::kTable.first[kTop + 1] - kFirst>([&]<std::size_t k>() {
      constexpr auto kFactors = S::kTable.products[kFirst + k];
      if constexpr (S::kTable.degree[kFactors.left] >= std::max(OfF, 1) &&
                    S::kTable.degree[kFactors.left] < M) {
        sum.add(f.c[kFactors.left], g.c[kFactors.right], radii_of_g[kFactors.right]);
      }
    });
    h.top[t] = sum.total();
  });
  h.range = f.range * g.range;
  return h;
}

template <int P, int M>
[[nodiscard, gnu::noinline]] Slope<P, M> product(const Slope<P, M>& f,
                                                 const Slope<P, M>& g) noexcept {
  Slope<P, M> h = product_with<0, 0>(f, g, g.radii());
  h.tighten(h.radii());
  return h;
}

namespace detail {

// (sum_l s_l v_l)^M by degree M monomials, s_l the slopes of degree 1.
template <int P, int M>
[[nodiscard]] auto top_power(const Slope<P, M>& g,
                             const typename Slope<P, M>::Radii& radii) noexcept {
  using S = Slope<P, M>;
  std::array<std::array<Interval, M>, P> powers;  // first to last
  unrolled<P>([&]<std::size_t l>() {
    const double middle = g.c[1 + l];
    const double radius = radii[1 + l];
    const Interval slope = outward(middle - radius, middle + radius);
    unrolled<M>([&]<std::size_t k>() { powers[l][k] = power(slope, 1 + static_cast<int>(k)); });
  });
  std::array<Interval, S::kCount - S::kLower> out;
  unrolled<S::kCount - S::kLower>([&]<std::size_t t>() {
    constexpr std::array<int, P> kExponents = S::kTable.exponents[S::kLower + t];
    Interval term = point(1.0);
    bool is_first = true;
    unrolled<P>([&]<std::size_t l>() {
      if constexpr (kExponents[l] > 0) {
        const Interval factor = powers[l][kExponents[l] - 1];
        term = is_first ? factor : term * factor;
        is_first = false;
      }
    });
    out[t] = S::kTable.ways[S::kLower + t] * term;
  });
  return out;
}

}  // namespace detail

// Lemma 3: with d = g - g(0), F(g) = sum_{k < M} f_k d^k + F_M d^M, where F_M lies in
// F^(M)(range) / M! and in f_M + [F^(M+1)(range) / (M+1)!] (range of d). `f` are f_0 to f_M, `over`
// is of g's range.
template <int P, int M>
[[nodiscard, gnu::noinline]] Slope<P, M> composition(
    const double* f, const Enclosure& over, const Slope<P, M>& g,
    const typename Slope<P, M>::Radii& radii) noexcept {
  using S = Slope<P, M>;
  S d = g;
  d += -g.c[0];
  const Interval rest =
      intersection(over.order, over.next * d.range + outward(f[M], f[M], kTaylorShare));
  const auto last = detail::top_power<P, M>(g, radii);
  S h(f[0]);
  unrolled<S::kCount - S::kLower>([&]<std::size_t t>() { h.top[t] = rest * last[t]; });
  S power = d;
  unrolled<M - 1>([&]<std::size_t k>() {
    constexpr int kDegree = 1 + static_cast<int>(k);
    for (std::size_t i = 1; i < S::kLower; ++i) {
      h.c[i] += f[kDegree] * power.c[i];
    }
    for (std::size_t t = 0; t < last.size(); ++t) {
      h.top[t] = h.top[t] + f[kDegree] * power.top[t];
    }
    if constexpr (kDegree + 1 < M) {
      power = product_with<kDegree, 1>(power, d, radii);
    }
  });
  h.range = over.range;
  h.tighten(h.radii());
  return h;
}

template <class F, int P, int M>
[[nodiscard]] Slope<P, M> apply(const F& function, Slope<P, M> g) noexcept {
  const auto radii = g.radii();
  g.tighten(radii);
  double f[M + 1];
  function.taylor(g.c[0], M, f);
  return composition(f, function.enclose(g.range, M), g, radii);
}

}  // namespace flymc::smooth
