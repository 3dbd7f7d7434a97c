#include "data/table/merge_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "flymc/random.hpp"

namespace flymc {
namespace {

constexpr std::size_t kBlock = 65'536;

struct Row {
  std::vector<double> x;
  double response = 0.0;
};

Table make_table(const std::vector<Row>& rows) {
  Table table;
  table.rows = rows.size();
  table.columns.resize(rows.front().x.size(), "x");
  for (const Row& row : rows) {
    table.x.insert(table.x.end(), row.x.begin(), row.x.end());
    table.response.values.push_back(row.response);
  }
  return table;
}

// One column, whose entry in row n is value(n).
template <class Value>
Table one_column(std::size_t rows, Value&& value) {
  Table table;
  table.rows = rows;
  table.columns = {"x"};
  table.response.values.assign(rows, 1.0);
  for (std::size_t n = 0; n < rows; ++n) {
    table.x.push_back(static_cast<double>(value(n)));
  }
  return table;
}

void expect_equal(const Table& a, const Table& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.x, b.x);
  EXPECT_EQ(a.response.values, b.response.values);
  EXPECT_EQ(a.weights, b.weights);
  EXPECT_EQ(a.offset, b.offset);
}

// Merges and returns how many rows that removed; what is said of the rows that stay must be true.
std::size_t merge_counting(Table& table, unsigned threads) {
  const Table before = table;
  const std::vector<MergedRow> rows = merge_equal_rows(table, threads);
  EXPECT_EQ(rows.empty(), table.rows == before.rows);
  std::size_t count = 0;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    EXPECT_EQ(table.response.values[n], before.response.values[rows[n].first]);
    EXPECT_TRUE(n == 0 || rows[n - 1].first < rows[n].first);
    EXPECT_TRUE(!before.weights.empty() || rows[n].count == table.weights[n]);
    count += rows[n].count;
  }
  EXPECT_EQ(count, rows.empty() ? 0 : before.rows);
  return before.rows - table.rows;
}

TEST(MergeRows, CountsEqualRowsInTheWeightOfTheFirst) {
  Table table = make_table({{{1, 2}, 0}, {{3, 4}, 1}, {{1, 2}, 0}, {{5, 6}, 0}, {{1, 2}, 0}});
  EXPECT_EQ(merge_counting(table, 1), 2U);
  Table expected = make_table({{{1, 2}, 0}, {{3, 4}, 1}, {{5, 6}, 0}});
  expected.weights = {3, 1, 1};
  expect_equal(table, expected);
}

TEST(MergeRows, AddsWeightsThatAreThere) {
  Table table = make_table({{{1, 2}, 0}, {{3, 4}, 1}, {{3, 4}, 1}, {{1, 2}, 0}});
  table.weights = {0.5, 2.0, 0.25, 0.0};
  table.offset = {1.0, -1.0, -1.0, 1.0};
  EXPECT_EQ(merge_counting(table, 1), 2U);
  Table expected = make_table({{{1, 2}, 0}, {{3, 4}, 1}});
  expected.weights = {0.5, 2.25};
  expected.offset = {1.0, -1.0};
  expect_equal(table, expected);
}

TEST(MergeRows, KeepsRowsApartThatDifferInResponseOffsetOrOneFeature) {
  Table table = make_table({{{1, 2, 3, 4, 5}, 0},
                            {{1, 2, 3, 4, 5}, 1},
                            {{1, 2, 3, 4, 6}, 0},
                            {{2, 1, 3, 4, 5}, 0},
                            {{1, 2, 3, 4, 5}, 0}});
  table.offset = {0.0, 0.0, 0.0, 0.0, 0.5};
  const Table before = table;
  EXPECT_EQ(merge_counting(table, 1), 0U);
  expect_equal(table, before);
}

TEST(MergeRows, TakesMinusZeroForZero) {
  Table table = make_table({{{0.0, 1}, 0}, {{-0.0, 1}, -0.0}});
  EXPECT_EQ(merge_counting(table, 1), 1U);
  EXPECT_EQ(table.weights, std::vector<double>{2.0});
}

