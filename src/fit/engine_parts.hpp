// Where a chain starts, in which no model has a say.
#pragma once

#include <memory>

#include "fit/prepare.hpp"
#include "fit/settings.hpp"
#include "flymc/kernel/theta_kernel.hpp"
#include "flymc/kernel/z_kernel.hpp"
#include "flymc/posterior/frame.hpp"
#include "flymc/random.hpp"

namespace flymc {

// A draw may land behind a wall of the likelihood, or so far out that no number of kicks conserves
// its energy: it is pulled towards the anchor until the (dark) density there is one that a chain
// can meet.
[[nodiscard]] Vector initial_theta(const Problem& problem, const FitSettings& options,
                                   const Frame& frame, Density& density, Stream stream);

}  // namespace flymc
