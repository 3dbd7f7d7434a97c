#include "flymc/detail/posterior/bright_set.hpp"

#include <gtest/gtest.h>

#include <set>

#include "flymc/random.hpp"

namespace flymc {
namespace {

// Every bright datum has one slot, and its position is the inverse.
void expect_invariants(const BrightSet& set, const std::set<Datum>& bright, std::size_t rows) {
  ASSERT_EQ(set.bright_count(), bright.size());
  std::set<Datum> seen;
  for (std::size_t slot = 0; slot < set.bright_count(); ++slot) {
    const Datum n = set.bright_at(slot);
    ASSERT_TRUE(bright.contains(n));
    ASSERT_EQ(set.slot_of(n), slot);
    seen.insert(n);
  }
  ASSERT_EQ(seen.size(), set.bright_count());
  for (Datum n = 0; n < rows; ++n) {
    ASSERT_EQ(set.is_bright(n), bright.contains(n));
  }
}

TEST(BrightSet, StartsDark) { expect_invariants(BrightSet(), {}, 5); }

TEST(BrightSet, KeepsItsInvariantUnderRandomOperations) {
  for (const std::size_t rows : {1U, 2U, 7U, 60U, 300U}) {
    Stream stream(1, 0, Purpose::kTest, rows);
    BrightSet set;
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
      expect_invariants(set, reference, rows);
      ASSERT_FALSE(::testing::Test::HasFatalFailure()) << "step " << step << ", rows " << rows;
    }
  }
}

TEST(BrightSet, DarkeningMovesTheLastBrightDatumIntoTheHole) {
  BrightSet set;
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
