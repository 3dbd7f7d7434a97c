#include "paper/recorder.hpp"

#include <algorithm>

namespace flymc::paper {

PaperRecorder::PaperRecorder(const Schedule& schedule)
    : warmup_(*this, 1, false), draws_(*this, schedule.thin, true), capacity_(schedule.draws) {
  constexpr std::size_t kWaypoints = 100;
  every_ =
      std::max<std::size_t>(1, (schedule.warmup + schedule.draws * schedule.thin) / kWaypoints);
}

// Waypoints double their distance until it is `every_`: the approach is seen on a log axis, too.
void PaperRecorder::take(const Draw& draw, std::size_t iterations, bool keeps) {
  iteration_ += iterations;
  queries_ += static_cast<double>(draw.queries);
  if (keeps) {
    if (count_ == 0) {
      kept_.resize(static_cast<Index>(capacity_), draw.theta.size());
    }
    kept_.row(count_++) = draw.theta.transpose();
  }
  if (iteration_ < next_) {
    return;
  }
  way_.push_back({static_cast<double>(iteration_), draw.theta,
                  queries_ / static_cast<double>(iteration_ - last_)});
  next_ = iteration_ + std::min(iteration_, every_);
  last_ = iteration_;
  queries_ = 0.0;
}

}  // namespace flymc::paper
