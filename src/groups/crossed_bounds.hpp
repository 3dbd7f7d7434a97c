// Set-up of a model in which a row has several levels: mode, regions, bounds, and the maps that
// move levels along with a scale.
//
// Coordinates are common (fixed effects, among them those of smooth terms, and levels of factors
// that have few) or of one level. In
// the Laplace approximation at the anchor with precision P,
//   X = P_ff^-1 P_fc,  L_b L_b' = P_cc - P_cf X,  s_l^2 ~ (P_ff^-1)_ll   (f: free levels, c:
//   common) region of a free level l:   |d_l + X_l d_c| <= R_u s_l, region of what is common: |L_b'
//   d_c| <= R_b, |eta_i - eta^_i| <= U_i = R_u sum |w| s_l + R_b |L_b^-1 (v_c - sum w X_l)|   while
//   all hold.
// A row is outside where what is common is, or what all rows share, or any of its free levels:
// once, however many are. Regions are rules in theta: they hold whatever s and X are, which here
// come from conjugate gradients and two terms of a series. No factor of P is made: two large
// crossed factors fill it. See docs/method/groups.md, Several factors.
#pragma once

#include "groups/arrow.hpp"
#include "groups/crossed_sums.hpp"
#include "groups/row_bounds.hpp"

namespace flymc {

// All of these outlive what is made of them.
struct CrossedProblem {
  const Dataset& data;
  const Memberships& memberships;
  const RowModel& model;
  const FixedPrior& prior;    // flat for coefficients of smooth terms
  const GroupScales& scales;  // one a term; then log sigma or what else all rows share

  [[nodiscard]] Index fixed() const noexcept { return data.columns(); }
  // Fixed effects and levels.
  [[nodiscard]] Index size() const noexcept {
    return fixed() + static_cast<Index>(memberships.levels());
  }
  // Parameters that all rows share; not sigma of a normal response, which no tangent has.
  [[nodiscard]] Index shared() const noexcept { return static_cast<Index>(model.shared()); }
  [[nodiscard]] bool infers_sigma() const noexcept {
    return model.is_gaussian() && scales.infers_sigma();
  }
  [[nodiscard]] double log_sigma(const Vector& psi) const noexcept {
    return model.is_gaussian() ? scales.log_sigma(psi) : 0.0;
  }
  // Precision of the priors of all coefficients; of a normal response in units of 1/sigma^2, as the
  // sums are.
  [[nodiscard]] CrossedPrior precision(const Vector& psi) const;
  // Minus the gradient of their logarithm at these coefficients, given that.
  [[nodiscard]] Vector pull(const Vector& coefficients, const CrossedPrior& precision) const;
  // Sums of products of the coefficients of two terms, for those that are correlated.
  [[nodiscard]] Matrix products(const Vector& coefficients) const;
};

struct CrossedRegion {
  std::vector<Index> common;  // coordinates, ascending
  Buffer<char> is_common;     // of each coordinate
  RowMatrix tied;             // X, levels x common
  Matrix lower;               // L_b
  Vector sd;                  // s of each level

  // How far what is common, or a free level, is from the anchor in standard deviations of its own.
  [[nodiscard]] double common_norm(const Vector& d) const;
  [[nodiscard]] double level_norm(std::size_t level, const Vector& d) const noexcept;
};

struct CrossedBounds : RowBounds {
  explicit CrossedBounds(const CrossedProblem& problem);

  Vector anchor;  // fixed effects, levels
  Vector shared;  // what all rows share, there
  Vector psi;
  Matrix psi_spread;
  CrossedSums sums;  // of all tangents, about the anchor
  // Of a normal response, whose sums are the likelihood (normal_arrow.hpp): sum of squares at the
  // anchor, and of weights.
  double least = 0.0;
  double weight = 0.0;
  CrossedRegion region;
  double level_radius = 0.0;
  double fixed_radius = 0.0;
  Buffer<char> has_region;  // of each level: free, and some row of it is local

  std::vector<Nest> nests;  // of free levels

  // About psi: the centre of the collapsed Gaussian, how it moves with each scale and with what
  // rows share, and how the spread of a coefficient that has a scale does (0: not at all, 1: in
  // proportion).
  Vector centre;
  std::vector<Vector> drift;
  Matrix shared_drift;
  Vector power;
};

struct CrossedOptions {
  GroupOptions rows{};
  std::size_t few_levels = 50;  // factors of no more are common
};

// THROWS Error(kData) where no mode is found.
[[nodiscard]] CrossedBounds make_crossed_bounds(const CrossedProblem& problem, const Vector& beta,
                                                const CrossedOptions& options);

}  // namespace flymc
