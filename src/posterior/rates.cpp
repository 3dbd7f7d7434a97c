#include "flymc/detail/posterior/rates.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "flymc/detail/core/bytes.hpp"

namespace flymc {
namespace {

// Neumaier's sum: the rounding of a plain one, times the number of columns, would all fall on one
// row of the alias table.
template <class T>
double accurate_sum(std::span<const T> values) noexcept {
  double sum = 0.0;
  double lost = 0.0;
  for (const T value : values) {
    const double x = static_cast<double>(value);
    const double next = sum + x;
    lost += sum >= x ? (sum - next) + x : (x - next) + sum;
    sum = next;
  }
  return sum + lost;
}

// Vose's method: columns of equal mass 1, of which column i keeps `thresholds[i]` for itself and
// gives the rest to `aliases[i]`, one with mass above 1. The heaviest weight gives last: it takes
// all that is left, rounding included, which is the least relative to its own probability. So a
// light weight has exactly its own mass, and a zero weight none.
template <class T, class Alias>
void build_alias(std::span<const T> weights, double total, double* thresholds, Alias* aliases) {
  const std::size_t count = weights.size();
  const auto heaviest =
      static_cast<std::size_t>(std::ranges::max_element(weights) - weights.begin());
  std::vector<std::uint32_t> light;
  std::vector<std::uint32_t> heavy;
  light.reserve(count);
  heavy.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    thresholds[i] = static_cast<double>(weights[i]) * static_cast<double>(count) / total;
    aliases[i] = static_cast<Alias>(heaviest);
    if (i != heaviest) {
      (thresholds[i] < 1.0 ? light : heavy).push_back(static_cast<std::uint32_t>(i));
    }
  }
  thresholds[heaviest] = 1.0;
  while (!light.empty() && !heavy.empty()) {
    const std::uint32_t from = heavy.back();
    const std::uint32_t to = light.back();
    light.pop_back();
    aliases[to] = static_cast<Alias>(from);
    thresholds[from] -= 1.0 - thresholds[to];
    if (thresholds[from] < 1.0) {
      heavy.pop_back();
      light.push_back(from);
    }
  }
  // No column is left that could take the (rounding of the) excess of these.
  for (const std::uint32_t i : heavy) {
    thresholds[i] = 1.0;
  }
}

// A uniform number in (0, 1) whose small values are as precise, relatively, as its large ones: the
// 2^-52 grid alone would be coarse against the threshold of a rate 1e10 times below its neighbours.
double fine_uniform(Stream& stream) noexcept {
  const std::uint64_t cell = stream.bits() >> 12;
  const bool coarse = cell < (std::uint64_t{1} << 42);
  return (static_cast<double>(cell) + (coarse ? stream.uniform() : 0.5)) * 0x1.0p-52;
}

template <class Alias>
double column_mass(std::size_t i, std::size_t count, const double* thresholds,
                   const Alias* aliases) noexcept {
  double mass = thresholds[i];
  for (std::size_t j = 0; j < count; ++j) {
    mass += aliases[j] == i ? 1.0 - thresholds[j] : 0.0;
  }
  return mass / static_cast<double>(count);
}

}  // namespace

Rates::Rates(Buffer<float> rates, unsigned threads) {
  const Shard all(rates.size());
  *this = Rates(std::move(rates), all, threads);
}

Rates::Rates(Buffer<float> rates, const Shard& shard, unsigned threads)
    : rows_(shard.rows()),
      held_(shard.mine()),
      rates_(std::move(rates)),
      thresholds_(rates_.size()),
      aliases_(rates_.size()) {
  cut(shard);
  Buffer<double> mine(mine_.size());
  parallel_for(mine_.size(), threads, [&](std::size_t i) { mine[i] = build_block(mine_[i]); });
  ByteWriter out;
  out.put_all(mine);
  Buffer<double> totals;
  for (const std::string& bytes : shard.ranks().gather(out.bytes())) {
    ByteReader(bytes).get_all(mine);
    totals.insert(totals.end(), mine.begin(), mine.end());
  }
  total_ = accurate_sum(std::span<const double>(totals));
  if (total_ > 0.0) {
    block_thresholds_.resize(totals.size());
    block_aliases_.resize(totals.size());
    build_alias(std::span<const double>(totals), total_, block_thresholds_.data(),
                block_aliases_.data());
  }
}

// Blocks do not reach over the end of a section: no rank holds half of one.
void Rates::cut(const Shard& shard) {
  for (std::size_t i = 0; i < shard.sections().size(); ++i) {
    const RowRange section = shard.section(i);
    for (std::size_t first = section.first; first < section.last; first += kBlockRows) {
      if (shard.holds(first)) {
        mine_.push_back(blocks_.size());
      }
      blocks_.push_back(first);
    }
  }
}

double Rates::build_block(std::size_t block) {
  const std::size_t first = blocks_[block] - held_.first;
  const std::span<const float> weights(rates_.data() + first, block_size(block));
  const double total = accurate_sum(weights);
  if (total > 0.0) {
    build_alias(weights, total, thresholds_.data() + first, aliases_.data() + first);
  }
  return total;
}

Rates::Hit Rates::hit(Stream& stream) const noexcept {
  Hit hit{.block = stream.below(block_thresholds_.size())};
  if (fine_uniform(stream) >= block_thresholds_[hit.block]) {
    hit.block = block_aliases_[hit.block];
  }
  hit.column = stream.below(block_size(hit.block));
  hit.coin = fine_uniform(stream);
  return hit;
}

Datum Rates::resolve(const Hit& hit) const noexcept {
  const std::size_t first = blocks_[hit.block];
  const std::size_t at = first - held_.first + hit.column;
  return first + (hit.coin >= thresholds_[at] ? aliases_[at] : hit.column);
}

double Rates::probability(Datum n) const noexcept {
  const auto after = std::upper_bound(blocks_.begin(), blocks_.end(), n);
  const auto block = static_cast<std::size_t>(after - blocks_.begin()) - 1;
  const std::size_t first = blocks_[block] - held_.first;
  const double block_mass =
      column_mass(block, block_thresholds_.size(), block_thresholds_.data(), block_aliases_.data());
  // The rows of a block without mass have no table.
  return block_mass == 0.0
             ? 0.0
             : block_mass * column_mass(n - blocks_[block], block_size(block),
                                        thresholds_.data() + first, aliases_.data() + first);
}

}  // namespace flymc
