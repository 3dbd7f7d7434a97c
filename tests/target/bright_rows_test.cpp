#include "flymc/target/bright_rows.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "flymc/core/random.hpp"

namespace flymc {
namespace {

constexpr Index kWidth = 3;
constexpr int kPredictors = 2;

// Every number of a slot is a function of its label, so that a mixed-up slot is seen.
void append(BrightRows& rows, double label) {
  const double anchor[kPredictors] = {label + 0.1, label + 0.2};
  const auto slot = rows.append({anchor, label + 0.3, label + 0.4}, label + 0.8, label + 0.5);
  for (int j = 0; j < kWidth; ++j) {
    slot.row[j] = label + 10.0 * j;
  }
  slot.shift[0] = label + 0.6;
  slot.shift[1] = label + 0.7;
}

void expect_slot(const BrightRows& rows, std::size_t slot, double label) {
  const Tangent tangent = rows.tangent(slot);
  EXPECT_EQ(tangent.anchor[0], label + 0.1);
  EXPECT_EQ(tangent.anchor[1], label + 0.2);
  EXPECT_EQ(tangent.curvature, label + 0.3);
  EXPECT_EQ(tangent.response, label + 0.4);
  EXPECT_EQ(rows.weight(slot), label + 0.5);
  EXPECT_EQ(rows.memo(slot), label + 0.8);
  EXPECT_EQ(rows.shift(slot)[0], label + 0.6);
  EXPECT_EQ(rows.shift(slot)[1], label + 0.7);
  for (Index j = 0; j < kWidth; ++j) {
    EXPECT_EQ(rows.rows()(static_cast<Index>(slot), j), label + 10.0 * static_cast<double>(j));
  }
}

TEST(BrightRows, FollowTheSlotsOfAVectorUnderRandomOperations) {
  Stream stream(1, 0, Purpose::kTest, 0);
  BrightRows rows(kWidth, kPredictors);
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
