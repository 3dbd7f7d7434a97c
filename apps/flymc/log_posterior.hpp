// The log posterior of all data at one theta, for pictures and checks: no chain pays for it.
#pragma once

#include "flymc/core/linalg.hpp"
#include "flymc/prepare.hpp"

namespace flymc::app {

[[nodiscard]] double log_posterior(const Problem& problem, const Vector& theta);

}  // namespace flymc::app
