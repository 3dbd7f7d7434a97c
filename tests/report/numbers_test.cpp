#include "report/numbers.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace flymc {
namespace {

TEST(Numbers, ShowDigitsUpToTheFirstOfTheMcse) {
  EXPECT_EQ(supported_decimals(0.0041), 3);
  EXPECT_EQ(supported_decimals(0.012), 2);
  EXPECT_EQ(supported_decimals(1.0), 0);
  EXPECT_EQ(supported_decimals(12.0), -1);
  EXPECT_EQ(fixed(1.20345, supported_decimals(0.0041)), "1.203");
  EXPECT_EQ(fixed(-312345.6, supported_decimals(12.0)), "-312346");
}

TEST(Numbers, TurnScientificWherePlainDigitsAreUnwieldy) {
  EXPECT_EQ(fixed(-2.6064e-8, 11), "-2.606e-08");
  EXPECT_EQ(fixed(1.5e12, 0), "1.500000000000e+12");
  EXPECT_EQ(fixed(1.5e12, -11), "1.5e+12");
  EXPECT_EQ(fixed(1e-12, 9), "1e-12");
}

TEST(Numbers, HaveNoNegativeZero) {
  EXPECT_EQ(fixed(-0.0004, 2), "0.00");
  EXPECT_EQ(fixed(0.0, 12), "0.0000000");
  EXPECT_EQ(rounded_count(-0.2), "0");
}

TEST(Numbers, NameWhatIsNotANumber) {
  EXPECT_EQ(fixed(NAN, 2), "-");
  EXPECT_EQ(fixed(INFINITY, 2), "inf");
  EXPECT_EQ(fixed(-INFINITY, 2), "-inf");
  EXPECT_EQ(rounded_count(NAN), "-");
  EXPECT_EQ(rounded_count(INFINITY), "inf");
  EXPECT_EQ(approximate(NAN), "unknown");
  EXPECT_EQ(approximate(INFINITY), "inf");
  EXPECT_EQ(percent(NAN), "unknown");
}

TEST(Numbers, SetThousandsApart) {
  EXPECT_EQ(rounded_count(12214.4), "12,214");
  EXPECT_EQ(rounded_count(-12214.6), "-12,215");
  EXPECT_EQ(rounded_count(1e30), "1e+30");
  EXPECT_EQ(approximate(12214.4), "12,214");
  EXPECT_EQ(approximate(99.96), "100");
  EXPECT_EQ(approximate(4.567), "4.57");
  EXPECT_EQ(approximate(0.01234), "0.0123");
  EXPECT_EQ(percent(0.01834), "1.83 %");
}

}  // namespace
}  // namespace flymc
