// Sums along all ranks, one after the other, as a process alone would add up: with its rounding.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "flymc/ranks.hpp"

namespace flymc {

// `add` goes on with the sums of the ranks before; zeros at first. Collective.
[[nodiscard]] std::vector<double> sums_along(
    Ranks& ranks, std::size_t size, const std::function<void(std::span<double> sums)>& add);

}  // namespace flymc
