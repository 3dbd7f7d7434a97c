// Integrals of smooth functions in quad precision: references that share no formula with the
// engine.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "support/real.hpp"

namespace flymc::unit {

struct GaussRule {
  static constexpr int kPoints = 16;
  std::array<Real, kPoints> node{};  // in (-1, 1)
  std::array<Real, kPoints> weight{};
};

// The zeros of the Legendre polynomial by Newton's method.
[[nodiscard]] inline GaussRule make_gauss_rule() {
  constexpr int n = GaussRule::kPoints;
  GaussRule rule;
  for (int i = 0; i < n; ++i) {
    Real x = cos(kPi * (i + 0.75L) / (n + 0.5L));
    Real slope = 1.0L;
    for (int step = 0; step < 20; ++step) {
      Real before = 1.0L;
      Real p = x;
      for (int k = 2; k <= n; ++k) {
        const Real next = ((2 * k - 1) * x * p - (k - 1) * before) / k;
        before = p;
        p = next;
      }
      slope = n * (x * p - before) / (x * x - 1.0L);
      x -= p / slope;
    }
    rule.node[static_cast<std::size_t>(i)] = x;
    rule.weight[static_cast<std::size_t>(i)] = 2.0L / ((1.0L - x * x) * slope * slope);
  }
  return rule;
}

// int f(x) dx and int x f(x) dx between two ends, on so many panels of 16 Gauss points.
struct Moments {
  Real zeroth = 0.0L;
  Real first = 0.0L;
};
template <class F>
[[nodiscard]] Moments moments(Real from, Real to, int panels, const F& f) {
  static const GaussRule rule = make_gauss_rule();
  const Real half = (to - from) / (2 * panels);
  Moments sum;
  for (int panel = 0; panel < panels; ++panel) {
    const Real centre = from + (2 * panel + 1) * half;
    for (std::size_t i = 0; i < rule.node.size(); ++i) {
      const Real x = centre + half * rule.node[i];
      const Real term = half * rule.weight[i] * f(x);
      sum.zeroth += term;
      sum.first += x * term;
    }
  }
  return sum;
}

}  // namespace flymc::unit
