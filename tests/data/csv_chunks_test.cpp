#include "data/csv/csv_chunks.hpp"

#include <gtest/gtest.h>

#include <string>

namespace flymc::csv {
namespace {

// The rows as a plain walk over the text finds them.
std::size_t count_rows(std::string_view text) {
  std::size_t rows = 1;
  bool inside = false;
  for (const char c : text) {
    inside ^= c == '"';
    rows += c == '\n' && !inside ? 1 : 0;
  }
  return rows;
}

TEST(SplitRows, ChunksFollowEachOtherAndCountTheirRowsForAnySize) {
  const std::string text =
      "1,2\n\"a\nb\",3\n\n4,\"\"\"\n\"\"\"\n5,6\r\n\"\n\n\n\n\n\n\n\n\n\n\",7\n8,9";
  for (std::size_t chunk_bytes = 1; chunk_bytes < text.size() + 2; ++chunk_bytes) {
    std::string joined;
    std::size_t rows = 0;
    for (const Chunk& chunk : split_rows(text, chunk_bytes, 2)) {
      EXPECT_EQ(chunk.first_row, rows);
      EXPECT_LE(count_rows(chunk.bytes) - 1, chunk.max_rows);  // the last line end opens no row
      rows += chunk.max_rows;
      joined += chunk.bytes;
    }
    EXPECT_EQ(joined, text) << chunk_bytes;
    EXPECT_EQ(rows, count_rows(text)) << chunk_bytes;
  }
}

TEST(SplitRows, AnEmptyBodyIsOneChunkWithoutBytes) {
  const auto chunks = split_rows("", 10, 2);
  ASSERT_EQ(chunks.size(), 1U);
  EXPECT_TRUE(chunks[0].bytes.empty());
}

}  // namespace
}  // namespace flymc::csv
