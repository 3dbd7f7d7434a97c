// Names that are written from right to left, within words that are not.
#pragma once

#include <algorithm>
#include <string>

namespace flymc {

// Letters of Hebrew, Arabic and their neighbours: U+0580 to U+08FF, U+FB1D to U+FEFC. Some others
// are taken for such, to no harm.
[[nodiscard]] inline bool has_right_to_left(const std::string& text) {
  return std::ranges::any_of(text, [previous = '\0'](char c) mutable {
    const auto lead = static_cast<unsigned char>(previous);
    const auto next = static_cast<unsigned char>(c);
    previous = c;
    return (next >= 0xD6 && next <= 0xDF) || (lead == 0xE0 && next >= 0xA0 && next <= 0xA3) ||
           (lead == 0xEF && next >= 0xAC && next <= 0xBB);
  });
}

// The name between U+2068 and U+2069: the order of what stands around it is its own. A "-2.0"
// behind an Arabic name would be read as "2.0-" else.
[[nodiscard]] inline std::string isolated(const std::string& name) {
  return has_right_to_left(name) ? "\xE2\x81\xA8" + name + "\xE2\x81\xA9" : name;
}

}  // namespace flymc
