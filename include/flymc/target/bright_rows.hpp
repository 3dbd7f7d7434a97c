// The bright data, gathered and contiguous in slot order: row, tangent, response and weight, so
// that an evaluation reads memory forwards. Removing a slot moves the last one into the hole.
#pragma once

#include <cstddef>
#include <span>

#include "flymc/core/buffer.hpp"
#include "flymc/core/linalg.hpp"
#include "flymc/model/tangent.hpp"

namespace flymc {

class BrightRows {
 public:
  BrightRows(Index width, int predictors) : width_(width), predictors_(predictors) {}

  [[nodiscard]] std::size_t size() const noexcept { return responses_.size(); }
  [[nodiscard]] ConstRowMatrixView rows() const noexcept {
    return {rows_.data(), static_cast<Index>(size()), width_};
  }
  [[nodiscard]] Tangent tangent(std::size_t slot) const noexcept {
    return {anchors_.data() + slot * stride(), curvatures_[slot], responses_[slot]};
  }
  // Predictor at the anchor theta minus where the tangent touches.
  [[nodiscard]] const double* shift(std::size_t slot) const noexcept {
    return shifts_.data() + slot * stride();
  }
  [[nodiscard]] double weight(std::size_t slot) const noexcept { return weights_[slot]; }
  [[nodiscard]] double memo(std::size_t slot) const noexcept { return memos_[slot]; }

  // Appends a slot; the caller fills the row and the shift it gets back. Amortised O(width).
  struct Slot {
    double* row;
    double* shift;
  };
  Slot append(const Tangent& tangent, double memo, double weight);
  void remove(std::size_t slot) noexcept;

 private:
  [[nodiscard]] std::size_t stride() const noexcept {
    return static_cast<std::size_t>(predictors_);
  }

  Index width_;
  int predictors_;
  Buffer<double> rows_;
  Buffer<double> anchors_;
  Buffer<double> shifts_;
  Buffer<double> curvatures_;
  Buffer<double> responses_;
  Buffer<double> weights_;
  Buffer<double> memos_;
};

// Moves the last `stride` numbers into group `slot` and drops them; used by all slot-ordered
// arrays.
void remove_slot(Buffer<double>& values, std::size_t slot, std::size_t stride) noexcept;

}  // namespace flymc
