// Lines of LIBSVM text: what they span, and their numbers in their places.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include "data/csv/csv_rows.hpp"

namespace flymc::libsvm {

// Takes the next line, without its end and its comment, off the front of the text.
[[nodiscard]] std::string_view take_line(std::string_view& text);

// Takes the next word off the front of a line; empty at its end.
[[nodiscard]] std::string_view take_word(std::string_view& line);

struct Pair {
  std::uint64_t index = 0;
  std::string_view value;
};

// False where the word is not index:value; the value is not looked at.
[[nodiscard]] bool read_pair(std::string_view word, Pair& pair);

[[nodiscard]] inline bool is_query(std::string_view word) { return word.starts_with("qid:"); }

// What must be known of a text before its rows can be placed.
struct Extent {
  std::size_t rows = 0;
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();  // of the indices
  std::uint64_t most = 0;
  const char* most_at = nullptr;  // where that stands; null: there are no indices
  bool queries = false;           // qid occurs

  void include(std::string_view word);
  void include(std::uint64_t index, const char* at);
  void include(const Extent& other);

  // 0 only where an index 0 occurs.
  [[nodiscard]] std::uint64_t base() const noexcept { return least == 0 ? 0 : 1; }
  [[nodiscard]] std::uint64_t columns() const noexcept {
    return most_at == nullptr ? 0 : most - base() + 1;
  }
};
[[nodiscard]] Extent extent_of(std::string_view text);

// Reads the lines of one chunk. Safe to call for different chunks at once. REQUIRES: the plan's
// fields are the columns from index `base` on, then the response; chunk.max_rows as extent_of().
[[nodiscard]] csv::ChunkResult parse_lines(const csv::Plan& plan, const csv::Chunk& chunk,
                                           std::uint64_t base, csv::RawRows& raw);

}  // namespace flymc::libsvm
