// Which data should never go dark. A row that would be bright a good part of the time costs nearly
// nothing extra when always evaluated, and out of z it no longer slows mixing.
//
// What slows mixing is directional: q_max, the largest eigenvalue of L' P L, P the precision of
// prior and collapsed bounds, C = L L' the posterior covariance. In a direction of large q the
// bounds pin theta to where the coins were thrown. Beacons are chosen (i) by how often they would
// be bright, (ii) along the top eigenvector, by excess curvature, 30 % of q_max - 1 at a time; the
// prefix with the least forecast cost (forecast.hpp) is kept.
// See docs/method/engine.md, Beacons and merged rows.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "flymc/dataset.hpp"
#include "flymc/detail/tune/forecast.hpp"
#include "flymc/family/prior.hpp"
#include "flymc/posterior/frame.hpp"
#include "flymc/posterior/local_bounds.hpp"

namespace flymc {

// The regular engine with the same kernel: every row a beacon.
[[nodiscard]] Cost full_cost(const Dataset& data, const Tangents& tangents);

// S of the slowest parameter in an oscillator frame: directions weigh by their share of its
// variance.
[[nodiscard]] double slowest_lag(const Frame& frame);

struct BeaconChoice {
  std::vector<Datum> beacons;
  Cost cost;           // with the lag of the worst direction
  double q_max = 1.0;  // without beacons
};

// One candidate's excess curvature w (k - max(-phi'', 0)), by how much the sums bend less without
// its tangent and with its parabola: a number per pair of predictors, not below zero where it is
// one alone. Without a bound it has no k in the sums.
using ExcessCurvature = std::function<void(const RemoteRow& n, double* excess)>;

// Collective.
[[nodiscard]] BeaconChoice choose_beacons(const Prior& prior, const Dataset& data,
                                          const LocalPass& pass, const Anchor& anchor,
                                          const ExcessCurvature& excess);

template <BoundedLikelihood M>
[[nodiscard]] BeaconChoice choose_beacons(const M& model, const Prior& prior, const Dataset& data,
                                          const LocalPass& pass, const Anchor& anchor) {
  const Tangents& tangents = pass.tangents;
  std::vector<double> scratch(static_cast<std::size_t>(2 * tangents.pairs));
  return choose_beacons(prior, data, pass, anchor, [&](const RemoteRow& n, double* excess) {
    double* stays = scratch.data();
    parabola_curvature(model, n.touch_point, n.row.response, stays);
    shell_curvature(model, tangents, n.touch(), 0, stays + tangents.pairs, excess);
    for (int p = 0; p < tangents.pairs; ++p) {
      const double least = n.rate->has_bound() && !tangents.has_covariances()
                               ? 0.0
                               : -std::numeric_limits<double>::infinity();
      excess[p] =
          n.row.weight * std::max(least, (n.rate->has_bound() ? excess[p] : 0.0) - stays[p]);
    }
  });
}

}  // namespace flymc
