// The values of all ranks in their order, by number.
#pragma once

#include <cstdint>
#include <span>

#include "flymc/ranks.hpp"

namespace flymc {

// The value with `number` others before it; -0 is 0. Collective; reorders the values of this rank.
// O(values) on one rank, else 64 counts of them. REQUIRES: no NaN; more than `number` values at all
// ranks together.
[[nodiscard]] double order_statistic(Ranks& ranks, std::span<double> values, std::uint64_t number);

// How many values all ranks have.
[[nodiscard]] std::uint64_t sum_of_ranks(Ranks& ranks, std::uint64_t here);

}  // namespace flymc
