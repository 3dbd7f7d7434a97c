// Cuts the rows of a text into chunks that threads can parse apart, each knowing its first row.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace flymc::csv {

// Whole rows, never cut inside a quoted field.
struct Chunk {
  std::string_view bytes;
  std::size_t first_row = 0;  // of an array that has room for all chunks
  std::size_t max_rows = 0;   // exact but for blank lines
};

// One parallel pass of memchr over the body (a byte loop where it holds quotes). The chunks follow
// each other without a gap; they depend on the text and `chunk_bytes`, not on the threads.
[[nodiscard]] std::vector<Chunk> split_rows(std::string_view body, std::size_t chunk_bytes,
                                            unsigned threads);

}  // namespace flymc::csv
