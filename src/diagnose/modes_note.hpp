// What a run says of a posterior with several modes.
#pragma once

#include <string>
#include <vector>

namespace flymc {

// A sentence; `nats`: by how much the log evidence of each mode is below that of the best, which
// comes first. Empty for one mode or none.
[[nodiscard]] std::string modes_note(const std::vector<double>& nats);

}  // namespace flymc
