// Frames for joint targets, and lighting a chosen set of data.
#pragma once

#include <vector>

#include "flymc/target/baseline.hpp"
#include "flymc/target/frame.hpp"
#include "flymc/target/joint_target.hpp"
#include "support/unit_problem.hpp"

namespace flymc::unit {

// Every frame the model and prior allow: an oscillator needs one predictor and a Gaussian baseline.
template <class Case>
[[nodiscard]] std::vector<Frame> all_frames(const Problem<Case>& problem) {
  std::vector<Frame> frames{Frame::plain(problem.anchor), Frame::whitened(problem.anchor)};
  if (predictor_count(problem.model) == 1 && !problem.prior.has_laplace()) {
    frames.push_back(Frame::oscillator(
        problem.anchor, gaussian_precision(problem.prior, problem.bounds.collapsed)));
  }
  return frames;
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

}  // namespace flymc::unit
