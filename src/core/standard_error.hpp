// The one door to standard error. Messages never decide over a run: where they cannot be written
// (closed, a full disk, a reader that left) they are lost, and the work goes on.
#pragma once

#include <string_view>

namespace flymc {

// Writes the text as it is, unbuffered. No failure is reported, none raises SIGPIPE.
void print_error(std::string_view text) noexcept;

}  // namespace flymc