TEST(MergeRows, MergesWithinFixedBlocksOnly) {
  // The last row of the first block returns in the second, which repeats its own rows.
  Table table = one_column(kBlock + 4, [](std::size_t n) {
    return n == 1       ? 0
           : n < kBlock ? n
                        : std::vector<std::size_t>{kBlock - 1, 7, 7, kBlock - 1}[n - kBlock];
  });
  EXPECT_EQ(merge_counting(table, 1), 3U);
  ASSERT_EQ(table.rows, kBlock + 1);
  EXPECT_EQ(table.x[kBlock - 1], static_cast<double>(kBlock - 1));
  EXPECT_EQ(table.weights[0], 2.0);
  EXPECT_EQ(table.weights[6], 1.0);
  EXPECT_EQ(table.weights[kBlock - 1], 2.0);
  EXPECT_EQ(table.weights[kBlock], 2.0);
}

// Twenty full blocks of distinct rows, but for the first two, hold about ten pairs whose 32-bit
// hashes agree.
TEST(MergeRows, NeverMergesUnequalRowsOfEqualHash) {
  Stream stream(8, 0, Purpose::kTest, 0);
  Table table =
      one_column(20 * kBlock, [&](std::size_t n) { return n < 2 ? 2.0 : stream.uniform(); });
  const Table before = table;
  EXPECT_EQ(merge_counting(table, 2), 1U);
  EXPECT_EQ(table.weights[0], 2.0);
  EXPECT_TRUE(std::equal(table.x.begin() + 1, table.x.end(), before.x.begin() + 2));
}

TEST(MergeRows, LooksFurtherWhereASixteenthOfTheBlocksHasEqualRows) {
  const auto with_pairs_in = [](const std::vector<std::size_t>& blocks) {
    return one_column(17 * kBlock + 10, [&](std::size_t n) {
      const bool twin = n % kBlock == 3 && std::ranges::count(blocks, n / kBlock) > 0;
      return twin ? n - 1 : n;
    });
  };
  Table missed = with_pairs_in({3, 15});
  const Table before = missed;
  EXPECT_EQ(merge_counting(missed, 2), 0U);
  EXPECT_TRUE(missed.weights.empty());
  expect_equal(missed, before);
  Table seen = with_pairs_in({3, 15, 16});
  EXPECT_EQ(merge_counting(seen, 2), 3U);
}

TEST(MergeRows, IsTheSameForAnyNumberOfThreadsAndKeepsTheTotalWeight) {
  const std::size_t rows = 3 * kBlock + 1'234;
  Stream stream(9, 0, Purpose::kTest, 0);
  Table one = one_column(rows, [&](std::size_t) { return stream.below(50'000); });
  for (std::size_t n = 0; n < rows; ++n) {
    one.offset.push_back(static_cast<double>(stream.below(2)));
  }
  const Table before = one;
  Table four = one;
  const std::size_t removed = merge_counting(one, 1);
  EXPECT_EQ(merge_counting(four, 4), removed);
  expect_equal(one, four);

  // Against a map, block by block.
  std::size_t out = 0;
  for (std::size_t first = 0; first < rows; first += kBlock) {
    std::map<std::pair<double, double>, std::size_t> places;
    std::vector<double> counts;
    for (std::size_t n = first; n < std::min(rows, first + kBlock); ++n) {
      const auto [at, fresh] = places.try_emplace({before.x[n], before.offset[n]}, counts.size());
      if (fresh) {
        counts.push_back(0.0);
        ASSERT_EQ(one.x[out + at->second], before.x[n]);
        ASSERT_EQ(one.offset[out + at->second], before.offset[n]);
      }
      counts[at->second] += 1.0;
    }
    for (std::size_t i = 0; i < counts.size(); ++i) {
      ASSERT_EQ(one.weights[out + i], counts[i]);
    }
    out += counts.size();
  }
  EXPECT_EQ(out, one.rows);
  EXPECT_EQ(rows - out, removed);
}

TEST(MergeRows, KeepsTheDictionaryOfLabels) {
  Table table = make_table({{{1}, 0}, {{1}, 1}, {{1}, 0}});
  table.response.labels = {"no", "yes"};
  EXPECT_EQ(merge_counting(table, 1), 1U);
  EXPECT_EQ(table.response.values, (std::vector<double>{0.0, 1.0}));
  EXPECT_EQ(table.response.labels, (std::vector<std::string>{"no", "yes"}));
}

TEST(MergeRows, TakesTablesWithoutRowsOrColumns) {
  Table none;
  EXPECT_EQ(merge_counting(none, 2), 0U);
  Table responses;  // the intercept alone
  responses.rows = 5;
  responses.response.values = {1, 0, 1, 1, 0};
  EXPECT_EQ(merge_counting(responses, 2), 3U);
  EXPECT_EQ(responses.weights, (std::vector<double>{3.0, 2.0}));
}

}  // namespace
}  // namespace flymc
