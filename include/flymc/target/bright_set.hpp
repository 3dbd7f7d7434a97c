// Which data are bright, in O(1) per operation (the paper's two-array structure).
//
// order_ holds all data, the bright ones first; position_ is its inverse:
//     order_[position_[n]] == n,  and n is bright iff position_[n] < bright_count().
// 8 bytes a datum. No operation but the constructor touches more than two entries.
#pragma once

#include <cstddef>
#include <cstdint>

#include "flymc/core/buffer.hpp"
#include "flymc/target/density.hpp"

namespace flymc {

class BrightSet {
 public:
  explicit BrightSet(std::size_t rows);  // all dark

  [[nodiscard]] std::size_t rows() const noexcept { return order_.size(); }
  [[nodiscard]] std::size_t bright_count() const noexcept { return bright_; }
  [[nodiscard]] bool is_bright(Datum n) const noexcept { return position_[n] < bright_; }
  [[nodiscard]] std::size_t slot_of(Datum bright) const noexcept { return position_[bright]; }
  [[nodiscard]] Datum bright_at(std::size_t slot) const noexcept { return order_[slot]; }
  [[nodiscard]] Datum dark_at(std::size_t index) const noexcept { return order_[bright_ + index]; }

  // REQUIRES: n is dark. It takes the slot bright_count() - 1.
  void brighten(Datum n) noexcept { swap_positions(position_[n], bright_++); }

  // REQUIRES: slot < bright_count(). The last bright datum moves into the slot.
  void darken(std::size_t slot) noexcept { swap_positions(slot, --bright_); }

 private:
  void swap_positions(std::size_t i, std::size_t j) noexcept {
    const Datum a = order_[i];
    const Datum b = order_[j];
    order_[i] = b;
    order_[j] = a;
    position_[a] = static_cast<Datum>(j);
    position_[b] = static_cast<Datum>(i);
  }

  Buffer<Datum> order_;
  Buffer<Datum> position_;
  std::size_t bright_ = 0;
};

}  // namespace flymc
