#include "flymc/data/byte_share.hpp"

#include <algorithm>

#include "flymc/data/content.hpp"

namespace flymc {

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

}  // namespace flymc
