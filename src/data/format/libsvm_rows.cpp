#include "data/format/libsvm_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <system_error>
#include <utility>

#include "core/text.hpp"

namespace flymc::libsvm {
namespace {

using namespace csv;

constexpr std::string_view kBlanks = " \t\r\v\f";

std::string_view last_word(std::string_view line) {
  const std::size_t end = line.find_last_not_of(kBlanks) + 1;  // npos + 1 is 0
  const std::size_t before = line.substr(0, end).find_last_of(kBlanks);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  return line.substr(begin, end - begin);
}

class LineParser {
 public:
  LineParser(const Plan& plan, const Chunk& chunk, std::uint64_t base, RawRows& raw)
      : plan_(plan), base_(base), builder_(plan, chunk, raw), text_(chunk.bytes) {}

  ChunkResult run() {
    while (!text_.empty()) {
      std::string_view line = take_line(text_);
      const std::string_view label = take_word(line);
      if (!label.empty()) {
        parse(label, line);
      }
    }
    return std::move(builder_.result());
  }

 private:
  void parse(std::string_view label, std::string_view line) {
    builder_.start(label.data());
    fill_zeros();
    read_label(label);
    std::string_view word = take_word(line);
    if (is_query(word)) {
      word = take_word(line);
    }
    std::uint64_t next = 0;  // the least index that may follow
    for (; !word.empty(); word = take_word(line)) {
      if (!read_word(word, next)) {
        break;
      }
    }
    require_known_zeros();
    builder_.finish();
  }

  // Where levels are fixed and "0" is none of them, a line has to name the column.
  void require_known_zeros() {
    for (std::size_t label = 0; label < plan_.label_slots.size(); ++label) {
      const std::size_t slot = plan_.label_slots[label];
      const std::size_t levels = plan_.fixed_levels[label].size();
      if (levels > 0 && builder_.place(slot) >= static_cast<double>(levels)) {
        const auto cell = std::ranges::find_if(plan_.cells, [&](const Cell& c) {
          return c.role == Cell::Role::kLabel && c.label == label;
        });
        const auto column = static_cast<std::size_t>(cell - plan_.cells.begin());
        builder_.report({Issue::Kind::kUnknownLevel, builder_.where(), column, "0"});
      }
    }
  }

  // What a line does not name is 0, as a category too.
  void fill_zeros() {
    std::fill_n(&builder_.place(0), plan_.width, 0.0);
    for (std::size_t extra = 0; extra < kExtras; ++extra) {
      builder_.place(plan_.width + extra) = 0.0;
    }
    for (std::size_t label = 0; label < plan_.label_slots.size(); ++label) {
      builder_.place(plan_.label_slots[label]) =
          static_cast<double>(builder_.result().labels[label].code_of("0"));
    }
  }

  void read_label(std::string_view label) {
    double ignored = 0.0;
    if (read_number(label, ignored) == Reading::kText) {
      fail(label, fmt::format("label {} is not a number; a line is: label index:value "
                              "index:value ...",
                              in_quotes(label)));
      return;
    }
    builder_.put(plan_.cells.size() - 1, {.text = label}, label.data());
  }

  bool read_word(std::string_view word, std::uint64_t& next) {
    Pair pair;
    if (!read_pair(word, pair)) {
      return fail(word,
                  fmt::format("{} is not index:value with a whole index >= 0.", in_quotes(word)));
    }
    if (pair.index < next) {
      return fail(word, pair.index + 1 == next
                            ? fmt::format("index {} occurs twice; keep one.", pair.index)
                            : fmt::format("index {} stands behind index {}; sort the pairs of a "
                                          "line by index.",
                                          pair.index, next - 1));
    }
    next = pair.index + 1;
    // An index outside the extent is followed by a lesser one, which is refused.
    if (pair.index >= base_ && pair.index - base_ + 1 < plan_.cells.size()) {
      store(pair);
    }
    return true;
  }

  void store(const Pair& pair) {
    const auto column = static_cast<std::size_t>(pair.index - base_);
    const Cell& cell = plan_.cells[column];
    const char* const begin = pair.value.data();
    const char* const end = begin + pair.value.size();
    if (cell.role == Cell::Role::kNumber) {
      double& value = builder_.place(cell.slot);
      const auto [stop, error] = std::from_chars(begin, end, value);
      if (error == std::errc{} && stop == end && std::isfinite(value)) {
        return;
      }
    }
    builder_.put(column, {.text = pair.value}, begin);
  }

  bool fail(std::string_view word, std::string message) {
    builder_.report({Issue::Kind::kOther, word.data(), 0, std::move(message)});
    return false;
  }

  const Plan& plan_;
  std::uint64_t base_;
  RowBuilder builder_;
  std::string_view text_;
};

}  // namespace

std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line.substr(0, line.find('#'));
}

std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(kBlanks));
  line.remove_prefix(word.size());
  return word;
}

bool read_pair(std::string_view word, Pair& pair) {
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, pair.index);
  constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();  // one more must be a number
  if (error != std::errc{} || stop == end || *stop != ':' || pair.index == kMost) {
    return false;
  }
  pair.value = {stop + 1, end};
  return true;
}

void Extent::include(std::string_view word) {
  Pair pair;
  if (read_pair(word, pair)) {
    include(pair.index, word.data());
  }
}

void Extent::include(std::uint64_t index, const char* at) {
  least = std::min(least, index);
  if (most_at == nullptr || index > most) {
    most = index;
    most_at = at;
  }
}

void Extent::include(const Extent& other) {
  rows += other.rows;
  queries |= other.queries;
  least = std::min(least, other.least);
  if (other.most_at != nullptr && (most_at == nullptr || other.most > most)) {
    most = other.most;
    most_at = other.most_at;
  }
}

// Indices ascend, so the first and the last pair of a line tell its extent; a line where they do
// not is refused when it is read.
Extent extent_of(std::string_view text) {
  Extent extent;
  while (!text.empty()) {
    std::string_view line = take_line(text);
    if (take_word(line).empty()) {
      continue;
    }
    ++extent.rows;
    std::string_view rest = line;
    std::string_view first = take_word(rest);
    if (is_query(first)) {
      extent.queries = true;
      first = take_word(rest);
    }
    extent.include(first);
    extent.include(last_word(line));
  }
  return extent;
}

ChunkResult parse_lines(const Plan& plan, const Chunk& chunk, std::uint64_t base, RawRows& raw) {
  return LineParser(plan, chunk, base, raw).run();
}

}  // namespace flymc::libsvm
