// What all chains share about a density with every coin dark: the Gaussian part in frame
// coordinates, and the beacons of all ranks, gathered. Immutable but for shells built on demand.
#pragma once

#include <algorithm>
#include <vector>

#include "flymc/dataset.hpp"
#include "flymc/detail/posterior/baseline.hpp"
#include "flymc/detail/posterior/bright_rows.hpp"
#include "flymc/detail/posterior/remote_rows.hpp"
#include "flymc/detail/posterior/row_gatherer.hpp"
#include "flymc/posterior/bounds.hpp"
#include "flymc/posterior/frame.hpp"

namespace flymc {

// What such a density is made of, beside its prior.
struct DarkParts {
  const Tangents& tangents;
  const Collapsed& gaussian;
  const Beacons& beacons;
  const WiderShells* wider = nullptr;  // null: the innermost shell is everywhere
};

template <BoundedLikelihood M>
class DarkSetting {
 public:
  // All outlive this.
  DarkSetting(const M& the_model, const Prior& prior, const Dataset& the_data,
              const DarkParts& parts, const Frame& the_frame)
      : model(the_model),
        data(the_data),
        frame(the_frame),
        gatherer(model, data, parts.tangents, frame),
        baseline(prior, parts.gaussian, frame, parts.wider),
        beacons(gatherer.row_shape(1)),
        parabolic_beacons(parts.beacons.parabolic_count) {
    gather_beacons(parts);
  }

  const M& model;
  const Dataset& data;
  const Frame& frame;
  RowGatherer<M> gatherer;
  Baseline baseline;
  BrightRows beacons;  // by ascending leverage; curvature: that of their parabola
  std::vector<double> beacon_leverage;
  std::size_t parabolic_beacons;  // the first of them have their parabola in the Gaussian part

 private:
  void gather_beacons(const DarkParts& parts) {
    Vector raw(data.columns());
    Vector row(data.columns());
    Vector framed(data.columns());
    RemoteRows remote_rows(data, parts.tangents, std::nullopt);
    remote_rows.fetch(parts.beacons.rows);
    for (const Datum n : parts.beacons.rows) {
      const RemoteRow beacon = remote_rows.at(n, raw.data());
      const auto slot = beacons.append(gatherer.facts(beacon, 0.0));
      gatherer.fill_touch(beacon, slot);
      gatherer.fill_row(beacon, slot, row, framed);
      parabola_curvature(model, slot.touch_point, beacon.row.response, slot.curvature);
      beacon_leverage.push_back(beacon.reach(parts.tangents));
    }
  }
};

}  // namespace flymc
