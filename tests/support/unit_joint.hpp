// Frames for joint targets, and lighting a chosen set of data.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "flymc/detail/posterior/baseline.hpp"
#include "flymc/posterior/frame.hpp"
#include "flymc/posterior/joint_target.hpp"
#include "support/unit_problem.hpp"

namespace flymc::unit {

// Every frame a joint target lives in.
template <class Case>
[[nodiscard]] std::vector<Frame> all_frames(const Problem<Case>& problem) {
  return {Frame::plain(problem.anchor),
          Frame::oscillator(problem.anchor,
                            gaussian_precision(problem.prior, problem.bounds.gaussian))};
}

// Exactly these data bright; the point's caches follow, its density is stale.
inline void light(Brightable& target, Point& point, const std::vector<Datum>& bright) {
  while (target.bright_count() > 0) {
    target.darken(point, target.bright_count() - 1);
  }
  std::ignore = target.query(point, bright);
  for (std::size_t i = 0; i < bright.size(); ++i) {
    target.brighten(point, i);
  }
}

[[nodiscard]] inline std::vector<Datum> random_subset(Stream& stream, std::size_t rows,
                                                      double probability) {
  std::vector<Datum> subset;
  for (std::size_t n = 0; n < rows; ++n) {
    if (stream.uniform() < probability) {
      subset.push_back(static_cast<Datum>(n));
    }
  }
  return subset;
}

// log of the sum over all z of the joint density at the point. Beacons have no z.
template <BoundedLikelihood M>
[[nodiscard]] Real log_sum_over_z(JointTarget<M>& target, Point point) {
  std::vector<Datum> coins;
  for (Datum n = 0; n < target.rows(); ++n) {
    if (target.rates().rows() == 0 || target.rates().rate(n) > 0.0) {
      coins.push_back(n);
    }
  }
  std::vector<Real> terms;
  for (unsigned mask = 0; mask < (1U << coins.size()); ++mask) {
    std::vector<Datum> bright;
    for (std::size_t i = 0; i < coins.size(); ++i) {
      if ((mask >> i & 1U) != 0U) {
        bright.push_back(coins[i]);
      }
    }
    light(target, point, bright);
    target.evaluate(point, Order::kValue);
    terms.push_back(point.log_density);
  }
  light(target, point, {});
  const Real top = *std::max_element(terms.begin(), terms.end());
  Real sum = 0;
  for (const Real& term : terms) {
    sum += exp(term - top);
  }
  return top + log(sum);
}

// Around the anchor, at this distance in the posterior norm.
template <class Case>
[[nodiscard]] Vector theta_at_distance(Problem<Case>& problem, double distance) {
  const Vector delta = normal_vector(problem.stream, problem.size());
  return problem.anchor.theta +
         delta * (distance / sqrt(delta.dot(problem.anchor.precision * delta)));
}

// A distance inside every shell, and two beyond the last.
[[nodiscard]] inline std::vector<double> distances_in_every_shell(const Bounds& bounds) {
  std::vector<double> result;
  double before = 0.0;
  for (const double radius : bounds.tangents.shells.radii) {
    result.push_back(0.5 * (before + radius));
    result.push_back(radius * (1.0 - 1e-9));
    before = radius;
  }
  result.push_back(before * (1.0 + 1e-9));
  result.push_back(1.4 * before);
  return result;
}

}  // namespace flymc::unit
