#include "data/csv/csv_chunks.hpp"

#include <algorithm>
#include <array>

#include "core/parallel.hpp"

namespace flymc::csv {
namespace {

// Whether a slice of the text starts inside quotes is known only when all slices before it have
// been read. So each is read for both cases at once: [p] holds what happens after p quotes (mod 2),
// which are the ends of rows if the slice starts in state p.
struct Slice {
  std::array<std::size_t, 2> row_ends{};
  std::array<const char*, 2> first_row{};  // behind the first of these
  bool flips = false;                      // an odd number of quotes
};

void add_row_ends(Slice& slice, std::string_view bytes) noexcept {
  const std::size_t state = slice.flips ? 1 : 0;
  for (std::size_t at = bytes.find('\n'); at < bytes.size(); at = bytes.find('\n', at + 1)) {
    if (slice.row_ends[state]++ == 0) {
      slice.first_row[state] = bytes.data() + at + 1;
    }
  }
}

Slice read_slice(std::string_view bytes) noexcept {
  Slice slice;
  while (true) {
    const std::size_t quote = bytes.find('"');
    add_row_ends(slice, bytes.substr(0, quote));
    if (quote == std::string_view::npos) {
      return slice;
    }
    slice.flips = !slice.flips;
    bytes.remove_prefix(quote + 1);
  }
}

}  // namespace

// A row belongs to the slice in which the row before it ends; the first row to the first slice.
std::vector<Chunk> split_rows(std::string_view body, std::size_t chunk_bytes, unsigned threads) {
  const std::size_t count = body.size() / chunk_bytes + 1;
  std::vector<Slice> slices(count);
  parallel_for(count, threads, [&](std::size_t i) {
    slices[i] = read_slice(body.substr(std::min(i * chunk_bytes, body.size()), chunk_bytes));
  });

  std::vector<Chunk> chunks = {{.bytes = body, .max_rows = 1}};
  std::size_t state = 0;
  for (const Slice& slice : slices) {
    const char* const start = slice.first_row[state];
    if (start != nullptr) {
      Chunk& last = chunks.back();
      last.bytes = {last.bytes.data(), start};
      chunks.push_back({.bytes = {start, body.data() + body.size()},
                        .first_row = last.first_row + last.max_rows,
                        .max_rows = slice.row_ends[state]});
    }
    state ^= slice.flips ? 1U : 0U;
  }
  return chunks;
}

}  // namespace flymc::csv
