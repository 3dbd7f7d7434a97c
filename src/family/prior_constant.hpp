// What Prior::log_density leaves out: the constant that makes the density of theta integrate to 1.
#pragma once

#include "flymc/family/prior.hpp"

namespace flymc {

// REQUIRES: neither flat nor uniform on all of (0, inf), which no constant makes a density.
[[nodiscard]] double log_constant(const PriorTerm& term) noexcept;

// Of all coordinates. REQUIRES: !prior.has_flat().
[[nodiscard]] double log_constant(const Prior& prior) noexcept;

}  // namespace flymc
