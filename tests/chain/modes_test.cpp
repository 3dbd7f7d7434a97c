// Posteriors with more than one mode: all are found, whatever the seed, and chains visit them in
// proportion to their mass.
#include <gtest/gtest.h>

#include "chain/set_up.hpp"
#include "flymc/random.hpp"
#include "support/exact_modes.hpp"

namespace flymc::exact {
namespace {

TEST(Modes, AreVisitedInProportionToTheirMass) {
  const auto problem = two_modes();
  const ModeMoments exact = integrate_modes(problem);
  ASSERT_GT(exact.positive, 0.1);
  ASSERT_LT(exact.positive, 0.9);
  const auto land = set_up(problem.model, problem.prior, problem.data, {});
  EXPECT_TRUE(land.regular);
  const std::vector<Mode> modes = land.modes.within(kNatsThatMatter);
  ASSERT_EQ(modes.size(), 2U);
  EXPECT_NEAR(modes[0].anchor.theta[0] > 0.0 ? 1.2 : -1.5, modes[0].anchor.theta[0], 0.3);
  EXPECT_LT(modes[0].anchor.theta[0] * modes[1].anchor.theta[0], 0.0);
  for (const std::uint64_t seed : {1, 2}) {
    for (const double z : mode_scores(problem, modes, seed, 200'000)) {
      EXPECT_LT(std::abs(z), kZThreshold);
    }
  }
}

// Laplace's evidence may be wrong: the proposal's weights cannot change what is visited.
TEST(Modes, AreVisitedInProportionWhateverTheProposalsWeights) {
  const auto problem = two_modes();
  const std::vector<Mode> modes = both_modes(problem, 2.0);
  ASSERT_EQ(modes.size(), 2U);
  for (const double z : mode_scores(problem, modes, 3, 200'000)) {
    EXPECT_LT(std::abs(z), kZThreshold);
  }
}

// 165 rows on one line, 135 of high leverage on another: the second is the better mode by hundreds
// of nats, and a search from one start finds either.
Dataset two_lines() {
  std::vector<double> x;
  std::vector<double> y;
  Stream stream(11, 0, Purpose::kTest, 0);
  for (int i = 0; i < 300; ++i) {
    const bool first = i < 165;
    x.push_back((first ? 1.0 : 50.0) * stream.normal());
    y.push_back((first ? 3.0 : -3.0) * x.back() + 0.1 * stream.normal());
  }
  return Dataset(table_of(x, y), {});
}

TEST(Modes, TheBestIsTheAnchorForEverySeed) {
  const Dataset data = two_lines();
  const Prior prior = equal_prior(PriorKind::kNormal, 2, 0.0, 100.0);
  for (const double scale : {0.1, 0.6}) {
    const StudentT model(1.0, scale);
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      const auto land = set_up(model, prior, data, {.anchor = {.seed = seed}, .local = {}});
      EXPECT_NEAR(land.anchor.theta[1], -3.0, 0.1) << "seed " << seed;
    }
  }
}

// Of 5,000 rows one is far out: a mode passes through it, another by.
TEST(Modes, OneRowOfHighLeverageHoldsAMode) {
  Stream stream(12, 0, Purpose::kTest, 0);
  for (const double off : {9.0, -9.0, 3.0}) {
    std::vector<double> x;
    std::vector<double> y;
    for (int i = 0; i < 5000; ++i) {
      x.push_back(i == 1234 ? 1000.0 : stream.normal());
      y.push_back(x.back() + (i == 1234 ? off : 0.1 * stream.normal()));
    }
    const Dataset data(table_of(x, y), {});
    const StudentT model(4.0, 0.1);
    const Prior prior = equal_prior(PriorKind::kNormal, 2, 0.0, 10.0);
    const auto land = set_up(model, prior, data, {});
    const double through = 1.0 + off / 1000.0;
    if (off == 3.0) {  // near enough to be fitted with the others
      EXPECT_FALSE(land.modes.several());
      EXPECT_NEAR(land.anchor.theta[1], through, 0.001);
      continue;
    }
    ASSERT_EQ(land.modes.all().size(), 2U) << off;
    std::vector<double> slopes{land.modes.all()[0].anchor.theta[1],
                               land.modes.all()[1].anchor.theta[1]};
    std::sort(slopes.begin(), slopes.end());
    EXPECT_NEAR(slopes[0], std::min(1.0, through), 0.003);
    EXPECT_NEAR(slopes[1], std::max(1.0, through), 0.003);
  }
}

}  // namespace
}  // namespace flymc::exact
