#include "tune/held_out.hpp"

#include <algorithm>

#include "flymc/random.hpp"

namespace flymc {

RowSplit split_rows(std::size_t rows, std::uint64_t seed) {
  constexpr std::size_t kMostHeldOut = 20'000;
  constexpr std::size_t kMostTraining = 80'000;
  const std::size_t held_out = std::clamp<std::size_t>(rows / 5, 1, kMostHeldOut);
  const std::size_t training = std::min(rows - held_out, kMostTraining);
  Stream stream(seed, 0, Purpose::kAnchor, 3);
  const Permutation order(rows, stream);
  RowSplit split;
  for (std::size_t i = 0; i < held_out + training; ++i) {
    (i < held_out ? split.held_out : split.training).push_back(order(i));
  }
  std::sort(split.training.begin(), split.training.end());
  std::sort(split.held_out.begin(), split.held_out.end());
  return split;
}

HeldOut hold_out(const Table& table, const Dataset::Options& design, std::uint64_t seed,
                 unsigned threads) {
  const RowSplit split = split_rows(table.sharding().rows(), seed);
  return {Dataset(copy_rows(table, split.training, 1.0, threads), design),
          Dataset(copy_rows(table, split.held_out, 1.0, threads), design)};
}

}  // namespace flymc
