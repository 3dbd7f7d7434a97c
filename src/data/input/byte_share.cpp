#include "data/input/byte_share.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "core/hash64.hpp"
#include "core/text.hpp"
#include "data/input/content.hpp"
#include "flymc/detail/core/bytes.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

// Enough of a file to tell two apart that have one size: all of a .fly's head.
constexpr std::size_t kComparedBytes = 4096;

}  // namespace

ByteShare::ByteShare(const Ranks& ranks, const std::vector<std::string>& paths) : starts_{0} {
  for (const std::string& path : paths) {
    starts_.push_back(starts_.back() + FileMap(path).bytes().size());
  }
  const auto rank = static_cast<std::size_t>(ranks.rank());
  const auto size = static_cast<std::size_t>(ranks.size());
  const auto at = [&](std::size_t r) {  // total * r / size, rounded up; the product may overflow
    return starts_.back() / size * r + (starts_.back() % size * r + size - 1) / size;
  };
  mine_ = {at(rank), at(rank + 1)};
}

ByteRange ByteShare::of(std::size_t file) const noexcept {
  const std::size_t begin = starts_[file];
  const std::size_t end = starts_[file + 1];
  if (begin == end) {
    return {};
  }
  return {std::clamp(mine_.first, begin, end) - begin, std::clamp(mine_.last, begin, end) - begin};
}

void require_same_files(Ranks& ranks, const std::vector<std::string>& paths,
                        const std::string& shown) {
  if (ranks.size() == 1) {
    return;
  }
  ByteWriter seen;
  fail_together(ranks, [&] {
    for (const std::string& path : paths) {
      seen.put(static_cast<std::uint64_t>(FileMap(path).bytes().size()));
    }
    seen.put(hash64(FileMap(paths.front()).bytes().substr(0, kComparedBytes)));
  });
  const std::vector<std::string> all = ranks.gather(seen.bytes());
  for (std::size_t r = 1; r < all.size(); ++r) {
    if (all[r] != all[0]) {
      throw Error(ErrorKind::kData,
                  fmt::format("{} is not the same at rank {} as at rank 0; copy it again, or use "
                              "one that all share.",
                              escaped(shown), r));
    }
  }
}

}  // namespace flymc
