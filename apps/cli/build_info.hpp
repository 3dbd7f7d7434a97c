// What this program was built of, and how; written at build time (cmake/build_info.cmake).
#pragma once

#include <string>

namespace flymc::cli {

// "commit 0123456789ab, GNU 12.2.0, -O2 -DNDEBUG"; a + after the commit: and changes since.
[[nodiscard]] std::string build_info();

}  // namespace flymc::cli
