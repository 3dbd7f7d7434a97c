#include "flymc/target/rates.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "flymc/core/parallel.hpp"

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

Rates::Rates(Buffer<float> rates, unsigned threads)
    : rates_(std::move(rates)), thresholds_(rows()), aliases_(rows()) {
  const std::size_t blocks = (rows() + kBlockRows - 1) / kBlockRows;
  Buffer<double> totals(blocks);
  parallel_for(blocks, threads, [&](std::size_t block) { totals[block] = build_block(block); });
  total_ = accurate_sum(std::span<const double>(totals));
  if (total_ > 0.0) {
    block_thresholds_.resize(blocks);
    block_aliases_.resize(blocks);
    build_alias(std::span<const double>(totals), total_, block_thresholds_.data(),
                block_aliases_.data());
  }
}

std::size_t Rates::block_size(std::size_t block) const noexcept {
  return std::min(kBlockRows, rows() - block * kBlockRows);
}

double Rates::build_block(std::size_t block) {
  const std::size_t first = block * kBlockRows;
  const std::span<const float> weights(rates_.data() + first, block_size(block));
  const double total = accurate_sum(weights);
  if (total > 0.0) {
    build_alias(weights, total, thresholds_.data() + first, aliases_.data() + first);
  }
  return total;
}

Datum Rates::draw(Stream& stream) const noexcept {
  std::size_t block = stream.below(block_thresholds_.size());
  if (fine_uniform(stream) >= block_thresholds_[block]) {
    block = block_aliases_[block];
  }
  const std::size_t first = block * kBlockRows;
  std::size_t row = stream.below(block_size(block));
  if (fine_uniform(stream) >= thresholds_[first + row]) {
    row = aliases_[first + row];
  }
  return static_cast<Datum>(first + row);
}

double Rates::probability(Datum n) const noexcept {
  const std::size_t block = n / kBlockRows;
  const std::size_t first = block * kBlockRows;
  const double block_mass =
      column_mass(block, block_thresholds_.size(), block_thresholds_.data(), block_aliases_.data());
  // The rows of a block without mass have no table.
  return block_mass == 0.0
             ? 0.0
             : block_mass * column_mass(n - first, block_size(block), thresholds_.data() + first,
                                        aliases_.data() + first);
}

}  // namespace flymc
