#include "ranks/order_statistic.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace flymc {
namespace {

// Doubles in the order of these numbers.
std::uint64_t rank_of(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
  return (bits >> 63) != 0 ? ~bits : bits | (std::uint64_t{1} << 63);
}
double value_at(std::uint64_t rank) {
  return std::bit_cast<double>((rank >> 63) != 0 ? rank & ~(std::uint64_t{1} << 63) : ~rank);
}

}  // namespace

std::uint64_t sum_of_ranks(Ranks& ranks, std::uint64_t here) {
  std::vector<std::uint64_t> numbers = {here};
  add_up(ranks, numbers);
  return numbers[0];
}

double order_statistic(Ranks& ranks, std::span<double> values, std::uint64_t number) {
  if (ranks.size() == 1) {
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(number);
    std::nth_element(values.begin(), place, values.end());
    return *place + 0.0;
  }
  // The least with more than `number` at or below it, bit by bit: no rank holds them all.
  std::uint64_t low = 0;
  std::uint64_t high = ~std::uint64_t{0};
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    const auto below =
        std::ranges::count_if(values, [&](double v) { return rank_of(v) <= middle; });
    if (sum_of_ranks(ranks, static_cast<std::uint64_t>(below)) > number) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return value_at(low);
}

}  // namespace flymc
