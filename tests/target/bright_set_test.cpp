#include "flymc/target/bright_set.hpp"

#include <gtest/gtest.h>

#include <set>

#include "flymc/core/random.hpp"

namespace flymc {
namespace {

// order is a permutation, the bright data come first, and slots are its inverse.
void expect_invariants(const BrightSet& set, const std::set<Datum>& bright) {
  ASSERT_EQ(set.bright_count(), bright.size());
  std::set<Datum> seen;
  for (std::size_t slot = 0; slot < set.bright_count(); ++slot) {
    const Datum n = set.bright_at(slot);
    ASSERT_TRUE(bright.contains(n));
    ASSERT_EQ(set.slot_of(n), slot);
    seen.insert(n);
  }
  for (std::size_t i = 0; i < set.rows() - set.bright_count(); ++i) {
    ASSERT_FALSE(bright.contains(set.dark_at(i)));
    seen.insert(set.dark_at(i));
  }
  ASSERT_EQ(seen.size(), set.rows());
  for (Datum n = 0; n < set.rows(); ++n) {
    ASSERT_EQ(set.is_bright(n), bright.contains(n));
  }
}

TEST(BrightSet, StartsDark) { expect_invariants(BrightSet(5), {}); }

TEST(BrightSet, KeepsItsInvariantUnderRandomOperations) {
  for (const std::size_t rows : {1U, 2U, 7U, 60U}) {
    Stream stream(1, 0, Purpose::kTest, rows);
    BrightSet set(rows);
    std::set<Datum> reference;
    for (int step = 0; step < 2000; ++step) {
      const auto n = static_cast<Datum>(stream.below(rows));
      if (reference.erase(n) == 1) {
        set.darken(set.slot_of(n));
      } else {
        reference.insert(n);
        set.brighten(n);
        ASSERT_EQ(set.slot_of(n), set.bright_count() - 1);
      }
      expect_invariants(set, reference);
      ASSERT_FALSE(testing::Test::HasFatalFailure()) << "step " << step << ", rows " << rows;
    }
  }
}

TEST(BrightSet, DarkeningMovesTheLastBrightDatumIntoTheHole) {
  BrightSet set(6);
  for (const Datum n : {4U, 1U, 3U}) {
    set.brighten(n);
  }
  set.darken(0);
  EXPECT_EQ(set.bright_at(0), 3U);
  EXPECT_EQ(set.bright_at(1), 1U);
  EXPECT_FALSE(set.is_bright(4));
}

}  // namespace
}  // namespace flymc
