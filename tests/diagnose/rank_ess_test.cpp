#include "diagnose/rank_ess.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "diagnose/reference_series.hpp"

namespace flymc {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

using Five = std::array<double, 5>;

Five all_five(const std::vector<double>& values, std::size_t count) {
  const Chains draws(values, count);
  return {rhat(draws), ess_bulk(draws), ess_tail(draws), ess_mean(draws), mcse_mean(draws)};
}

void expect_five(const std::vector<double>& values, std::size_t count, const Five& expected) {
  const char* names[] = {"rhat", "ess_bulk", "ess_tail", "ess_mean", "mcse_mean"};
  const Five actual = all_five(values, count);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (std::isnan(expected[i])) {
      EXPECT_TRUE(std::isnan(actual[i])) << names[i] << " is " << actual[i];
    } else {
      EXPECT_NEAR(actual[i], expected[i], 1e-11 * expected[i]) << names[i];
    }
  }
}

// References: R 4.2, posterior 1.4.0, sprintf("%.15g") of rhat(x), ess_bulk(x), ess_tail(x),
// ess_mean(x), mcse_mean(x) for the matrix x (one column a chain) named in each test; NA is NaN.

TEST(RankEss, MatchesTheInterfaceVector) {  // cbind(a, b)
  expect_five(
      side_by_side({series_a(), series_b()}), 2,
      {1.00164336215432, 601.686363418714, 658.445829124881, 648.975714316358, 0.0124081275445925});
}

TEST(RankEss, MatchesPosteriorForOneAndThreeChains) {  // cbind(a); cbind(a, b, c)
  expect_five(series_a(), 1,
              {0.999756890151489, 421.429719899325, 541.441065438715, 460.533711160563,
               0.0155342349294193});
  const auto c = autoregressive(lattice(1000, 65537, 1021));
  expect_five(side_by_side({series_a(), series_b(), c}), 3,
              {1.00114286452578, 1289.94315173057, 2014.54525636385, 1313.97440950392,
               0.00865449387186389});
}

TEST(RankEss, DropsTheMiddleDrawOfAnOddChain) {  // cbind(a[1:501], b[1:501])
  expect_five(
      side_by_side({series_a(), series_b()}, 501), 2,
      {0.99954312098526, 305.821057827015, 329.469433984365, 330.192335379411, 0.0174201207736986});
}

TEST(RankEss, AveragesTheRanksOfTies) {  // round(2 cbind(a, b)); no draw exceeds its q95
  auto values = side_by_side({series_a(), series_b()});
  for (double& x : values) {
    x = std::nearbyint(2.0 * x);
  }
  expect_five(values, 2,
              {1.00051578523096, 682.640084713096, kNan, 680.902957666631, 0.0263908469952863});
}

TEST(RankEss, FollowsGeyersSequenceToTheEndWhenChainsDisagree) {  // cbind(a, b + 3)
  auto shifted = series_b();
  for (double& x : shifted) {
    x += 3.0;
  }
  expect_five(
      side_by_side({series_a(), shifted}), 2,
      {1.82830242688583, 3.263449709322, 173.853357121398, 2.10548657610613, 1.05535403385674});
}

TEST(RankEss, MatchesPosteriorOnTrends) {  // both cumulative sums
  expect_five(
      side_by_side({cumulative(series_u()), cumulative(series_v())}), 2,
      {1.62156391867054, 4.09166978642025, 74.7125114601176, 3.48130393017503, 0.485481988936331});
}

TEST(RankEss, CapsAntitheticChains) {  // x_t = -0.8 x_{t-1} + u_t - 0.5: tau = 1/log10(1000)
  expect_five(autoregressive(series_u(), -0.8), 1,
              {0.999077971274593, 3000.0, 1119.96478695745, 3000.0, 0.00626069232082761});
}

TEST(RankEss, MatchesPosteriorOnTwoValuedDraws) {  // cbind(u < 0.5, v < 0.5)
  auto values = side_by_side({series_u(), series_v()});
  for (double& x : values) {
    x = x < 0.5 ? 1.0 : 0.0;
  }
  expect_five(values, 2,
              {0.999086753163237, 2352.55449290542, kNan, 2352.55449290542, 0.0103111841241124});
}

TEST(RankEss, MatchesPosteriorOnShortChains) {  // cbind(a[1:n], b[1:n]), n = 1 .. 14
  const Five none = {kNan, kNan, kNan, kNan, kNan};
  const std::vector<Five> by_length = {
      // posterior answers 2.557 for 2 and 3 draws: its split of one-row halves mixes up the chains.
      none,
      none,
      none,
      {1.27349579239977, kNan, kNan, kNan, kNan},
      {0.827336890858734, kNan, kNan, kNan, kNan},
      {1.06766637790087, 6.0, 6.0, 6.0, 0.101901239502842},
      {1.53629934430119, 6.0, 6.0, 6.0, 0.100091369281078},
      {1.10810685634115, 8.0, 8.0, 8.0, 0.0837204547134273},
      {1.14400841486458, 8.0, kNan, 8.0, 0.0840495694416483},
      {0.973661972390859, 10.0, 10.0, 10.0, 0.0737737814504131},
      {0.969854221883762, 10.0, 10.0, 10.0, 0.0708328045028731},
      {0.964022213066725, 24.9669865219299, 29.1428571428572, 24.4690029724572, 0.0450833841786117},
      {0.995118635412686, 18.0753763976424, 29.1428571428572, 19.3642779512233, 0.062337326702276},
      {1.03426352606411, 15.7499420284797, 40.5204248775821, 16.4924757169854, 0.0700829372146116}};
  for (std::size_t n = 1; n <= by_length.size(); ++n) {
    SCOPED_TRACE(n);
    expect_five(side_by_side({series_a(), series_b()}, n), 2, by_length[n - 1]);
  }
}

TEST(RankEss, IsNanForConstantAndForEmptyDraws) {
  const Five none = {kNan, kNan, kNan, kNan, kNan};
  expect_five(std::vector<double>(40, 1.0), 2, none);
  expect_five({}, 1, none);
}

TEST(RankEss, MatchesPosteriorForStuckChainsThatDiffer) {  // cbind(rep(1, 20), rep(2, 20))
  std::vector<double> values(40, 1.0);
  std::fill(values.begin() + 20, values.end(), 2.0);
  expect_five(values, 2, {kNan, 3.33333333333333, kNan, 3.33333333333333, 0.277350098112615});
}

TEST(RankEss, SeesOnlyTheRankOfAnInfiniteDraw) {  // cbind(a, b) with x[10, 1] <- Inf, then NaN
  auto values = side_by_side({series_a(), series_b()});
  values[9] = std::numeric_limits<double>::infinity();
  expect_five(values, 2, {1.00170122928786, 611.000368034011, kNan, kNan, kNan});
  values[9] = kNan;
  expect_five(values, 2, {kNan, kNan, kNan, kNan, kNan});
}

}  // namespace
}  // namespace flymc
