// From a datum, wherever it lies, to a slot of gathered rows: its row in the coordinates in which
// evaluations multiply it, where its tangent touches, and how far from there theta_hat predicts it.
#pragma once

#include <algorithm>

#include "flymc/dataset.hpp"
#include "flymc/detail/posterior/bright_rows.hpp"
#include "flymc/detail/posterior/remote_rows.hpp"
#include "flymc/error.hpp"
#include "flymc/posterior/frame.hpp"

namespace flymc {

// Immutable; all four outlive it.
template <BoundedLikelihood M>
class RowGatherer {
 public:
  RowGatherer(const M& model, const Dataset& data, const Tangents& tangents, const Frame& frame)
      : model_(model),
        data_(data),
        tangents_(tangents),
        frame_(frame),
        folded_anchor_(data.folded_rows(), tangents.predictors) {
    if (frame.anchor() != tangents.theta_hat) {  // u would be measured from two places: a bias
      throw Error(ErrorKind::kInternal, "JointSetting: frame and bounds have different anchors.");
    }
    data.fold(frame.anchor(), folded_anchor_);
  }

  // Rows are kept in frame coordinates, u = row.zeta, where there is one predictor: O(dimension) an
  // evaluation. With several, K rows of K D numbers would be a datum's share; the input's D do.
  [[nodiscard]] bool framed_rows() const noexcept { return tangents_.predictors == 1; }

  [[nodiscard]] BrightRows::Shape row_shape(int shells) const noexcept {
    return {data_.columns(), tangents_.predictors, tangents_.pairs, shells, framed_rows()};
  }

  // Predictor at theta_hat minus where a datum's tangent touches: zero but for untuned bounds.
  void shift(const RemoteRow& n, double* out) const noexcept {
    std::fill_n(out, tangents_.predictors, 0.0);
    if (tangents_.kind == BoundKind::kUntuned) {
      data_.predict_row(n.row, folded_anchor_, out);
      for (int k = 0; k < tangents_.predictors; ++k) {
        out[k] -= n.touch_point[k];
      }
    }
  }

  // Fills touching point and shift of a slot.
  void fill_touch(const RemoteRow& n, const BrightRows::Slot& slot) const noexcept {
    std::copy_n(n.touch_point, tangents_.predictors, slot.touch_point);
    shift(n, slot.shift);
  }
  // Fills its row. Both scratch vectors hold data.columns() numbers.
  void fill_row(const RemoteRow& n, const BrightRows::Slot& slot, Vector& row_scratch,
                Vector& out) const noexcept {
    if (framed_rows()) {
      data_.standardise(n.row.raw, row_scratch.data());
      frame_.pull_back(row_scratch, out);
      std::copy_n(out.data(), out.size(), slot.row);
    } else {
      data_.standardise(n.row.raw, slot.row);
    }
  }

  // `slack`: how much lower than its tangent the datum's bound lies.
  [[nodiscard]] BrightRows::Facts facts(const RemoteRow& n, double slack) const noexcept {
    const Tangent tangent{n.touch_point, nullptr, n.row.response};
    return {n.row.response, n.row.weight, anchor_memo(model_, tangent), slack,
            n.rate ? n.rate->value() : 0.0};
  }

 private:
  const M& model_;
  const Dataset& data_;
  const Tangents& tangents_;
  const Frame& frame_;
  Matrix folded_anchor_;
};

}  // namespace flymc
