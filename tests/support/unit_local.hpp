// What every local curvature of a one-predictor model must satisfy, whatever its formula.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/unit_gap.hpp"

namespace flymc::unit {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A datum: its anchor and response, and the distance 2 (t - a) or -2a at which the global parabola
// touches a second time.
struct LocalDatum {
  double anchor;
  double response;
  double touch;
};

[[nodiscard]] inline std::string describe(const LocalDatum& d, double radius) {
  return "a " + testing::PrintToString(d.anchor) + ", t " + testing::PrintToString(d.response) +
         ", radius " + testing::PrintToString(radius);
}

// Points of |u| <= radius, with both ends, the second touching point where it is inside, and some
// very near the anchor.
[[nodiscard]] inline std::vector<double> region_grid(const LocalDatum& d, double radius) {
  std::vector<double> grid = signed_grid(1e-6 * radius, radius, 15);
  grid[grid.size() - 2] = radius;  // pow may miss the ends by a bit
  grid[grid.size() - 1] = -radius;
  constexpr int kCells = 24;
  for (int i = 1; i < kCells; ++i) {
    const double u = radius * (2.0 * i / kCells - 1.0);
    grid.push_back(u);
  }
  if (abs(d.touch) <= radius) {
    grid.push_back(d.touch);
  }
  return grid;
}

// Gap and quad precision reference at every point of the region.
template <LocalScalar M>
void expect_local_bound(const M& model, const LocalDatum& d, double radius,
                        const GapTolerance& tolerance) {
  const double k = model.local_curvature(d.anchor, d.response, radius);
  for (const double u : region_grid(d, radius)) {
    const GapPoint at{{d.anchor}, {u}, d.response};
    expect_gap(model, at, {k}, tolerance);
    ASSERT_FALSE(testing::Test::HasFatalFailure()) << describe(at) << ", radius " << radius;
  }
}

// The smallest gap / (u^2 / 2) of a curvature over the region: negative when it is no bound there.
template <LocalScalar M>
[[nodiscard]] double least_room(const M& model, const LocalDatum& d, double radius, double k) {
  double least = kInfinity;
  for (const double u : region_grid(d, radius)) {
    double slope = 0.0;
    if (u != 0.0) {
      const double gap = evaluate_gap(model, {&d.anchor, &k, d.response}, &u, &slope);
      least = std::min(least, 2.0 * gap / (u * u));
    }
  }
  return least;
}

// Tolerances below: `unit` is the scale of the model's curvatures; 1e-9 is the margin that every
// curvature carries, 1e-11 is left for rounding.
template <LocalScalar M>
void expect_bound_ordered_in_radius(const M& model, const LocalDatum& d, double unit) {
  const double information = model.information(d.anchor, d.response);
  const double global = model.curvature(d.anchor, d.response);
  double previous = information;
  for (double radius = 1e-12; radius < 1e4; radius *= 1.3) {
    const double k = model.local_curvature(d.anchor, d.response, radius);
    ASSERT_GE(k, information) << describe(d, radius);
    ASSERT_LE(k, global + 1e-10 * unit) << describe(d, radius);
    ASSERT_GE(k, previous - 1e-10 * unit) << describe(d, radius);
    ASSERT_GE(least_room(model, d, radius, k), 0.0) << describe(d, radius);
    previous = k;
  }
}

template <LocalScalar M>
void expect_limits(const M& model, const LocalDatum& d, double unit) {
  const double information = model.information(d.anchor, d.response);
  const double global = model.curvature(d.anchor, d.response);
  for (const double radius : {0.0, 1e-300, 1e-100, 1e-15, 1e-10}) {
    EXPECT_NEAR(model.local_curvature(d.anchor, d.response, radius), information, 4e-9 * unit)
        << describe(d, radius);
  }
  for (const double radius : {abs(d.touch) * 1.000001 + 1e-6, 1e4, kInfinity}) {
    EXPECT_NEAR(model.local_curvature(d.anchor, d.response, radius), global, 1e-10 * unit)
        << describe(d, radius);
  }
}

// Nothing is given away: the curvature touches inside the region, and one lower by a hundredth of
// the unit is no bound.
template <LocalScalar M>
void expect_tight(const M& model, const LocalDatum& d, double radius, double unit) {
  const double k = model.local_curvature(d.anchor, d.response, radius);
  EXPECT_GE(least_room(model, d, radius, k), 0.0) << describe(d, radius);
  EXPECT_LT(least_room(model, d, radius, k), 1e-5 * unit) << describe(d, radius);
  EXPECT_LT(least_room(model, d, radius, k - 0.01 * unit), 0.0) << describe(d, radius);
}

}  // namespace flymc::unit
