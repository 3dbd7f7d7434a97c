#include "flymc/detail/posterior/bright_set.hpp"

#include <algorithm>

namespace flymc {

BrightSet::BrightSet() : cells_(std::size_t{1} << kFewestBits) {
  std::ranges::fill(cells_, kEmpty);
}

// What lies behind the hole moves into it, unless its search begins behind the hole.
void BrightSet::empty(std::size_t cell) noexcept {
  const std::size_t mask = cells_.size() - 1;
  std::size_t hole = cell;
  for (std::size_t next = after(hole); cells_[next] != kEmpty; next = after(next)) {
    if (((next - home(slots_[cells_[next]])) & mask) >= ((next - hole) & mask)) {
      cells_[hole] = cells_[next];
      hole = next;
    }
  }
  cells_[hole] = kEmpty;
}

void BrightSet::grow() {
  ++bits_;
  cells_.resize(std::size_t{1} << bits_);
  std::ranges::fill(cells_, kEmpty);
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
    std::size_t cell = home(slots_[slot]);
    while (cells_[cell] != kEmpty) {
      cell = after(cell);
    }
    cells_[cell] = static_cast<std::uint32_t>(slot);
  }
}

}  // namespace flymc
