// Which data are bright, in O(1) per operation (the paper's two-array structure).
//
// slots_ holds the bright data; position_ is its inverse over the rows `held`:
//     slots_[position_[n]] == n where n is bright, and position_[n] == kDark where it is not.
// 4 bytes a row. No operation but the constructor touches more than two entries. Other bright rows
// are found in a map: where rows are split over ranks they are a handful.
// See docs/method/paper.md, The brightness structure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <unordered_map>

#include "flymc/detail/core/buffer.hpp"
#include "flymc/detail/data/table/row_source.hpp"
#include "flymc/posterior/density.hpp"

namespace flymc {

class BrightSet {
 public:
  // All dark. `held` are the rows with a position of their own.
  BrightSet(std::size_t rows, RowRange held);
  explicit BrightSet(std::size_t rows) : BrightSet(rows, {0, rows}) {}

  [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
  [[nodiscard]] std::size_t bright_count() const noexcept { return slots_.size(); }
  [[nodiscard]] bool is_bright(Datum n) const noexcept {
    return holds(n) ? position_[n - held_.first] != kDark : elsewhere_.contains(n);
  }
  [[nodiscard]] std::size_t slot_of(Datum bright) const noexcept {
    return holds(bright) ? position_[bright - held_.first] : elsewhere_.find(bright)->second;
  }
  [[nodiscard]] Datum bright_at(std::size_t slot) const noexcept { return slots_[slot]; }

  // REQUIRES: n is dark. It takes the slot bright_count() - 1.
  void brighten(Datum n) {
    slots_.push_back(n);
    place(n, slots_.size() - 1);
  }

  // REQUIRES: slot < bright_count(). The last bright datum moves into the slot.
  void darken(std::size_t slot) noexcept {
    const Datum gone = slots_[slot];
    const Datum last = slots_.back();
    slots_[slot] = last;
    place(last, slot);
    slots_.pop_back();
    if (holds(gone)) {
      position_[gone - held_.first] = kDark;
    } else {
      elsewhere_.erase(gone);
    }
  }

 private:
  static constexpr std::uint32_t kDark = std::numeric_limits<std::uint32_t>::max();

  [[nodiscard]] bool holds(Datum n) const noexcept { return n >= held_.first && n < held_.last; }
  void place(Datum n, std::size_t slot) {
    (holds(n) ? position_[n - held_.first] : elsewhere_[n]) = static_cast<std::uint32_t>(slot);
  }

  std::size_t rows_;
  RowRange held_;
  Buffer<Datum> slots_;
  Buffer<std::uint32_t> position_;
  std::unordered_map<Datum, std::uint32_t> elsewhere_;
};

}  // namespace flymc
