// Times as people write them: a decimal number plus ms, s, m or h.
#pragma once

#include <string>

namespace flymc {

// "10m" -> 600 seconds. THROWS Error(kUsage) naming the option, as the caller calls it, and what
// it takes.
[[nodiscard]] double parse_duration(const std::string& text, const std::string& option);

// 75.2 -> "1m 15s".
[[nodiscard]] std::string duration_text(double seconds);

}  // namespace flymc
