// Levels lie whole at one rank, one after the other, about as many rows at each.
#include "groups/level_shard.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "support/thread_ranks.hpp"

namespace flymc {
namespace {

// Rows at each rank; checks that every level has one, the one that says so.
std::vector<std::uint64_t> rows_of_ranks(const std::vector<std::uint64_t>& levels, int size) {
  std::vector<std::uint64_t> rows(static_cast<std::size_t>(size), 0);
  testing::on_ranks(size, [&](Ranks& ranks) {
    const LevelShard shard(ranks, levels);
    std::size_t next = 0;
    for (int rank = 0; rank < size; ++rank) {
      const LevelRange own = shard.levels_of(rank);
      EXPECT_EQ(own.first, next);
      next = own.last;
    }
    EXPECT_EQ(next, levels.size());
    for (std::size_t level = 0; level < levels.size(); ++level) {
      EXPECT_TRUE(shard.levels_of(shard.owner(level)).holds(level)) << level;
      if (shard.mine().holds(level)) {
        EXPECT_EQ(shard.owner(level), ranks.rank());
        rows[static_cast<std::size_t>(ranks.rank())] += levels[level];
      }
    }
  });
  EXPECT_EQ(std::accumulate(rows.begin(), rows.end(), std::uint64_t{0}),
            std::accumulate(levels.begin(), levels.end(), std::uint64_t{0}));
  return rows;
}

TEST(LevelShard, RanksHaveAboutAsManyRows) {
  const std::vector<std::uint64_t> levels(3000, 100);
  for (const int size : {1, 2, 3, 8, 16}) {
    const std::vector<std::uint64_t> rows = rows_of_ranks(levels, size);
    const std::uint64_t piece = 300'000 / 64 + 100;
    const auto [least, most] = std::ranges::minmax(rows);
    EXPECT_LE(most - least, 2 * piece) << size;
  }
}

TEST(LevelShard, OneLevelWithMostRowsLeavesTheOthersToOthers) {
  std::vector<std::uint64_t> levels(1000, 400);
  levels.front() = 600'000;
  EXPECT_EQ(rows_of_ranks(levels, 2), (std::vector<std::uint64_t>{600'000, 399'600}));
}

TEST(LevelShard, RanksMayHaveNone) {
  std::ignore = rows_of_ranks({5, 3, 9}, 8);
  std::ignore = rows_of_ranks({100'000}, 4);
  std::ignore = rows_of_ranks({0, 0, 7, 0}, 3);
}

}  // namespace
}  // namespace flymc
