// Messages from every rank to every other.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "flymc/ranks.hpp"

namespace flymc {

// next(to, message) fills an empty message to a rank, and says whether another follows; what it
// sends to itself is taken at once. take(from, message) has them in the order of their rank, ranks
// in any order. Each rank talks to one other at a time, all pairs of a round at once. Collective.
void exchange(Ranks& ranks, const std::function<bool(int to, std::string& message)>& next,
              const std::function<void(int from, std::string_view message)>& take);

}  // namespace flymc
