// Which levels lie at which rank, each with all of its rows. They are cut into pieces of about as
// many rows, which depend on the table alone: what belongs to all levels is summed by pieces, and
// every rank holds some of them, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "flymc/detail/core/row_range.hpp"
#include "flymc/ranks.hpp"

namespace flymc {

struct LevelRange {
  std::size_t first = 0;
  std::size_t last = 0;

  [[nodiscard]] bool holds(std::size_t level) const noexcept {
    return first <= level && level < last;
  }
};

// Immutable.
class LevelShard {
 public:
  // Rows of each level, of all ranks.
  LevelShard(Ranks& ranks, const std::vector<std::uint64_t>& rows_of_levels);

  [[nodiscard]] Ranks& ranks() const noexcept { return *ranks_; }
  [[nodiscard]] bool is_split() const noexcept { return ranks_->size() > 1; }
  [[nodiscard]] std::size_t levels() const noexcept { return levels_; }
  // Of all ranks.
  [[nodiscard]] const std::vector<LevelRange>& pieces() const noexcept { return pieces_; }
  // The pieces, and the levels, of a rank.
  [[nodiscard]] RowRange pieces_of(int rank) const noexcept;
  [[nodiscard]] LevelRange levels_of(int rank) const noexcept;
  [[nodiscard]] LevelRange mine() const noexcept { return levels_of(ranks_->rank()); }
  [[nodiscard]] int owner(std::size_t level) const noexcept;

 private:
  Ranks* ranks_;
  std::size_t levels_;
  std::vector<LevelRange> pieces_;
  std::vector<std::size_t> first_pieces_;  // of every rank; one more at the end
};

// A list with so many bytes for each level, of which every rank has made its own levels' part: all
// parts, at every rank. Collective.
void share_bytes(const LevelShard& shard, std::size_t bytes_a_level, char* values);
template <class Values>
void share_levels(const LevelShard& shard, Values& values) {
  if (shard.is_split() && !values.empty()) {
    share_bytes(shard, values.size() / shard.levels() * sizeof(*values.data()),
                reinterpret_cast<char*>(values.data()));
  }
}

}  // namespace flymc
