#include "report/cell_width.hpp"

#include <algorithm>
#include <bit>

namespace flymc {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Blocks of Unicode 15 whose characters are wide or fullwidth (Standard Annex 11).
constexpr Range kWide[] = {
    {0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0x4DBF},   {0x4E00, 0xA4CF},
    {0xA960, 0xA97F},   {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},
    {0xFF01, 0xFF60},   {0xFFE0, 0xFFE6},   {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF},
    {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD},
};
// Combining marks, joiners and directions.
constexpr Range kNone[] = {
    {0x0300, 0x036F}, {0x0591, 0x05BD}, {0x0610, 0x061A}, {0x064B, 0x065F}, {0x1AB0, 0x1AFF},
    {0x1DC0, 0x1DFF}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F},
};

template <std::size_t n>
bool is_in(const Range (&ranges)[n], char32_t point) {
  return std::ranges::any_of(
      ranges, [&](const Range& range) { return range.first <= point && point <= range.last; });
}

std::size_t cells_of(char32_t point) {
  return point < 0x300 ? 1U : is_in(kNone, point) ? 0U : is_in(kWide, point) ? 2U : 1U;
}

}  // namespace

Character first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const auto ones = static_cast<std::size_t>(std::countl_one(lead));
  const std::size_t bytes = std::min(std::max<std::size_t>(ones, 1), text.size());
  char32_t point = ones == 0 ? lead : lead & (0x7FU >> ones);
  for (std::size_t i = 1; i < bytes; ++i) {
    point = point << 6U | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  return {bytes, cells_of(point)};
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const Character character = first_character(text);
    width += character.cells;
    text.remove_prefix(character.bytes);
  }
  return width;
}

std::string cut_to_width(std::string_view text, std::size_t width) {
  const std::size_t whole = display_width(text);
  if (whole <= width) {
    return std::string(text);
  }
  const std::size_t kept = width - 1;  // beside the dots
  const std::size_t head = kept - kept / 2;
  const std::size_t tail = kept / 2;
  std::string start;
  std::size_t seen = 0;
  while (true) {
    const Character character = first_character(text);
    if (seen + character.cells > head) {
      break;
    }
    start += text.substr(0, character.bytes);
    text.remove_prefix(character.bytes);
    seen += character.cells;
  }
  while (whole - seen > tail) {
    const Character character = first_character(text);
    text.remove_prefix(character.bytes);
    seen += character.cells;
  }
  return start + "…" + std::string(text);
}

}  // namespace flymc
