// What every likelihood of one predictor must satisfy, checked against the same likelihood written
// naively in quad precision. An `Exact` has value(eta), slope(eta) and information(eta) for its
// datum.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "flymc/detail/family/tangent.hpp"
#include "flymc/random.hpp"
#include "support/long_integral.hpp"

namespace flymc::unit {

// Both signs of a geometric grid.
[[nodiscard]] inline std::vector<double> both_signs(double smallest, double largest, int points) {
  std::vector<double> grid;
  for (int i = 0; i < points; ++i) {
    const double x = smallest * pow(largest / smallest, i / (points - 1.0));
    grid.insert(grid.end(), {x, -x});
  }
  return grid;
}

// |value - reference| <= tolerance |reference| + floor, and finite.
inline void expect_digits(double value, Real reference, Real tolerance, Real floor) {
  EXPECT_TRUE(isfinite(value));
  EXPECT_LE(abs(value - reference), tolerance * abs(reference) + floor)
      << "value " << value << ", reference " << static_cast<double>(reference);
}

// Values against the reference; the reference's derivatives against its own differences, so that
// a mistake made twice is still seen.
template <ScalarLikelihood M, class Exact>
void expect_likelihood(const M& model, const Exact& exact, double eta, double response) {
  double slope = 0.0;
  const double value = model.log_likelihood(eta, response, slope);
  EXPECT_EQ(value, model.log_likelihood(eta, response));
  // Beside two digits of their own: the rounding of eta, and of a slope's terms that cancel.
  const Real x = eta;
  const Real first = abs(exact.slope(x));
  const Real second = exact.information(x);
  expect_digits(value, exact.value(x), 2e-15L, 4e-16L * abs(x) * first);
  expect_digits(slope, exact.slope(x), 2e-15L, 2e-15L * (1 + abs(x)) * second);
  expect_digits(model.information(eta, response), second, 2e-14L, 0.0L);
  // Differences leave h^2 of the higher derivatives, and the rounding of the values over h.
  const Real h = 1e-5L;
  const Real higher = h * h * (1 + x * x) * (first + second);
  const Real slope_near = (exact.value(x + h) - exact.value(x - h)) / (2 * h);
  EXPECT_LE(abs(slope_near - slope), higher + 1e-13L * (abs(exact.value(x)) + first));
  const Real bend_near = (exact.slope(x - h) - exact.slope(x + h)) / (2 * h);
  EXPECT_LE(abs(bend_near - model.information(eta, response)),
            h * h * (1 + x * x) * second + 1e-13L * first);
}

// phi(a + u) - phi(a) - phi'(a) u and its derivative in u.
struct Remainder {
  Real value;
  Real slope;
};
template <class Exact>
[[nodiscard]] Remainder exact_remainder(const Exact& exact, double anchor, double u) {
  const Real a = anchor;
  const Real v = u;
  if (abs(u) > 1.0) {
    return {exact.value(a + v) - exact.value(a) - exact.slope(a) * v,
            exact.slope(a + v) - exact.slope(a)};
  }
  // -u^2 int_0^1 (1 - s) h(a + s u) ds and -u int_0^1 h(a + s u) ds: nothing cancels.
  const int panels = abs(u * anchor) > 5.0 ? 4 : 1;  // h may fall as e^(-a u)
  const Moments bend =
      moments(0.0L, 1.0L, panels, [&](Real s) { return exact.information(a + s * v); });
  return {-v * v * (bend.zeroth - bend.first), -v * bend.zeroth};
}

// `share` of the reference; `floor` of u^2 / 2 and of u: what the raised curvature makes harmless.
struct RemainderTolerance {
  Real share;
  Real floor;
};
template <class M, class Exact>
void expect_remainder(const M& model, const Exact& exact, double anchor, double u, double response,
                      RemainderTolerance tolerance) {
  double slope = 0.0;
  const double value = model.remainder(anchor, u, response, slope);
  const Remainder reference = exact_remainder(exact, anchor, u);
  const Real size = abs(u);
  EXPECT_LE(value, tolerance.floor * size * size / 2);  // concave: the tangent lies above
  expect_digits(value, reference.value, tolerance.share, tolerance.floor * size * size / 2);
  expect_digits(slope, reference.slope, tolerance.share, tolerance.floor * size);
}

template <BoundedScalar M>
[[nodiscard]] double gap_at(const M& model, double anchor, double u, double response,
                            double curvature) {
  double slope = 0.0;
  return evaluate_gap(model, {&anchor, &curvature, response}, &u, &slope);
}

// The bound of this curvature lies below the likelihood on a grid of |u| <= radius, by the engine's
// gap and, where it may be in doubt, by the (slow) reference's.
template <BoundedScalar M, class Exact>
void expect_below(const M& model, const Exact& exact, double anchor, double response,
                  double curvature, double radius) {
  for (const double share : both_signs(1e-6, 1.0, 25)) {
    const double u = share * radius;
    ASSERT_GE(gap_at(model, anchor, u, response, curvature), 0.0) << "share " << share;
    if (abs(share) > 0.05) {
      const Real parabola = static_cast<Real>(curvature) * u * u / 2;
      ASSERT_GE(exact_remainder(exact, anchor, u).value + parabola, 0.0L) << "share " << share;
    }
  }
}

// Both bounds of a datum lie below its likelihood at a random u of a random radius.
template <BoundedScalar M>
void expect_below_at_random(const M& model, double anchor, double response, Stream& stream) {
  const double radius = pow(10.0, 7.0 * stream.uniform() - 5.0);
  const double u = radius * (2.0 * stream.uniform() - 1.0);
  const double local = model.local_curvature(anchor, response, radius);
  ASSERT_GE(gap_at(model, anchor, u, response, local), 0.0) << anchor << " " << u;
  const double global = model.curvature(anchor, response);
  ASSERT_GE(gap_at(model, anchor, u, response, global), 0.0) << anchor << " " << u;
}

// The least gap on the grid of expect_below: negative once the curvature is too small.
template <BoundedScalar M>
[[nodiscard]] double least_gap(const M& model, double anchor, double response, double curvature,
                               double radius) {
  double least = std::numeric_limits<double>::infinity();
  for (const double share : both_signs(1e-2, 1.0, 200)) {
    least = std::min(least, gap_at(model, anchor, share * radius, response, curvature));
  }
  return least;
}

// Up to rounding, and to a share of what every curvature is raised by.
template <LocalScalar M>
void expect_monotone(const M& model, double anchor, double response,
                     std::span<const double> radii) {
  double before = model.information(anchor, response);
  for (const double radius : radii) {
    const double curvature = model.local_curvature(anchor, response, radius);
    EXPECT_GE(curvature, before - 1e-12 * before - 0.01 * kCurvatureMargin) << "radius " << radius;
    before = curvature;
  }
}

}  // namespace flymc::unit
