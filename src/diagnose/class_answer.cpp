#include "flymc/detail/diagnose/class_answer.hpp"

#include <algorithm>
#include <numeric>

namespace flymc {
namespace {

constexpr double kRounding = 1e-9;  // of sums of shares, far below one draw's

// The first classes, in this order, with so much of the draws together.
std::size_t count_holding(std::span<const double> shares, const std::vector<std::size_t>& order,
                          double prob) {
  double held = 0.0;
  std::size_t count = 0;
  while (count < order.size() && held < prob - kRounding) {
    held += shares[order[count]];
    ++count;
  }
  return std::max<std::size_t>(count, 1);
}

}  // namespace

ClassAnswer class_answer(std::span<const double> shares, double tail, bool ordered) {
  std::vector<std::size_t> set(shares.size());
  std::iota(set.begin(), set.end(), std::size_t{0});
  ClassAnswer answer{static_cast<std::size_t>(std::ranges::max_element(shares) - shares.begin()),
                     {}};
  if (ordered) {
    const auto low = static_cast<std::ptrdiff_t>(count_holding(shares, set, tail)) - 1;
    set.resize(count_holding(shares, set, 1.0 - tail));
    set.erase(set.begin(), set.begin() + low);
  } else {
    std::ranges::stable_sort(set,
                             [&](std::size_t a, std::size_t b) { return shares[a] > shares[b]; });
    set.resize(count_holding(shares, set, 1.0 - 2.0 * tail));
  }
  answer.set = std::move(set);
  return answer;
}

}  // namespace flymc
