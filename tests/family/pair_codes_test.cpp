#include "family/pair_codes.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace flymc {
namespace {

TEST(PairCodes, GiveBothNumbersBack) {
  PairCodes codes;
  EXPECT_EQ(codes.at(0.0)[0], 0.0);  // before there is a pair
  constexpr int kPairs = 5000;       // more than two blocks
  std::vector<double> given;
  for (int i = 0; i < kPairs; ++i) {
    given.push_back(codes.code_of(0.5 * i, 7.0 - i));
  }
  for (int i = 0; i < kPairs; ++i) {
    const auto pair = codes.at(given[static_cast<std::size_t>(i)]);
    ASSERT_EQ(pair.size(), 2U);
    EXPECT_EQ(pair[0], 0.5 * i);
    EXPECT_EQ(pair[1], 7.0 - i);
  }
}

TEST(PairCodes, AreOneForEqualPairsAndNoneElse) {
  PairCodes codes;
  const double first = codes.code_of(1.0, 2.0);
  EXPECT_EQ(codes.code_of(1.0, 2.0), first);
  EXPECT_EQ(codes.code_of(1.0 + 0.0, 2.0), first);
  EXPECT_NE(codes.code_of(2.0, 1.0), first);
  EXPECT_EQ(codes.code_of(0.0, -0.0), codes.code_of(-0.0, 0.0));
}

}  // namespace
}  // namespace flymc
