// The log posterior of all data at one theta, for pictures and checks: no chain pays for it.
#pragma once

#include "fit/prepare.hpp"
#include "flymc/detail/core/linalg.hpp"

namespace flymc {

[[nodiscard]] double log_posterior(const Problem& problem, const Vector& theta);

}  // namespace flymc
