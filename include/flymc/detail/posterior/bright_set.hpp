// Which data are bright, in O(1) per operation (the paper's two-array structure).
//
// slots_ holds the bright data; their inverse, from a datum to its slot, is a hash table with a
// cell for each of them and as many empty ones at least: memory follows the bright data, not all of
// them. Cells are probed one after the other from where a datum's number falls, and
//     every cell between that one and its own is taken,
// so a search ends at the first empty cell. See docs/method/paper.md, The brightness structure.
#pragma once

#include <cstddef>
#include <cstdint>

#include "flymc/detail/core/buffer.hpp"
#include "flymc/posterior/density.hpp"

namespace flymc {

class BrightSet {
 public:
  BrightSet();  // all dark

  [[nodiscard]] std::size_t bright_count() const noexcept { return slots_.size(); }
  [[nodiscard]] bool is_bright(Datum n) const noexcept { return cells_[cell_of(n)] != kEmpty; }
  [[nodiscard]] std::size_t slot_of(Datum bright) const noexcept { return cells_[cell_of(bright)]; }
  [[nodiscard]] Datum bright_at(std::size_t slot) const noexcept { return slots_[slot]; }

  // REQUIRES: n is dark. It takes the slot bright_count() - 1.
  void brighten(Datum n) {
    if (2 * (slots_.size() + 1) > cells_.size()) {
      grow();
    }
    cells_[cell_of(n)] = static_cast<std::uint32_t>(slots_.size());
    slots_.push_back(n);
  }

  // REQUIRES: slot < bright_count(). The last bright datum moves into the slot.
  void darken(std::size_t slot) noexcept {
    const std::size_t gone = cell_of(slots_[slot]);
    cells_[cell_of(slots_.back())] = static_cast<std::uint32_t>(slot);
    slots_[slot] = slots_.back();
    empty(gone);
    slots_.pop_back();
  }

 private:
  static constexpr std::uint32_t kEmpty = ~std::uint32_t{0};
  static constexpr int kFewestBits = 4;

  // Where the search for a datum begins (Fibonacci hashing: neighbours fall far apart), and goes
  // on.
  [[nodiscard]] std::size_t home(Datum n) const noexcept {
    return (n * std::uint64_t{0x9E3779B97F4A7C15}) >> (64 - bits_);
  }
  [[nodiscard]] std::size_t after(std::size_t cell) const noexcept {
    return (cell + 1) & (cells_.size() - 1);
  }
  // The cell of a bright datum; of a dark one where it would be.
  [[nodiscard]] std::size_t cell_of(Datum n) const noexcept {
    std::size_t cell = home(n);
    while (cells_[cell] != kEmpty && slots_[cells_[cell]] != n) {
      cell = after(cell);
    }
    return cell;
  }
  void empty(std::size_t cell) noexcept;
  void grow();

  int bits_ = kFewestBits;
  Buffer<Datum> slots_;
  Buffer<std::uint32_t> cells_;  // 2^bits_ of them: a slot, or kEmpty
};

}  // namespace flymc
