#include "flymc/detail/data/table/row_source.hpp"

#include <algorithm>
#include <utility>

namespace flymc {

RowSource::RowSource(const Shape& shape, Owner owner)
    : rows_(shape.rows), row_stride_(shape.row_stride), owner_(std::move(owner)) {
  offsets_.reserve(shape.columns);
  for (std::size_t j = 0; j < shape.columns; ++j) {
    offsets_.push_back(static_cast<std::ptrdiff_t>(j) * shape.column_stride);
  }
}

RowSource::RowSource(const double* first, const Shape& shape, Owner owner)
    : RowSource(shape, std::move(owner)) {
  doubles_ = first;
  see_layout();
}

RowSource::RowSource(const float* first, const Shape& shape, Owner owner)
    : RowSource(shape, std::move(owner)) {
  floats_ = first;
  see_layout();
}

void RowSource::see_layout() noexcept {
  consecutive_ = true;
  for (std::size_t j = 0; j < offsets_.size(); ++j) {
    consecutive_ = consecutive_ && offsets_[j] == offsets_[0] + static_cast<std::ptrdiff_t>(j);
  }
  dense_ = !chosen_rows_ && consecutive_ && (offsets_.empty() || offsets_[0] == 0) &&
           row_stride_ == static_cast<std::ptrdiff_t>(offsets_.size());
  in_place_ = doubles_ != nullptr && dense_;
}

void RowSource::keep_columns(std::span<const std::size_t> columns) {
  std::vector<std::ptrdiff_t> kept;
  kept.reserve(columns.size());
  for (const std::size_t j : columns) {
    kept.push_back(offsets_[j]);
  }
  offsets_ = std::move(kept);
  see_layout();
}

void RowSource::keep_rows(const std::vector<std::uint32_t>& rows) {
  auto chosen = std::make_shared<Buffer<std::uint32_t>>(rows.size());
  std::transform(rows.begin(), rows.end(), chosen->begin(),
                 [&](std::uint32_t n) { return chosen_rows_ ? (*chosen_rows_)[n] : n; });
  chosen_rows_ = std::move(chosen);
  rows_ = rows.size();
  see_layout();
}

template <class Number>
void RowSource::gather_row(const Number* row, double* out) const noexcept {
  if (consecutive_) {
    std::copy_n(row + (offsets_.empty() ? 0 : offsets_[0]), offsets_.size(), out);
    return;
  }
  for (const std::ptrdiff_t offset : offsets_) {
    *out++ = static_cast<double>(row[offset]);
  }
}

void RowSource::gather(RowRange range, double* out) const noexcept {
  if (dense_ && floats_ != nullptr) {
    std::copy_n(floats_ + static_cast<std::ptrdiff_t>(range.first) * row_stride_,
                range.size() * offsets_.size(), out);
    return;
  }
  for (std::size_t n = range.first; n < range.last; ++n, out += offsets_.size()) {
    const std::size_t at = chosen_rows_ ? (*chosen_rows_)[n] : n;
    const std::ptrdiff_t start = static_cast<std::ptrdiff_t>(at) * row_stride_;
    if (doubles_ != nullptr) {
      gather_row(doubles_ + start, out);
    } else {
      gather_row(floats_ + start, out);
    }
  }
}

}  // namespace flymc
