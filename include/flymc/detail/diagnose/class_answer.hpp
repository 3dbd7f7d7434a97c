// What to say of a new response that is a class, by how often each was drawn.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace flymc {

struct ClassAnswer {
  std::size_t most = 0;  // drawn most often; the first of equals
  // The fewest classes with 1 - 2 tail of the draws, the most frequent first. Of ordered classes
  // all from the quantile at `tail` to that at 1 - tail, as of numbers: the lowest first.
  std::vector<std::size_t> set{};
};

// `shares` of the draws, one a class, sum up to 1.
[[nodiscard]] ClassAnswer class_answer(std::span<const double> shares, double tail, bool ordered);

}  // namespace flymc
