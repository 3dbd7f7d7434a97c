// The likelihood of rows whose levels have one coefficient each, these integrated out:
//
//   log p(y | theta, tau) = sum_g log int prod_(n in g) p(y_n | theta, u) N(u; 0, tau^2) du
//
// (docs/method/comparison.md).
#pragma once

#include <cstddef>

#include "fit/prepare.hpp"
#include "flymc/detail/core/linalg.hpp"

namespace flymc {

// One factor, one coefficient a level, and draws of it.
[[nodiscard]] bool has_level_integral(const Problem& problem) noexcept;

// Evaluations of every row's density that one integral takes, where its level is nearly normal.
inline constexpr std::size_t kLevelEvaluations = 44;

// Where levels lie, as far as a start for the search of their modes goes.
struct LevelPlaces {
  const Matrix& common;  // (theta, log tau) of every draw, a column each
  const Matrix& levels;  // draws x levels
};

struct LevelIntegrals {
  Vector values;  // one a column
  // About the error of each, summed over levels: what the last halving of the step changed, to the
  // power 3/2 (the rule gains more than that by its own), and what the ends of the range have of
  // the integral.
  Vector errors;
};

// For every column (theta, log tau) of `at`. The sums do not depend on the number of threads.
// REQUIRES: has_level_integral().
[[nodiscard]] LevelIntegrals level_integrals(const Problem& problem, const LevelPlaces& draws,
                                             const Matrix& at);

}  // namespace flymc
