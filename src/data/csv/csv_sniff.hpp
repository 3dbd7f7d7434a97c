// What separated text does not say of itself: its separator, and whether it has a header.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace flymc::csv {

// Comma, tab, semicolon or pipe: the one that cuts the first two lines into the same number of
// fields, and of several such the one with the most fields; a comma where none occurs. Quoted text
// does not count.
[[nodiscard]] char sniff_separator(std::string_view text);

// "tab", "semicolon", "pipe", "comma".
[[nodiscard]] std::string_view separator_name(char separator) noexcept;

// A line of numbers is a row, not a header.
[[nodiscard]] bool are_numbers(std::span<const std::string> fields);

}  // namespace flymc::csv
