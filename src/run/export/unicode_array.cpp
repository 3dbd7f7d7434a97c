#include "run/export/unicode_array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "core/text.hpp"

namespace flymc {
namespace {

// REQUIRES: valid UTF-8.
std::u32string decoded(std::string_view text) {
  std::u32string points;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0U) == 0x80U) {
      points.back() = (points.back() << 6U) | (byte & 0x3FU);
    } else {
      const unsigned mask = byte < 0x80 ? 0x7FU : byte < 0xE0 ? 0x1FU : byte < 0xF0 ? 0x0FU : 0x07U;
      points.push_back(byte & mask);
    }
  }
  return points;
}

}  // namespace

UnicodeArray unicode_array(const std::vector<std::string>& texts) {
  std::vector<std::u32string> decoded_texts;
  std::size_t longest = 1;
  for (const std::string& text : texts) {
    longest = std::max(longest, decoded_texts.emplace_back(decoded(escaped(text))).size());
  }
  UnicodeArray array{fmt::format("<U{}", longest), {}};
  for (std::u32string& text : decoded_texts) {
    text.resize(longest);
    for (const char32_t point : text) {
      for (unsigned shift = 0; shift < 32; shift += 8) {
        array.bytes += static_cast<char>((static_cast<std::uint32_t>(point) >> shift) & 0xFFU);
      }
    }
  }
  return array;
}

}  // namespace flymc
