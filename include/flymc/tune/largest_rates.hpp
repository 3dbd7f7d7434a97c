// The data most often bright, by their rates.
#pragma once

#include <cstddef>
#include <vector>

#include "flymc/core/buffer.hpp"
#include "flymc/data/shard.hpp"
#include "flymc/target/density.hpp"

namespace flymc {

// So many with the largest rates of all ranks, in order, ties by number. Collective. `rates`: of
// the rows held here.
[[nodiscard]] std::vector<Datum> largest_rates(const Shard& shard, const Buffer<float>& rates,
                                               std::size_t most);

}  // namespace flymc
