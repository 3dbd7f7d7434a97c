#include "fit/stop_consensus.hpp"

#include <string>

namespace flymc {

void StopConsensus::accept(const Draw& /*draw*/) {
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

bool StopConsensus::decided_by_first(bool mine) {
  return ranks_.gather(mine ? "1" : "0")[0] == "1";
}

}  // namespace flymc
