#include "flymc/detail/posterior/bright_rows.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "flymc/random.hpp"

namespace flymc {
namespace {

constexpr BrightRows::Shape kShape{.width = 3, .predictors = 2, .pairs = 1, .shells = 4};

// Every number of a slot is a function of its label, so that a mixed-up slot is seen.
void append(BrightRows& rows, double label) {
  const auto slot = rows.append(
      {.response = label + 0.4, .weight = label + 0.5, .memo = label + 0.8, .slack = label + 0.9});
  for (int j = 0; j < kShape.width; ++j) {
    slot.row[j] = label + 10.0 * j;
  }
  for (int j = 0; j < kShape.predictors; ++j) {
    slot.touch_point[j] = label + 0.1 + j;
    slot.shift[j] = label + 0.6 + j;
  }
  for (int shell = 0; shell < kShape.shells; ++shell) {
    slot.curvature[shell] = label + 0.3 + shell;
  }
}

void expect_slot(const BrightRows& rows, std::size_t slot, double label) {
  for (int shell = 0; shell < kShape.shells; ++shell) {
    const Tangent tangent = rows.tangent(slot, shell);
    EXPECT_EQ(tangent.anchor[0], label + 0.1);
    EXPECT_EQ(tangent.anchor[1], label + 0.1 + 1);
    EXPECT_EQ(*tangent.curvature, label + 0.3 + shell);
    EXPECT_EQ(tangent.response, label + 0.4);
  }
  EXPECT_EQ(rows.weight(slot), label + 0.5);
  EXPECT_EQ(rows.memo(slot), label + 0.8);
  EXPECT_EQ(rows.slack(slot), label + 0.9);
  EXPECT_EQ(rows.shift(slot)[0], label + 0.6);
  EXPECT_EQ(rows.shift(slot)[1], label + 0.6 + 1);
  for (Index j = 0; j < kShape.width; ++j) {
    const double expected = label + 10.0 * static_cast<double>(j);
    EXPECT_EQ(rows.rows()(static_cast<Index>(slot), j), expected);
    EXPECT_EQ(rows.rows(slot, slot + 1)(0, j), expected);
  }
}

TEST(BrightRows, FollowTheSlotsOfAVectorUnderRandomOperations) {
  Stream stream(1, 0, Purpose::kTest, 0);
  BrightRows rows(kShape);
  std::vector<double> labels;
  for (int step = 0; step < 500; ++step) {
    if (!labels.empty() && stream.uniform() < 0.45) {
      const auto slot = static_cast<std::size_t>(stream.below(labels.size()));
      labels[slot] = labels.back();
      labels.pop_back();
      rows.remove(slot);
    } else {
      labels.push_back(100.0 * step);
      append(rows, labels.back());
    }
    ASSERT_EQ(rows.size(), labels.size());
    for (std::size_t slot = 0; slot < labels.size(); ++slot) {
      expect_slot(rows, slot, labels[slot]);
    }
  }
}

TEST(RemoveSlot, MovesTheLastGroupIntoTheHole) {
  Buffer<double> values{0.0, 1.0, 10.0, 11.0, 20.0, 21.0};
  remove_slot(values, 0, 2);
  EXPECT_EQ(values, (Buffer<double>{20.0, 21.0, 10.0, 11.0}));
  remove_slot(values, 1, 2);
  EXPECT_EQ(values, (Buffer<double>{20.0, 21.0}));
  remove_slot(values, 0, 2);
  EXPECT_TRUE(values.empty());
}

}  // namespace
}  // namespace flymc
