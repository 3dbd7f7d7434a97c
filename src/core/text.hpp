// Text for people: untrusted names made safe to print, counts, and the nearest known name.
//
// All functions are pure and thread-safe. Lengths are in bytes unless said otherwise.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace flymc {

// `text` as valid UTF-8 without control characters: C0, DEL, C1 and bytes that are not UTF-8 become
// \n, \r, \t or \xNN. Printable text, any script, is unchanged.
[[nodiscard]] std::string escaped(std::string_view text);

// escaped(), cut to its first characters and "..." so that a message stays one readable line
// whatever the file holds.
[[nodiscard]] std::string shortened(std::string_view text);

// Without blanks at its ends.
[[nodiscard]] std::string trimmed(std::string_view text);

// shortened() in single quotes.
[[nodiscard]] std::string in_quotes(std::string_view text);

// 12214 -> "12,214".
[[nodiscard]] std::string with_commas(std::size_t count);

// "row" -> "rows", "pass" -> "passes", "query" -> "queries".
[[nodiscard]] std::string plural(std::string_view noun);

// (1, "row") -> "1 row"; (12214, "row") -> "12,214 rows".
[[nodiscard]] std::string counted(std::size_t count, std::string_view noun);

// ASCII letters; other bytes stay.
[[nodiscard]] std::string in_lower_case(std::string_view text);

// The first names, shortened(), with a separator between them, and "..." where there are more.
[[nodiscard]] std::string listed(std::span<const std::string> names, std::string_view separator,
                                 std::size_t at_most);

// Levenshtein distance between bytes; O(|a| |b|) time, O(|b|) memory.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

// The candidate a user most likely meant by `name`: nearest when case is ignored, then nearest as
// written, then first. Empty when none differs in at most about a third of its characters.
[[nodiscard]] std::string nearest(std::string_view name, std::span<const std::string> candidates);

// For HTML and SVG, in text and in attributes.
[[nodiscard]] std::string escaped_markup(std::string_view text);

// A path or a name as one word of a shell command, in quotes where it needs them. Control bytes are
// shown, not kept: such a name cannot be copied from a terminal.
[[nodiscard]] std::string shell_word(std::string_view word);

}  // namespace flymc
