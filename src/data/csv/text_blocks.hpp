// Text in blocks of whole rows, in memory that does not grow with the file.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "data/csv/text_parts.hpp"
#include "data/input/byte_source.hpp"
#include "flymc/detail/core/buffer.hpp"

namespace flymc {

// Whichever is reached first; one row at least.
struct BlockLimits {
  std::size_t rows = 1;
  std::size_t bytes = std::size_t{1} << 22;
};

// A row ends at a line end outside quotes (csv_fields.hpp). Not thread safe.
class TextBlocks {
 public:
  explicit TextBlocks(ByteSource source) : source_(std::move(source)) {}

  // The next rows, with their lines in the file; none at its end. Blocks of blank lines alone are
  // passed over. The text lives until the next call. A row of more than 256 MiB is one whose quote
  // was not closed, and is cut there. THROWS as ByteSource::read().
  [[nodiscard]] std::optional<TextPart> next(const BlockLimits& limits);

 private:
  struct Scan;

  [[nodiscard]] std::string_view take(const BlockLimits& limits);
  [[nodiscard]] bool fetch(std::size_t most_bytes);

  ByteSource source_;
  Buffer<char> buffer_;
  std::size_t begin_ = 0;  // of what was not yet handed out
  std::size_t end_ = 0;
  bool ended_ = false;  // nothing follows what is in the buffer
  std::size_t line_ = 1;
};

}  // namespace flymc
