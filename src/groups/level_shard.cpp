#include "groups/level_shard.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>

namespace flymc {

LevelShard::LevelShard(Ranks& ranks, const std::vector<std::uint64_t>& rows_of_levels)
    : ranks_(&ranks), levels_(rows_of_levels.size()) {
  constexpr std::uint64_t kPieces = 64;
  const auto rows = std::accumulate(rows_of_levels.begin(), rows_of_levels.end(), std::uint64_t{0});
  const std::uint64_t each = std::max<std::uint64_t>(rows / kPieces, 1024);
  std::vector<std::uint64_t> middles;  // of each piece, in half rows from the first
  std::uint64_t held = 0;
  std::uint64_t before = 0;
  for (std::size_t level = 0; level < levels_; ++level) {
    held += rows_of_levels[level];
    if (held - before >= each || level + 1 == levels_) {
      pieces_.push_back({pieces_.empty() ? 0 : pieces_.back().last, level + 1});
      middles.push_back(before + held);
      before = held;
    }
  }
  // A piece is its rank's in whose share of the rows its middle is.
  const auto size = static_cast<std::uint64_t>(ranks.size());
  for (std::uint64_t rank = 0; rank <= size; ++rank) {
    const std::uint64_t from = rows / size * rank + std::min(rank, rows % size);
    first_pieces_.push_back(
        static_cast<std::size_t>(std::ranges::lower_bound(middles, 2 * from) - middles.begin()));
  }
  first_pieces_.back() = pieces_.size();
}

RowRange LevelShard::pieces_of(int rank) const noexcept {
  const auto r = static_cast<std::size_t>(rank);
  return {first_pieces_[r], first_pieces_[r + 1]};
}

LevelRange LevelShard::levels_of(int rank) const noexcept {
  const RowRange pieces = pieces_of(rank);
  const auto start = [&](std::size_t piece) {
    return piece < pieces_.size() ? pieces_[piece].first : levels_;
  };
  return {start(pieces.first), start(pieces.last)};
}

int LevelShard::owner(std::size_t level) const noexcept {
  const auto piece = std::ranges::upper_bound(pieces_, level, {}, &LevelRange::last);
  const auto after =
      std::ranges::upper_bound(first_pieces_, static_cast<std::size_t>(piece - pieces_.begin()));
  return static_cast<int>(after - first_pieces_.begin()) - 1;
}

void share_bytes(const LevelShard& shard, std::size_t bytes_a_level, char* values) {
  const LevelRange mine = shard.mine();
  const auto all = shard.ranks().gather(
      {values + mine.first * bytes_a_level, (mine.last - mine.first) * bytes_a_level});
  for (int rank = 0; rank < shard.ranks().size(); ++rank) {
    const std::string& part = all[static_cast<std::size_t>(rank)];
    std::memcpy(values + shard.levels_of(rank).first * bytes_a_level, part.data(), part.size());
  }
}

}  // namespace flymc
