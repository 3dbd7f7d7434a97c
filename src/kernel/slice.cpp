#include "kernel/slice.hpp"

#include <cmath>
#include <utility>

namespace flymc {

bool Slice::on_slice(Density& density, const Point& current, double t, double log_height) {
  proposal_.zeta = current.zeta + t * direction_;
  density.evaluate(proposal_, order());
  return proposal_.log_density > log_height;
}

// At most kMaxSteps widths in all, dealt to the two sides at random: Neal's condition for the limit
// to keep detailed balance.
Slice::Interval Slice::step_out(Density& density, const Point& current, double log_height,
                                double width, Stream& stream) {
  constexpr std::uint64_t kMaxSteps = 16;
  const double left = -width * stream.uniform();
  Interval interval{left, left + width};
  const std::uint64_t left_steps = stream.below(kMaxSteps);
  for (std::uint64_t i = 0; i < left_steps && on_slice(density, current, interval.left, log_height);
       ++i) {
    interval.left -= width;
  }
  for (std::uint64_t i = 0;
       i < kMaxSteps - 1 - left_steps && on_slice(density, current, interval.right, log_height);
       ++i) {
    interval.right += width;
  }
  return interval;
}

ThetaInfo Slice::step(Density& density, Point& current, const Tuning& tuning, Stream& stream) {
  for (Index j = 0; j < direction_.size(); ++j) {
    direction_[j] = stream.normal();
  }
  direction_.normalize();
  const double log_height = current.log_density + std::log(stream.uniform());
  Interval interval = step_out(density, current, log_height, tuning.step_size, stream);
  // The current position is on the slice, so shrinkage ends; the limit guards against an interval
  // that has shrunk to rounding, where staying put is the correct limit.
  constexpr int kMaxShrinks = 200;
  for (int i = 0; i < kMaxShrinks; ++i) {
    const double t = interval.left + (interval.right - interval.left) * stream.uniform();
    if (on_slice(density, current, t, log_height)) {
      std::swap(current, proposal_);
      return {.accept_prob = 1.0, .accepted = true, .moved = std::abs(t)};
    }
    (t < 0.0 ? interval.left : interval.right) = t;
  }
  return {.accept_prob = 0.0, .accepted = false, .moved = 0.0};
}

}  // namespace flymc
