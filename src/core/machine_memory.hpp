// How much memory there is.
#pragma once

namespace flymc {

// Bytes of this machine, or of the container where that has less.
[[nodiscard]] double machine_memory_bytes();

}  // namespace flymc
