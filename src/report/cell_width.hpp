// How many cells of a terminal a text takes: characters of Chinese, Japanese and Korean take two,
// marks that stand on another character none.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace flymc {

// One character of a text in UTF-8. REQUIRES: valid UTF-8, here and below.
struct Character {
  std::size_t bytes = 0;
  std::size_t cells = 0;
};
[[nodiscard]] Character first_character(std::string_view text);

[[nodiscard]] std::size_t display_width(std::string_view text);

// `text`, or its start and its end with "…" between them, at most `width` wide: names that differ
// do so at either end. REQUIRES: width >= 1.
[[nodiscard]] std::string cut_to_width(std::string_view text, std::size_t width);

}  // namespace flymc
