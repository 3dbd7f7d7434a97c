#include "core/decay.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace flymc {
namespace {

// Every lane by itself: each has its own number.
TEST(Decay, IsTheExponential) {
  constexpr double kUnits = 2.0 * 2.220446049250313e-16;
  for (double x = 0.0; x > -720.0; x -= 0.0137) {
    DecayLanes lanes;
    double lane = 0.0;
    for (auto& some : lanes) {
      for (std::size_t i = 0; i < simd::kLanes<double>; ++i, ++lane) {
        some[i] = x - 0.0011 * lane;
      }
    }
    decay(lanes);
    lane = 0.0;
    for (const auto& some : lanes) {
      for (std::size_t i = 0; i < simd::kLanes<double>; ++i, ++lane) {
        const double expected = std::exp(std::max(x - 0.0011 * lane, -708.0));
        ASSERT_NEAR(some[i], expected, kUnits * expected) << x << ", lane " << lane;
      }
    }
  }
}

TEST(Decay, IsOneAtZeroAndNormalAtItsEnd) {
  DecayLanes lanes{};
  lanes[1] -= 1e300;
  lanes[2] -= 1e-320;
  decay(lanes);
  EXPECT_EQ(lanes[0][0], 1.0);
  EXPECT_EQ(lanes[2][0], 1.0);
  EXPECT_TRUE(std::isnormal(lanes[1][0]));
  EXPECT_LT(lanes[1][0], 1e-307);
}

}  // namespace
}  // namespace flymc
