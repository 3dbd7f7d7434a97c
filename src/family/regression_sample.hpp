// Some rows as a regression of their own: what a family with a location, or a search for the modes
// of its posterior, makes first guesses from.
#pragma once

#include <cstddef>
#include <span>

#include "flymc/dataset.hpp"
#include "flymc/detail/core/linalg.hpp"

namespace flymc {

struct RegressionSample {
  RowMatrix x;  // standardised
  Vector y;     // response less offset
  Vector weight;
};

// Collective where rows are split.
[[nodiscard]] RegressionSample regression_sample(const Dataset& data,
                                                 std::span<const std::size_t> numbers);

// theta minimising sum of weight (y - x theta)^2; a trace of ridge keeps dependent columns
// harmless.
[[nodiscard]] Vector weighted_least_squares(const RegressionSample& sample, const Vector& weight);

}  // namespace flymc
