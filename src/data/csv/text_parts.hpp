// The texts of one table: one file, or several whose rows follow each other.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "data/input/byte_share.hpp"

namespace flymc {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // no part of the text

struct TextPart {
  std::string path;       // for messages
  std::string_view text;  // the whole file, inflated, or some rows of it
  std::size_t first_line = 1;
  std::size_t file = 0;  // its number among all
  ByteRange share{};     // of the text, that is this rank's to read
};

// "part-2.csv:15", the file and the line of a byte. O(bytes before it in its file).
// REQUIRES: `where` points into, or just behind, one of the texts.
[[nodiscard]] std::string place_in(std::span<const TextPart> parts, const char* where);

}  // namespace flymc
