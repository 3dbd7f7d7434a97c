// What the plots of the report page are made of.
#include "report/page_draws.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "diagnose/rank_ess.hpp"

namespace flymc {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<double> counting(std::size_t n) {
  std::vector<double> values(n);
  std::iota(values.begin(), values.end(), 0.0);
  return values;
}

TEST(Thinned, ShortChainsStayAsTheyAre) {
  EXPECT_THAT(thinned(std::vector<double>{3.0, 1.0, 2.0}, 3), ElementsAre(3.0, 1.0, 2.0));
}

TEST(Thinned, KeepsEveryExcursionInTheOrderItCame) {
  std::vector<double> chain(10'000, 0.0);
  chain[1234] = 7.0;
  chain[1240] = -7.0;
  chain[9999] = 5.0;
  const auto points = thinned(chain, 200);
  EXPECT_EQ(points.size(), 200U);
  EXPECT_THAT(points, Contains(5.0));
  EXPECT_EQ(points[24], 7.0);  // draws 1,200 to 1,299 are the 13th stretch
  EXPECT_EQ(points[25], -7.0);
}

TEST(RankHistograms, ChainsThatAgreeFillThemEvenly) {
  std::vector<double> values;  // two chains that take turns
  for (const double first : {0.0, 1.0}) {
    for (double i = 0.0; i < 100.0; ++i) {
      values.push_back(first + 2.0 * i);
    }
  }
  for (const auto& chain : rank_histograms(Chains(values, 2), 10)) {
    EXPECT_THAT(chain, Each(10U));
  }
}

TEST(RankHistograms, ChainsThatDisagreeFillTheirOwnEnd) {
  const auto counts = rank_histograms(Chains(counting(8), 2), 4);
  EXPECT_THAT(counts[0], ElementsAre(2, 2, 0, 0));
  EXPECT_THAT(counts[1], ElementsAre(0, 0, 2, 2));
}

TEST(RankHistograms, EqualDrawsFavourNoChain) {
  const std::vector<double> values(40, 1.0);
  for (const auto& chain : rank_histograms(Chains(values, 2), 4)) {
    EXPECT_THAT(chain, Each(5U));
  }
}

TEST(Autocorrelations, StartAtOneAndKnowASignThatAlternates) {
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i) {
    values.push_back(i % 2 == 0 ? 1.0 : -1.0);
  }
  const auto rho = autocorrelations(Chains(values, 1), 2);
  ASSERT_EQ(rho.size(), 3U);
  EXPECT_DOUBLE_EQ(rho[0], 1.0);
  EXPECT_NEAR(rho[1], -0.999, 1e-12);
  EXPECT_NEAR(rho[2], 0.998, 1e-12);
}

TEST(Autocorrelations, DrawsThatNeverMoveHaveNone) {
  const std::vector<double> values(20, 4.0);
  EXPECT_THAT(autocorrelations(Chains(values, 2), 5), IsEmpty());
}

TEST(EssGrowth, EndsAtTheEssOfAllDrawsAndUsesEveryChain) {
  const auto values = counting(400);
  std::vector<double> mixed;
  for (std::size_t i = 0; i < values.size(); ++i) {
    mixed.push_back(values[i * 7919 % values.size()]);
  }
  const Chains draws(mixed, 4);
  const EssGrowth growth = ess_growth(draws, 5);
  EXPECT_THAT(growth.draws, ElementsAre(20, 40, 60, 80, 100));
  EXPECT_DOUBLE_EQ(growth.bulk.back(), ess_bulk(draws));
  EXPECT_DOUBLE_EQ(growth.tail.back(), ess_tail(draws));
  EXPECT_NE(growth.bulk[2], growth.bulk.back());
}

}  // namespace
}  // namespace flymc
