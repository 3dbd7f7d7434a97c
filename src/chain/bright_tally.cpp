#include "chain/bright_tally.hpp"

#include <algorithm>
#include <utility>

namespace flymc {

void BrightTally::add(const Brightable& coins) {
  if (coins.bright_count() > kMostBright) {
    return;
  }
  ++draws_;
  for (std::size_t slot = 0; slot < coins.bright_count(); ++slot) {
    ++counts_[coins.bright_at(slot)];
  }
}

void BrightTally::add(const BrightTally& other) {
  draws_ += other.draws_;
  for (const auto& [datum, count] : other.counts_) {
    counts_[datum] += count;
  }
}

void BrightTally::restore(Counts counts, std::uint64_t draws) {
  counts_ = std::move(counts);
  draws_ = draws;
}

std::vector<BrightTally::Entry> BrightTally::brightest(std::size_t most) const {
  std::vector<std::pair<std::uint64_t, Datum>> sorted;
  sorted.reserve(counts_.size());
  for (const auto& [datum, count] : counts_) {
    sorted.emplace_back(count, datum);
  }
  const auto kept = sorted.begin() + static_cast<std::ptrdiff_t>(std::min(most, sorted.size()));
  std::partial_sort(sorted.begin(), kept, sorted.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::vector<Entry> entries;
  for (auto i = sorted.begin(); i != kept; ++i) {
    entries.push_back({i->second, static_cast<double>(i->first) / static_cast<double>(draws_)});
  }
  return entries;
}

}  // namespace flymc
