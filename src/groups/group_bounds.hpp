// Bounds of rows that belong to levels: a region of its own for each level.
//
// One ball for all coefficients would have a radius of sqrt(p + G q). In the arrow frame of the
// likelihood's own curvatures at the anchor, c_g = L_g' du_g + X_g dbeta and c_b = L_b' dbeta are
// independent under the Laplace approximation, and a row of level g moves by
//   |u_i| <= U_i = R_u |L_g^-1 w_i| + R_b |L_b^-1 (x_i - X_g' L_g^-1 w_i)|
// while |c_g| <= R_u and |c_b| <= R_b (two Cauchy-Schwarz inequalities); parameters that all rows
// share stay in a region of theirs. Where c_g, c_b or these are outside, all local rows of the
// level are (row_bounds.hpp). The region of a level that leans to one side is what its own
// quantiles enclose, about their middle, where its u is then. A level whose rows would be held by
// their coins far out is a beacon: all its rows are always evaluated, against their parabola at the
// anchor. See docs/method/groups.md, A region for each level.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "groups/group_problem.hpp"
#include "groups/row_bounds.hpp"

namespace flymc {

enum class LevelBound : std::uint8_t { kFree, kRegion, kBeacon };  // free: all its rows are global

struct GroupBounds : RowBounds {
  explicit GroupBounds(const GroupProblem& problem);

  GroupAnchor anchor;
  Vector psi;                   // the mode of the scales
  Matrix psi_spread;            // their covariance there
  ArrowSums sums;               // of all tangents
  ArrowFrame region;            // in which regions are balls
  Buffer<double> level_radius;  // of each level, about its anchor
  double fixed_radius = 0.0;
  Buffer<LevelBound> level_kind;
  // Where ranks share rows: of each beacon its rows as numbers (group_rows.hpp).
  std::unordered_map<std::size_t, std::vector<double>> beacon_rows;
};

// `beta`: where the search begins. THROWS Error(kData) where no mode is found.
[[nodiscard]] GroupBounds make_group_bounds(const GroupProblem& problem, const Vector& beta,
                                            const GroupOptions& options);

}  // namespace flymc
