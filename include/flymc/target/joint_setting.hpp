// What all chains of a run share about the joint density: the problem, its bounds in frame
// coordinates, and the beacons, gathered. Immutable but for shells built on demand.
#pragma once

#include <algorithm>
#include <vector>

#include "flymc/core/error.hpp"
#include "flymc/data/dataset.hpp"
#include "flymc/target/baseline.hpp"
#include "flymc/target/bounds.hpp"
#include "flymc/target/bright_rows.hpp"
#include "flymc/target/frame.hpp"

namespace flymc {

template <BoundedLikelihood M>
class JointSetting {
 public:
  JointSetting(const M& the_model, const Prior& prior, const Dataset& the_data,
               const Bounds& the_bounds, const Frame& the_frame)
      : model(the_model),
        data(the_data),
        bounds(the_bounds),
        frame(the_frame),
        baseline(prior, bounds, frame),
        beacons(row_shape(1)),
        folded_anchor_(data.folded_rows(), bounds.predictors) {
    if (frame.anchor() != bounds.theta_hat) {  // u would be measured from two places: a bias
      throw Error(ErrorKind::kInternal, "JointSetting: frame and bounds have different anchors.");
    }
    data.fold(Eigen::Map<const Matrix>(frame.anchor().data(), data.columns(), bounds.predictors),
              folded_anchor_);
    gather_beacons();
  }

  // Rows are kept in frame coordinates, u = row.eta, where there is one predictor: O(dimension) an
  // evaluation. With several, K rows of K D numbers would be a datum's share; the input's D do.
  [[nodiscard]] bool framed_rows() const noexcept { return bounds.predictors == 1; }

  [[nodiscard]] BrightRows::Shape row_shape(int shells) const noexcept {
    return {data.columns(), bounds.predictors, bounds.pairs, shells};
  }

  // Predictor at theta_hat minus where datum n's tangent touches: zero but for untuned bounds.
  // `row_scratch` holds data.columns() numbers.
  void shift(Datum n, double* out, double* row_scratch) const noexcept {
    std::fill_n(out, bounds.predictors, 0.0);
    if (bounds.kind == BoundKind::kUntuned) {
      data.predict_row(n, folded_anchor_, out, row_scratch);
      for (int k = 0; k < bounds.predictors; ++k) {
        out[k] -= bounds.anchor(n)[k];
      }
    }
  }

  // Fills row, anchor and shift of a slot. `row_scratch` holds data.columns() numbers.
  void fill(Datum n, const BrightRows::Slot& slot, Vector& row_scratch, Vector& out) const {
    std::copy_n(bounds.anchor(n), bounds.predictors, slot.anchor);
    shift(n, slot.shift, row_scratch.data());
    if (framed_rows()) {
      data.copy_row(n, row_scratch.data());
      frame.pull_back(row_scratch, out);
      std::copy_n(out.data(), out.size(), slot.row);
    } else {
      data.copy_row(n, slot.row);
    }
  }

  [[nodiscard]] BrightRows::Facts facts(Datum n) const noexcept {
    const Tangent tangent{bounds.anchor(n), nullptr, data.response(n)};
    return {tangent.response, data.weight(n), anchor_memo(model, tangent), bounds.slack(n)};
  }

  const M& model;
  const Dataset& data;
  const Bounds& bounds;
  const Frame& frame;
  Baseline baseline;
  BrightRows beacons;  // in the order of bounds.beacons; curvature: that of their parabola
  std::vector<double> beacon_leverage;

 private:
  void gather_beacons() {
    Vector row(data.columns());
    Vector framed(data.columns());
    for (std::size_t i = 0; i < bounds.beacons.size(); ++i) {
      const Datum n = bounds.beacons[i];
      const auto slot = beacons.append(facts(n));
      fill(n, slot, row, framed);
      evaluate_information(model, slot.anchor, data.response(n), slot.curvature);
      for (int p = 0; p < bounds.pairs; ++p) {
        slot.curvature[p] = std::max(slot.curvature[p], 0.0);
      }
      beacon_leverage.push_back(bounds.reach(n));
    }
  }

  Matrix folded_anchor_;
};

}  // namespace flymc
