#include "flymc/meeting.hpp"

#include <algorithm>
#include <string>

namespace flymc::app {

void Meeting::attend() {
  constexpr std::uint64_t kDrawsBetween = 16;
  if (ranks_.size() == 1 || ++calls_ % kDrawsBetween != 0) {
    return;
  }
  for (const std::string& other : ranks_.gather(stop_.word())) {
    if (!other.empty()) {
      stop_.heard_of(other);
      agreed_.store(true);
    }
  }
}

bool Meeting::decided_by_first(bool mine) { return ranks_.gather(mine ? "1" : "0")[0] == "1"; }

void MeetingSink::accept(const Draw& draw) {
  if (inner_ != nullptr) {
    inner_->accept(draw);
  }
  meeting_.attend();
}

void MeetingSink::finish() {
  if (inner_ != nullptr) {
    inner_->finish();
  }
}

void MeetingSink::keep(const ChainState& state, const RunSummary& summary) {
  if (inner_ != nullptr) {
    inner_->keep(state, summary);
  }
}

}  // namespace flymc::app
