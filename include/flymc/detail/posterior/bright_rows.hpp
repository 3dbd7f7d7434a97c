// Evaluated data, gathered and contiguous in slot order: row, tangent, response and weight, so that
// an evaluation reads memory forwards. Removing a slot moves the last one into the hole.
#pragma once

#include <algorithm>
#include <cstddef>

#include "flymc/detail/core/buffer.hpp"
#include "flymc/detail/core/linalg.hpp"
#include "flymc/detail/family/tangent.hpp"

namespace flymc {

class BrightRows {
 public:
  struct Shape {
    Index width = 0;     // of a row
    int predictors = 1;  // numbers that describe where a tangent touches
    int pairs = 1;       // numbers that describe a curvature
    int shells = 1;      // curvatures kept
    bool framed = true;  // rows are in frame coordinates
  };
  explicit BrightRows(const Shape& shape) : shape_(shape) {}

  [[nodiscard]] std::size_t size() const noexcept { return responses_.size(); }
  [[nodiscard]] std::size_t predictors() const noexcept {
    return static_cast<std::size_t>(shape_.predictors);
  }
  [[nodiscard]] bool framed() const noexcept { return shape_.framed; }
  [[nodiscard]] ConstRowMatrixView rows() const noexcept { return rows(0, size()); }
  [[nodiscard]] ConstRowMatrixView rows(std::size_t first, std::size_t last) const noexcept {
    return {rows_.data() + first * static_cast<std::size_t>(shape_.width),
            static_cast<Index>(last - first), shape_.width};
  }
  [[nodiscard]] Tangent tangent(std::size_t slot, int shell = 0) const noexcept {
    return {touch_points_.data() + slot * predictors(),
            curvatures_.data() + slot * bends() + static_cast<std::size_t>(shell * shape_.pairs),
            responses_[slot]};
  }
  // Predictor at theta_hat minus where the tangent touches.
  [[nodiscard]] const double* shift(std::size_t slot) const noexcept {
    return shifts_.data() + slot * predictors();
  }
  [[nodiscard]] double weight(std::size_t slot) const noexcept { return weights_[slot]; }
  [[nodiscard]] double memo(std::size_t slot) const noexcept { return memos_[slot]; }
  [[nodiscard]] double slack(std::size_t slot) const noexcept { return slacks_[slot]; }
  [[nodiscard]] double rate(std::size_t slot) const noexcept { return rates_[slot]; }

  struct Facts {
    double response = 0.0;
    double weight = 1.0;
    double memo = 0.0;   // see anchor_memo
    double slack = 0.0;  // how much lower than the tangent the bound lies
    double rate = 0.0;   // of the weighted z-update
  };
  // Appends a slot; the caller fills what it gets back. Amortised O(width).
  struct Slot {
    double* row;
    double* shift;
    double* touch_point;
    double* curvature;  // shells x pairs
  };
  Slot append(const Facts& facts);
  void remove(std::size_t slot) noexcept;

 private:
  [[nodiscard]] std::size_t bends() const noexcept {
    return static_cast<std::size_t>(shape_.pairs * shape_.shells);
  }

  Shape shape_;
  Buffer<double> rows_;
  Buffer<double> touch_points_;
  Buffer<double> shifts_;
  Buffer<double> curvatures_;
  Buffer<double> responses_;
  Buffer<double> weights_;
  Buffer<double> memos_;
  Buffer<double> slacks_;
  Buffer<double> rates_;
};

// Moves the last `stride` numbers into group `slot` and drops them; used by all slot-ordered
// arrays.
template <class T>
void remove_slot(Buffer<T>& values, std::size_t slot, std::size_t stride) noexcept {
  const auto last = values.end() - static_cast<std::ptrdiff_t>(stride);
  const auto hole = values.begin() + static_cast<std::ptrdiff_t>(slot * stride);
  if (hole != last) {
    std::copy(last, values.end(), hole);
  }
  values.resize(values.size() - stride);
}

}  // namespace flymc
