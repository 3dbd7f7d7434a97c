// Rows that lie at any rank are found by their numbers in the table, and what belongs to them goes
// where the numbers are in order.
#include "groups/row_numbers.hpp"

#include <gtest/gtest.h>

#include "support/thread_ranks.hpp"

namespace flymc {
namespace {

constexpr std::size_t kSpreadRows =
    5 * 65'536 + 1000;  // six sections; two ranks have more than one

int holder(Datum number, int size) {
  return static_cast<int>((number / 7 + number % 3) % static_cast<std::size_t>(size));
}

TEST(RowNumbers, ValuesGoInTheOrderOfNumbers) {
  for (const int size : {1, 2, 4, 5}) {
    testing::on_ranks(size, [&](Ranks& ranks) {
      std::vector<Datum> here;
      for (Datum number = 0; number < kSpreadRows; ++number) {
        if (holder(number, size) == ranks.rank()) {
          here.push_back(number);
        }
      }
      Buffer<float> values;
      for (const Datum number : here) {
        values.push_back(static_cast<float>(number) + 0.5F);
      }
      const RowNumbers rows(ranks, here);
      EXPECT_EQ(rows.rows(), kSpreadRows);
      EXPECT_EQ(rows.here(), here.size());
      const Buffer<float> sorted = rows.by_number(values);
      const RowRange mine = rows.shard().mine();
      ASSERT_EQ(sorted.size(), mine.size());
      for (std::size_t i = 0; i < sorted.size(); ++i) {
        ASSERT_EQ(sorted[i], static_cast<float>(mine.first + i) + 0.5F);
      }
      for (Datum number = 0; number < kSpreadRows; number += 1001) {
        const auto found = rows.find(number);
        ASSERT_EQ(found.has_value(), holder(number, size) == ranks.rank());
        if (found) {
          EXPECT_EQ(here[*found], number);
        }
      }
    });
  }
}

}  // namespace
}  // namespace flymc
