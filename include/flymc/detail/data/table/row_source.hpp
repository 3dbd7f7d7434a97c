// Rows of numbers where they lie, in memory that a table does not own: a mapped file or an array of
// the caller. Nothing is copied; columns and rows are left out by selection.
//
//   number (n, j) = first[rows[n] * row_stride + columns[j]],  float64 or float32
// Strides are in numbers, so that C and Fortran order, slices and transposes are all served.
// Immutable but for keep_*(); reading is thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "flymc/detail/core/buffer.hpp"
#include "flymc/detail/core/row_range.hpp"

namespace flymc {

class MappedRange;

class RowSource {
 public:
  struct Shape {
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::ptrdiff_t row_stride = 0;
    std::ptrdiff_t column_stride = 1;
  };
  // Keeps the memory alive; empty: the caller does, as long as any copy of the source lives.
  using Owner = std::shared_ptr<const void>;

  RowSource() = default;
  RowSource(const double* first, const Shape& shape, Owner owner);
  RowSource(const float* first, const Shape& shape, Owner owner);

  // The rows lie in a mapped file: the kernel will be told how they are read (SequentialRead).
  void set_mapped(std::shared_ptr<MappedRange> range) noexcept { mapped_ = std::move(range); }
  [[nodiscard]] const std::shared_ptr<MappedRange>& mapped() const noexcept { return mapped_; }

  // No rows are elsewhere.
  [[nodiscard]] bool empty() const noexcept { return doubles_ == nullptr && floats_ == nullptr; }
  [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
  [[nodiscard]] std::size_t columns() const noexcept { return offsets_.size(); }
  [[nodiscard]] bool is_float32() const noexcept { return floats_ != nullptr; }

  // The numbers of some rows as doubles, row after row: where they lie if they lie so, else put
  // into `scratch`, which holds range.size() * columns() of them.
  [[nodiscard]] const double* block(RowRange range, double* scratch) const noexcept {
    if (in_place_) {
      return doubles_ + static_cast<std::ptrdiff_t>(range.first) * row_stride_;
    }
    gather(range, scratch);
    return scratch;
  }
  [[nodiscard]] bool in_place() const noexcept { return in_place_; }

  // Only these columns, in this order, as they are numbered now.
  void keep_columns(std::span<const std::size_t> columns);

  // Only these rows, as they are numbered now. 4 bytes a row.
  void keep_rows(const std::vector<std::uint32_t>& rows);

 private:
  RowSource(const Shape& shape, Owner owner);
  void gather(RowRange range, double* out) const noexcept;
  template <class Number>
  void gather_row(const Number* row, double* out) const noexcept;
  void see_layout() noexcept;

  const double* doubles_ = nullptr;  // one of the two
  const float* floats_ = nullptr;
  std::size_t rows_ = 0;
  std::ptrdiff_t row_stride_ = 0;
  std::vector<std::ptrdiff_t> offsets_{};                       // of columns in a row
  std::shared_ptr<const Buffer<std::uint32_t>> chosen_rows_{};  // null: all
  bool consecutive_ = false;                                    // columns lie side by side
  bool dense_ = false;                                          // and rows one after the other
  bool in_place_ = false;                                       // as doubles
  Owner owner_{};
  std::shared_ptr<MappedRange> mapped_{};  // null: memory as any other
};

}  // namespace flymc
