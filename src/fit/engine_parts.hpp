// Where a chain starts, in which no model has a say.
#pragma once

#include <functional>

#include "fit/prepare.hpp"
#include "fit/settings.hpp"
#include "flymc/kernel/theta_kernel.hpp"
#include "flymc/kernel/z_kernel.hpp"
#include "flymc/posterior/frame.hpp"
#include "flymc/random.hpp"

namespace flymc {

// The mode that a climb from theta ends at: the anchor, unless there may be several.
using FindMode = std::function<Vector(const Vector& theta)>;

// A draw may land behind a wall of the likelihood, or so far out that no number of kicks conserves
// its energy: it is pulled in until the (dark) density there is one that a chain can meet. A draw
// of the Laplace approximation is pulled towards the anchor, one of the prior towards the mode of
// its own: chains of a posterior with several start at several.
[[nodiscard]] Vector initial_theta(const Problem& problem, const FitSettings& options,
                                   const Frame& frame, Density& density, const FindMode& mode_near,
                                   Stream stream);

}  // namespace flymc
