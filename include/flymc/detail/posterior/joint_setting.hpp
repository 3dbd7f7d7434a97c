// What all chains of a run share about the joint density: the problem, its bounds in frame
// coordinates, and the beacons of all ranks, gathered. Immutable but for shells built on demand.
#pragma once

#include <algorithm>
#include <vector>

#include "flymc/dataset.hpp"
#include "flymc/detail/posterior/baseline.hpp"
#include "flymc/detail/posterior/bright_rows.hpp"
#include "flymc/detail/posterior/remote_rows.hpp"
#include "flymc/error.hpp"
#include "flymc/posterior/bounds.hpp"
#include "flymc/posterior/frame.hpp"

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

  // Rows are kept in frame coordinates, u = row.zeta, where there is one predictor: O(dimension) an
  // evaluation. With several, K rows of K D numbers would be a datum's share; the input's D do.
  [[nodiscard]] bool framed_rows() const noexcept { return bounds.predictors == 1; }

  [[nodiscard]] BrightRows::Shape row_shape(int shells) const noexcept {
    return {data.columns(), bounds.predictors, bounds.pairs, shells, framed_rows()};
  }

  // Predictor at theta_hat minus where a datum's tangent touches: zero but for untuned bounds.
  void shift(const RemoteRow& n, double* out) const noexcept {
    std::fill_n(out, bounds.predictors, 0.0);
    if (bounds.kind == BoundKind::kUntuned) {
      data.predict_row(n.row, folded_anchor_, out);
      for (int k = 0; k < bounds.predictors; ++k) {
        out[k] -= n.anchor[k];
      }
    }
  }

  // Fills row, anchor and shift of a slot. `row_scratch` holds data.columns() numbers.
  void fill(const RemoteRow& n, const BrightRows::Slot& slot, Vector& row_scratch,
            Vector& out) const {
    std::copy_n(n.anchor, bounds.predictors, slot.anchor);
    shift(n, slot.shift);
    if (framed_rows()) {
      data.standardise(n.row.raw, row_scratch.data());
      frame.pull_back(row_scratch, out);
      std::copy_n(out.data(), out.size(), slot.row);
    } else {
      data.standardise(n.row.raw, slot.row);
    }
  }

  [[nodiscard]] BrightRows::Facts facts(const RemoteRow& n) const noexcept {
    const Tangent tangent{n.anchor, nullptr, n.row.response};
    return {n.row.response, n.row.weight, anchor_memo(model, tangent), bounds.slack_of(n.rate),
            n.rate};
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
    Vector raw(data.columns());
    Vector row(data.columns());
    Vector framed(data.columns());
    RemoteRows remote_rows(data, bounds, bounds.rates.held());
    remote_rows.fetch(bounds.beacons);
    for (const Datum n : bounds.beacons) {
      const RemoteRow beacon = remote_rows.at(n, raw.data());
      const auto slot = beacons.append(facts(beacon));
      fill(beacon, slot, row, framed);
      evaluate_information(model, slot.anchor, beacon.row.response, slot.curvature);
      for (int p = 0; p < bounds.pairs; ++p) {
        slot.curvature[p] = std::max(slot.curvature[p], 0.0);
      }
      beacon_leverage.push_back(beacon.reach(bounds.pairs));
    }
  }

  Matrix folded_anchor_;
};

}  // namespace flymc
