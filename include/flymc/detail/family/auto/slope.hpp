// Taylor slopes: coefficients at the centre of a box, and intervals for what is left of order M.
//
// The variables are scaled so that the box is |v_l| <= 1 for each. A Slope represents f where, for
// every v of the box, there are s_alpha in `top` with
//     f(v) = sum_{|alpha| < M} c_alpha v^alpha + sum_{|alpha| = M} s_alpha v^alpha,
// and f(v) lies in `range`. c_alpha are then the Taylor coefficients at 0: plain numbers.
// See docs/method/automatic.md, Slopes: Lemmas 1 to 3 and Theorem 1.
#pragma once

#include <array>
#include <cstddef>

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

  // Slopes of every degree from 1 to M, by Lemma 1: what v^beta = v^alpha v_l adds to the slope of
  // its parent alpha is at most its own size, for |v_l| <= 1.
  using Slopes = std::array<Interval, kCount>;
  [[nodiscard]] Slopes slopes() const noexcept {
    Slopes s;
    for (std::size_t i = 1; i < kLower; ++i) {
      s[i] = point(c[i]);
    }
    for (std::size_t i = kCount; i-- > 1;) {
      if (i >= kLower) {
        s[i] = top[i - kLower];
      }
      const std::size_t parent = kTable.parent[i];
      if (parent > 0) {
        s[parent] = s[parent] + around_zero(s[i].magnitude());
      }
    }
    return s;
  }

  // c_0 and the slopes of degree 1 give another range: both hold.
  void tighten(const Slopes& s) noexcept {
    Interval centred = point(c[0]);
    for (std::size_t l = 1; l <= P; ++l) {
      centred = centred + around_zero(s[l].magnitude());
    }
    range = intersection(range, centred);
  }
};

// Lemma 2: f g = sum_{|alpha| < M} c_alpha v^alpha g + sum_{|alpha| = M} s_alpha v^alpha g, with g
// by its slopes of order M - |alpha| in the first sum and by its range in the second.
template <int P, int M>
[[nodiscard]] Slope<P, M> product_with(const Slope<P, M>& f, const Slope<P, M>& g,
                                       const typename Slope<P, M>::Slopes& slopes_of_g) noexcept {
  using S = Slope<P, M>;
  S h;
  for (std::size_t i = 0; i < S::kLower; ++i) {
    for (std::size_t k = S::kTable.first[i]; k < S::kTable.first[i + 1]; ++k) {
      const auto [left, right] = S::kTable.products[k];
      h.c[i] += f.c[left] * g.c[right];
    }
  }
  for (std::size_t i = S::kLower; i < S::kCount; ++i) {
    IntervalSum sum(f.top[i - S::kLower] * g.range);
    for (std::size_t k = S::kTable.first[i]; k + 1 < S::kTable.first[i + 1]; ++k) {
      const auto [left, right] = S::kTable.products[k];
      sum.add(f.c[left], slopes_of_g[right]);
    }
    h.top[i - S::kLower] = sum.total();
  }
  h.range = f.range * g.range;
  return h;
}

template <int P, int M>
[[nodiscard]] Slope<P, M> product(const Slope<P, M>& f, const Slope<P, M>& g) noexcept {
  Slope<P, M> h = product_with(f, g, g.slopes());
  h.tighten(h.slopes());
  return h;
}

namespace detail {

// (sum_l s_l v_l)^M by degree M monomials.
template <int P, int M>
[[nodiscard]] auto top_power(const typename Slope<P, M>::Slopes& s) noexcept {
  using S = Slope<P, M>;
  std::array<std::array<Interval, M + 1>, P> powers;
  for (std::size_t l = 0; l < P; ++l) {
    for (int k = 1; k <= M; ++k) {
      powers[l][static_cast<std::size_t>(k)] = power(s[1 + l], k);
    }
  }
  std::array<Interval, S::kCount - S::kLower> out;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto& exponents = S::kTable.exponents[S::kLower + i];
    Interval term = point(S::kTable.ways[S::kLower + i]);
    for (std::size_t l = 0; l < P; ++l) {
      if (exponents[l] > 0) {
        term = term * powers[l][static_cast<std::size_t>(exponents[l])];
      }
    }
    out[i] = term;
  }
  return out;
}

}  // namespace detail

// Lemma 3: with d = g - g(0), F(g) = sum_{k < M} f_k d^k + F_M d^M, where F_M lies in
// F^(M)(range) / M! and in f_M + [F^(M+1)(range) / (M+1)!] (range of d).
template <class F, int P, int M>
[[nodiscard]] Slope<P, M> apply(const F& function, Slope<P, M> g) noexcept {
  using S = Slope<P, M>;
  const auto slopes = g.slopes();
  g.tighten(slopes);
  double f[M + 1];
  function.taylor(g.c[0], M, f);
  const Enclosure over = function.enclose(g.range, M);
  S d = g;
  d += -g.c[0];
  const Interval rest =
      intersection(over.order, over.next * d.range + outward(f[M], f[M], kTaylorShare));
  S h(f[0]);
  const auto last = detail::top_power<P, M>(slopes);
  for (std::size_t i = 0; i < last.size(); ++i) {
    h.top[i] = rest * last[i];
  }
  S power = d;
  for (int k = 1; k < M; ++k) {
    for (std::size_t i = 1; i < S::kLower; ++i) {
      h.c[i] += f[k] * power.c[i];
    }
    for (std::size_t i = 0; i < last.size(); ++i) {
      h.top[i] = h.top[i] + f[k] * power.top[i];
    }
    if (k + 1 < M) {
      power = product_with(power, d, slopes);
    }
  }
  h.range = over.range;
  h.tighten(h.slopes());
  return h;
}

}  // namespace flymc::smooth
