// The texts of one table: one file, or several whose rows follow each other.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace flymc {

struct TextPart {
  std::string path;       // for messages
  std::string_view text;  // the whole file, inflated
};

// "part-2.csv:15", the file and the line of a byte. O(bytes before it in its file).
// REQUIRES: `where` points into, or just behind, one of the texts.
[[nodiscard]] std::string place_in(std::span<const TextPart> parts, const char* where);

}  // namespace flymc
