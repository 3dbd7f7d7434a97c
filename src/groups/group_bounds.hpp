// Bounds of rows that belong to levels: a region of its own for each level.
//
// One ball for all coefficients would have a radius of sqrt(p + G q). In the arrow frame of the
// likelihood's own curvatures at the anchor, c_g = L_g' du_g + X_g dbeta and c_b = L_b' dbeta are
// independent under the Laplace approximation, and a row of level g moves by
//   |u_i| <= U_i = R_u |L_g^-1 w_i| + R_b |L_b^-1 (x_i - X_g' L_g^-1 w_i)|
// while |c_g| <= R_u and |c_b| <= R_b (two Cauchy-Schwarz inequalities). A row's bound is
//   local    the tangent at the anchor that holds for |u| <= U_i. Where c_g or c_b is outside, the
//            level's local rows are bounded by L e^-slack;
//   global   a tangent that holds everywhere, where it expects the smaller gap. It may touch
//            elsewhere: for logistic rows at xi^2 = E eta^2.
// A level whose rows would have to reach too far is a beacon: all its rows are always evaluated,
// against their parabola at the anchor.
// See docs/method/groups.md, A region for each level.
#pragma once

#include <cstdint>

#include "flymc/detail/posterior/rates.hpp"
#include "groups/group_problem.hpp"

namespace flymc {

enum class RowBound : std::uint8_t { kLocal, kGlobal, kBeacon };
enum class LevelBound : std::uint8_t { kFree, kRegion, kBeacon };  // free: all its rows are global

struct GroupOptions {
  double level_radius = 0.0;  // 0: by the number of rows
  double fixed_radius = 0.0;  // 0: by the number of fixed effects
  bool all_beacons = false;   // regular MCMC
  bool beacons = true;        // levels may be made beacons
  unsigned threads = 1;
};

struct GroupBounds {
  explicit GroupBounds(const GroupProblem& problem);

  [[nodiscard]] double slack(std::size_t n) const noexcept {
    return slack_per_rate * rates.rate(n);
  }
  [[nodiscard]] bool is_global(std::size_t n) const noexcept {
    return kind[n] == RowBound::kGlobal;
  }

  GroupAnchor anchor;
  Vector psi;         // the mode of the scales
  Matrix psi_spread;  // their covariance there
  ArrowSums sums;     // of all tangents
  ArrowFrame region;  // in which regions are balls
  double level_radius = 0.0;
  double fixed_radius = 0.0;

  // Of each row; of each level.
  Buffer<double> touch;
  Buffer<double> curvature;
  Buffer<RowBound> kind;
  Buffer<LevelBound> level_kind;

  Rates rates;
  double slack_per_rate = 0.0;
  double expected_bright = 0.0;
  std::size_t beacons = 0;  // rows in beacon levels
  int passes = 0;
  std::uint64_t queries = 0;
};

// `beta`: where the search begins. THROWS Error(kData) where no mode is found.
[[nodiscard]] GroupBounds make_group_bounds(const GroupProblem& problem, const Vector& beta,
                                            const GroupOptions& options);

}  // namespace flymc
