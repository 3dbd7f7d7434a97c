// The data most often bright, by their rates.
#pragma once

#include <cstddef>
#include <vector>

#include "flymc/detail/core/buffer.hpp"
#include "flymc/detail/ranks/shard.hpp"
#include "flymc/posterior/density.hpp"

namespace flymc {

// So many with the largest rates of all ranks, in order, ties by number. Collective. `rates`: of
// the rows held here.
[[nodiscard]] std::vector<Datum> largest_rates(const Shard& shard, const Buffer<float>& rates,
                                               std::size_t most);

}  // namespace flymc
