#include "data/csv/text_blocks.hpp"

#include <algorithm>

namespace flymc {
namespace {

constexpr std::size_t kLongestRow = std::size_t{1} << 28;

}  // namespace

// How far rows were found in the bytes from begin_ on.
struct TextBlocks::Scan {
  std::size_t at = 0;        // seen up to here
  std::size_t rows = 0;      // that end before
  std::size_t rows_end = 0;  // behind the last of these
  bool quoted = false;       // inside quotes, here

  void go_on(std::string_view bytes, std::size_t most_rows) {
    while (rows < most_rows && at < bytes.size()) {
      const std::size_t line_end = std::min(bytes.find('\n', at), bytes.size());
      const std::string_view line = bytes.substr(at, line_end - at);
      if (line.find('"') != std::string_view::npos) {  // most have none to count
        quoted ^= std::ranges::count(line, '"') % 2 != 0;
      }
      at = std::min(line_end + 1, bytes.size());
      if (line_end < bytes.size() && !quoted) {
        rows_end = at;
        ++rows;
      }
    }
  }
};

// Moves what is there to the front and adds to it, up to `most_bytes` in all; false: nothing came.
bool TextBlocks::fetch(std::size_t most_bytes) {
  if (ended_ || end_ - begin_ >= most_bytes) {
    return false;
  }
  std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
            buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
  end_ -= begin_;
  begin_ = 0;
  buffer_.resize(std::max(buffer_.size(), most_bytes));
  const std::size_t count = source_.read(std::span(buffer_).subspan(end_));
  end_ += count;
  ended_ = end_ < buffer_.size();
  return count > 0;
}

std::string_view TextBlocks::take(const BlockLimits& limits) {
  Scan scan;
  std::size_t most_bytes = limits.bytes;
  const auto unread = [&] { return std::string_view(buffer_.data() + begin_, end_ - begin_); };
  scan.go_on(unread(), limits.rows);
  while (scan.rows < limits.rows) {
    if (fetch(most_bytes)) {
      scan.go_on(unread(), limits.rows);
    } else if (scan.rows > 0 || ended_ || most_bytes >= kLongestRow) {
      break;
    } else {
      most_bytes *= 2;
    }
  }
  const bool all = scan.rows < limits.rows && (ended_ || scan.rows == 0);
  const std::size_t size = all ? unread().size() : scan.rows_end;
  const std::string_view text = unread().substr(0, size);
  begin_ += size;
  return text;
}

std::optional<TextPart> TextBlocks::next(const BlockLimits& limits) {
  for (std::string_view text = take(limits); !text.empty(); text = take(limits)) {
    const std::size_t line = line_;
    text.remove_prefix(line == 1 && text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
    line_ += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    if (text.find_first_not_of("\r\n") != std::string_view::npos) {
      return TextPart{source_.path(), text, line};
    }
  }
  return std::nullopt;
}

}  // namespace flymc
