#include "data/csv/text_share.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "ranks/gather_values.hpp"

namespace flymc::csv {
namespace {

constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();

// Of one part, in bytes of its file.
struct Portion {
  std::uint64_t file = kNone;
  const char* text = nullptr;
  std::size_t body = 0;  // where it begins
  std::size_t end = 0;   // of the file
  ByteRange share;

  // What of the body lies in the share.
  [[nodiscard]] std::string_view slice() const noexcept {
    const std::size_t first = std::clamp(share.first, body, end);
    return {text + first, std::clamp(share.last, first, end) - first};
  }
  [[nodiscard]] bool starts_file() const noexcept { return share.first == 0; }
};

Portion portion_of(const TextPart& part, std::string_view body) {
  const char* const text = part.text.data();
  return {part.file, text, static_cast<std::size_t>(body.data() - text), part.text.size(),
          part.share};
}

// A number of a file and another of each rank, by rank.
struct ShareStart {
  std::uint64_t file = kNone;
  std::uint64_t value = 0;
};

std::vector<ShareStart> tell(Ranks& ranks, const ShareStart& mine) {
  std::vector<ShareStart> all;
  for (const auto& theirs : gather_values(ranks, std::vector{mine.file, mine.value})) {
    all.push_back({theirs[0], theirs[1]});
  }
  return all;
}

// Whether the bytes of this rank start inside quotes: an odd number of them in the file before.
bool starts_quoted(Ranks& ranks, const Portion& first, const Portion& last) {
  const bool flips = std::ranges::count(last.slice(), '"') % 2 == 1;
  const std::vector<ShareStart> all = tell(ranks, {last.file, flips ? 1U : 0U});
  bool quoted = false;
  for (std::size_t r = 0; r < static_cast<std::size_t>(ranks.rank()); ++r) {
    quoted ^= all[r].file == first.file && all[r].value == 1;
  }
  return quoted;
}

// Where the first row of this rank begins in the file; kNone where no row before it ends here.
std::uint64_t first_row_of(const Portion& first, bool quoted) {
  if (first.starts_file()) {
    return first.body;
  }
  for (const char& byte : first.slice()) {
    quoted ^= byte == '"';
    if (byte == '\n' && !quoted) {
      return static_cast<std::uint64_t>(&byte + 1 - first.text);
    }
  }
  return kNone;
}

// Where the rows of this rank end in its last file: where those of a later rank begin.
std::uint64_t end_of(const Ranks& ranks, const Portion& last,
                     const std::vector<ShareStart>& begins) {
  for (auto r = static_cast<std::size_t>(ranks.rank()) + 1; r < begins.size(); ++r) {
    if (begins[r].file == last.file && begins[r].value != kNone) {
      return begins[r].value;
    }
  }
  return last.end;
}

}  // namespace

std::vector<std::string_view> own_rows(Ranks& ranks, std::span<const TextPart> parts,
                                       std::span<const std::string_view> bodies) {
  std::vector<std::string_view> rows(bodies.begin(), bodies.end());
  if (ranks.size() == 1) {
    return rows;
  }
  const bool some = !parts.empty();
  const Portion first = some ? portion_of(parts.front(), bodies.front()) : Portion{};
  const Portion last = some ? portion_of(parts.back(), bodies.back()) : Portion{};
  const bool quoted = starts_quoted(ranks, first, last);
  const std::uint64_t begin = some ? first_row_of(first, quoted) : kNone;
  const std::uint64_t end = end_of(ranks, last, tell(ranks, {first.file, begin}));
  if (some) {
    rows.back() = rows.back().substr(0, end - last.body);
    const std::size_t skipped = begin == kNone ? rows.front().size() : begin - first.body;
    rows.front().remove_prefix(std::min(skipped, rows.front().size()));
  }
  return rows;
}

}  // namespace flymc::csv
