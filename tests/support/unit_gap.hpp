// What every gap must satisfy, checked at one point against the quad precision reference.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/unit_reference.hpp"

namespace flymc::unit {

struct GapPoint {
  std::vector<double> anchor;
  std::vector<double> u;
  double response;
};

// Tolerances in units of the parabola 1/2 u' A u, of the global bound where that one is larger (the
// gap is a difference of terms of that size), and of the predictors (their own rounding).
struct GapTolerance {
  Real share = 2e-14L;
  Real rounding = 4e-16L;
};

template <BoundedLikelihood M>
[[nodiscard]] std::vector<double> global_of(const M& model, const GapPoint& at) {
  std::vector<double> curvature(static_cast<std::size_t>(curvature_count(model)));
  if constexpr (kHasGlobalBound<M>) {
    global_curvature(model, at.anchor.data(), at.response, curvature.data());
  }
  return curvature;
}

// The gap of the tangent with this curvature.
template <BoundedLikelihood M>
void expect_gap(const M& model, const GapPoint& at, const std::vector<double>& curvature,
                const GapTolerance& tolerance) {
  const std::size_t k = at.u.size();
  const Tangent tangent{at.anchor.data(), curvature.data(), at.response};
  std::vector<double> slopes(k);
  const double gap = evaluate_gap(model, tangent, at.u.data(), slopes.data());
  Reals eta(k);
  Real size = 0;
  for (std::size_t j = 0; j < k; ++j) {
    eta[j] = Real{at.anchor[j]} + Real{at.u[j]};
    size = std::max({size, abs(Real{at.u[j]}), abs(Real{at.anchor[j]})});
  }
  const Likely moved = likely(model, eta, at.response);
  const Bound bound = log_bound(model, tangent, eta);
  const std::vector<double> global = global_of(model, at);
  const Real parabola =
      std::max(abs(bound.quadratic),
               log_bound(model, {at.anchor.data(), global.data(), at.response}, eta).quadratic);
  const Real noise = tolerance.rounding * size;
  // The bound lies below: no rounding of ours may lift it, nor may the curvature be too small.
  ASSERT_GE(gap, 0.0);
  ASSERT_LE(bound.value, moved.value + 1e-18L * (1 + abs(moved.value) + parabola + size));
  ASSERT_LE(abs(gap - (moved.value - bound.value)), tolerance.share * parabola + noise);
  for (std::size_t j = 0; j < k; ++j) {
    const Real reference = moved.slopes[j] - bound.slopes[j];
    const Real scale = abs(moved.slopes[j]) + bound.slope_sizes[j];
    ASSERT_TRUE(isfinite(slopes[j]));
    ASSERT_LE(abs(slopes[j] - reference), tolerance.share * scale + noise);
  }
}

// The same for the bound that holds everywhere.
template <BoundedLikelihood M>
void expect_gap(const M& model, const GapPoint& at, const GapTolerance& tolerance) {
  expect_gap(model, at, global_of(model, at), tolerance);
}

// The message that names a failing point.
[[nodiscard]] inline std::string describe(const GapPoint& at) {
  std::string text = "response " + std::to_string(at.response);
  for (std::size_t j = 0; j < at.u.size(); ++j) {
    text +=
        ", a " + testing::PrintToString(at.anchor[j]) + ", u " + testing::PrintToString(at.u[j]);
  }
  return text;
}

// Both signs of a geometric grid, and zero.
[[nodiscard]] inline std::vector<double> signed_grid(double smallest, double largest, int points) {
  std::vector<double> grid{0.0};
  for (int i = 0; i < points; ++i) {
    const double x = smallest * pow(largest / smallest, i / (points - 1.0));
    grid.push_back(x);
    grid.push_back(-x);
  }
  return grid;
}

}  // namespace flymc::unit
