// Sums over pieces: every row once, the same bits for any number of ranks and threads, and a tree
// that does not lose digits as a running sum does.
#include "core/message.hpp"
#include "flymc/detail/ranks/piece_sum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "flymc/error.hpp"
#include "flymc/random.hpp"
#include "support/thread_ranks.hpp"

namespace flymc {
namespace {

using testing::dealt;
using testing::on_ranks;

// Numbers whose sum depends on the order in which they are added.
double number(std::size_t n) {
  return Stream(3, 0, Purpose::kTest, n).normal() * std::pow(10.0, static_cast<double>(n % 9));
}

std::vector<double> sum_of(const Shard& shard, unsigned threads) {
  return sum_pieces(shard, 2, threads, [](RowRange rows, std::span<double> out) {
    for (std::size_t n = rows.first; n < rows.last; ++n) {
      out[0] += number(n);
      out[1] += 1.0;
    }
  });
}

TEST(PieceSum, IsTheSameForAnyNumberOfRanksAndThreads) {
  const std::vector<std::size_t> sizes{1000, 1, 700, 3000, 512, 2, 4096, 999, 1500, 64, 300};
  const std::size_t rows = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
  const std::vector<double> alone_sum = sum_of(Shard(single_process(), sizes), 1);
  EXPECT_EQ(alone_sum[1], static_cast<double>(rows));
  EXPECT_EQ(sum_of(Shard(single_process(), sizes), 4), alone_sum);
  for (const int size : {1, 2, 3, 5, 7, 11, 13}) {
    on_ranks(size, [&](Ranks& ranks) {
      const Shard shard(ranks, dealt(ranks, sizes));
      EXPECT_EQ(shard.rows(), rows);
      EXPECT_EQ(sum_of(shard, 2), alone_sum) << size;
    });
  }
}

TEST(PieceSum, OfManySectionsIsABalancedTree) {
  // One piece a section: the sum of ones and one tiny number each is exact only pairwise.
  constexpr std::size_t kSections = 1 << 12;
  const Shard shard(single_process(), std::vector<std::size_t>(kSections, 1));
  ASSERT_EQ(shard.pieces().size(), kSections);
  const double sum =
      sum_pieces(shard, 1, 1, [](RowRange, std::span<double> out) { out[0] = 0.1; })[0];
  EXPECT_EQ(sum, 0.1 * kSections);  // a power of two of equal numbers: no rounding at all
}

TEST(PieceSum, OfNoRowsIsZero) {
  EXPECT_EQ(sum_pieces(Shard(), 3, 1, [](RowRange, std::span<double>) {}),
            (std::vector<double>{0.0, 0.0, 0.0}));
}

TEST(Shard, CutsEveryRowIntoOnePiece) {
  for (const std::size_t rows : {1UL, 511UL, 513UL, 65'536UL, 65'537UL, 1'000'000UL, 9'000'000UL}) {
    const Shard shard(rows);
    std::size_t next = 0;
    std::size_t number = 0;
    for (const Shard::Piece& piece : shard.pieces()) {
      EXPECT_EQ(piece.rows.first, next);
      EXPECT_EQ(piece.number, number++);
      next = piece.rows.last;
    }
    EXPECT_EQ(next, rows);
    EXPECT_LE(shard.pieces().size(), std::max<std::size_t>(64, shard.sections().size()));
  }
}

TEST(Shard, SpreadsWholeSections) {
  constexpr std::size_t kRows = 10 * Shard::kSectionRows + 17;
  on_ranks(4, [&](Ranks& ranks) {
    const Shard shard = Shard::spread(ranks, kRows);
    EXPECT_EQ(shard.rows(), kRows);
    EXPECT_EQ(shard.mine().first % Shard::kSectionRows, 0U);
    EXPECT_GE(shard.mine().size(), 2 * Shard::kSectionRows);
    EXPECT_EQ(shard.owner(shard.mine().first), ranks.rank());
    EXPECT_EQ(shard.owner(shard.mine().last - 1), ranks.rank());
  });
}

TEST(Shard, RecordsOfAnyRowComeInTheOrderAsked) {
  const std::vector<std::size_t> sizes(6, 10);
  on_ranks(3, [&](Ranks& ranks) {
    const Shard shard(ranks, dealt(ranks, sizes));
    const std::vector<std::size_t> asked{59, 0, 31, 30, 5, 5, 42};
    const Buffer<double> records =
        collect_records(shard, asked, 2, [&](std::size_t n, double* out) {
          EXPECT_TRUE(shard.holds(n));
          out[0] = static_cast<double>(n);
          out[1] = static_cast<double>(ranks.rank());
        });
    for (std::size_t i = 0; i < asked.size(); ++i) {
      EXPECT_EQ(records[2 * i], static_cast<double>(asked[i]));
      EXPECT_EQ(records[2 * i + 1], static_cast<double>(shard.owner(asked[i])));
    }
  });
}

TEST(Together, AllThrowTheFirstError) {
  on_ranks(3, [](Ranks& ranks) {
    try {
      fail_together(ranks, [&] {
        if (ranks.rank() > 0) {
          throw Error(ErrorKind::kData, "rank " + std::to_string(ranks.rank()));
        }
      });
      ADD_FAILURE() << "nothing thrown at rank " << ranks.rank();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kData);
      EXPECT_STREQ(error.what(), "rank 1");
    }
  });
}

TEST(Together, AnErrorArrivesWithItsSettingsAndItsRemedy) {
  on_ranks(2, [](Ranks& ranks) {
    try {
      fail_together(ranks, [&] {
        if (ranks.rank() == 1) {
          throw Error(ErrorKind::kUsage, message("{}: no", Setting{"z", "weighted"}),
                      message("use {}.", Setting{"z", "implicit"}));
        }
      });
      ADD_FAILURE() << "nothing thrown at rank " << ranks.rank();
    } catch (const Error& error) {
      EXPECT_EQ(error.problem().bytes(), message("{}: no", Setting{"z", "weighted"}).bytes());
      EXPECT_EQ(error.remedy().bytes(), message("use {}.", Setting{"z", "implicit"}).bytes());
    }
  });
}

}  // namespace
}  // namespace flymc
