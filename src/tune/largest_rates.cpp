#include "tune/largest_rates.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "flymc/detail/core/bytes.hpp"

namespace flymc {

// Here the cut is looked for among the bare rates: sorting row numbers by them would miss the cache
// at every comparison.
std::vector<Datum> largest_rates(const Shard& shard, const Buffer<float>& rates, std::size_t most) {
  std::vector<std::pair<float, Datum>> top;  // minus the rate, so that the smallest come first
  if (const std::size_t count = std::min(most, rates.size()); count > 0) {
    std::vector<float> sorted(rates.begin(), rates.end());
    const auto cut = sorted.begin() + static_cast<long>(count) - 1;
    std::nth_element(sorted.begin(), cut, sorted.end(), std::greater<>());
    for (std::size_t i = 0; i < rates.size(); ++i) {
      if (rates[i] >= *cut) {
        top.emplace_back(-rates[i], shard.mine().first + i);
      }
    }
  }
  const auto keep_best = [&] {
    std::sort(top.begin(), top.end());
    top.resize(std::min(top.size(), most));  // more than that where rates are equal
  };
  keep_best();
  ByteWriter mine;
  for (const auto& [rate, n] : top) {
    mine.put(rate);
    mine.put(static_cast<std::uint64_t>(n));
  }
  top.clear();
  for (const std::string& bytes : shard.ranks().gather(mine.bytes())) {
    for (ByteReader in(bytes); !in.at_end();) {
      const auto rate = in.get<float>();
      top.emplace_back(rate, in.get<std::uint64_t>());
    }
  }
  keep_best();
  std::vector<Datum> result;
  for (const auto& entry : top) {
    result.push_back(entry.second);
  }
  return result;
}

}  // namespace flymc
