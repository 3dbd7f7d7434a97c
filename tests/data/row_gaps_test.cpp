#include "flymc/detail/data/table/row_gaps.hpp"

#include <gtest/gtest.h>

#include "flymc/random.hpp"

namespace flymc {
namespace {

std::vector<std::size_t> numbers_of(const RowGaps& gaps, std::size_t rows) {
  std::vector<std::size_t> numbers(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    numbers[row] = gaps.number_of(row);
  }
  return numbers;
}

TEST(RowGaps, KnowTheNumberOfEveryRowThatIsLeft) {
  RowGaps gaps;
  EXPECT_EQ(gaps.number_of(7), 7U);
  gaps.add(0);
  gaps.add(2);
  gaps.add(2);
  gaps.add(3, 4);
  // 0 out, 1 2, 3 4 out, 5, 6 to 9 out, 10 ...
  EXPECT_EQ(numbers_of(gaps, 5), (std::vector<std::size_t>{1, 2, 5, 10, 11}));
  gaps.keep({1, 2, 4});
  EXPECT_EQ(numbers_of(gaps, 3), (std::vector<std::size_t>{2, 5, 11}));
}

// However rows are left out, in parts and again, each keeps the number that it had.
TEST(RowGaps, AreTheSameInParts) {
  Stream stream(11, 0, Purpose::kTest, 0);
  RowGaps whole;
  RowGaps joined;
  std::vector<std::size_t> left;
  std::size_t number = 0;
  for (int part = 0; part < 40; ++part) {
    RowGaps gaps;
    const std::size_t before = left.size();
    for (std::size_t i = stream.below(30); i > 0; --i, ++number) {
      if (stream.uniform() < 0.4) {
        whole.add(left.size());
        gaps.add(left.size() - before);
      } else {
        left.push_back(number);
      }
    }
    joined.append(gaps, before);
  }
  EXPECT_EQ(joined, whole);
  EXPECT_EQ(numbers_of(whole, left.size()), left);
  std::vector<std::size_t> kept;
  std::vector<std::size_t> expected;
  for (std::size_t row = 0; row < left.size(); ++row) {
    if (stream.uniform() < 0.7) {
      kept.push_back(row);
      expected.push_back(left[row]);
    }
  }
  whole.keep(kept);
  EXPECT_EQ(numbers_of(whole, kept.size()), expected);
}

}  // namespace
}  // namespace flymc
