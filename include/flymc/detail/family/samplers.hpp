// Draws that families share.
#pragma once

#include "flymc/random.hpp"

namespace flymc {

// Student's t with nu degrees of freedom.
[[nodiscard]] double sample_t(Stream& stream, double nu) noexcept;

// A count of this mean. THROWS Error(kUsage) where it might be beyond 2^53.
[[nodiscard]] double sample_count(Stream& stream, double mean);

}  // namespace flymc
