// Levels of group terms on the report page: by mean, all or every so many, with their rows.
#include "report/page_levels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "flymc/random.hpp"
#include "report/made_up_summary.hpp"
#include "report/page_draws.hpp"

namespace flymc {
namespace {

using ::testing::ElementsAre;

// sd.shop with draws, and levels of these means.
struct MadeUpLevels {
  Summary summary = made_up_summary();
  RunChains chains;
  std::vector<Answer> of_levels;

  explicit MadeUpLevels(const std::vector<double>& means) {
    add("sd.shop", 1.5);
    for (std::size_t i = 0; i < means.size(); ++i) {
      add("u.shop[" + std::to_string(i) + "]", means[i]);
    }
    Stream stream(1, 0, Purpose::kTest, 0);
    ChainDraws chain{{"sd.shop"}, {{}}};
    for (int i = 0; i < 500; ++i) {
      chain.values[0].push_back(std::abs(stream.normal()));
    }
    chains.chains = {chain};
  }
  void add(const std::string& name, double mean) {
    ParameterSummary parameter{.column = name, .label = name, .estimate = {}};
    parameter.estimate.mean = mean;
    summary.parameters.push_back(parameter);
    of_levels.push_back({.label = name, .mean = mean, .lower = mean - 1.0, .upper = mean + 2.0});
  }
  // Answers stand for all parameters; the made-up summary has two of its own.
  [[nodiscard]] Summary with_answers() const {
    Summary all = summary;
    all.answers.assign(2, Answer{});
    all.answers.insert(all.answers.end(), of_levels.begin(), of_levels.end());
    return all;
  }
};

TEST(PageLevels, AreInTheOrderOfTheirMeans) {
  const MadeUpLevels made({0.5, -2.0, 1.0});
  const Summary summary = made.with_answers();
  const auto page = page_levels(summary, made.chains, levels_of(summary));
  const auto& term = page["terms"][0];
  EXPECT_EQ(term["name"], "shop");
  EXPECT_EQ(term["sd"], 1.5);
  EXPECT_THAT(term["labels"], ElementsAre("1", "0", "2"));
  EXPECT_THAT(term["number"], ElementsAre(1, 0, 2));
  EXPECT_THAT(term["lower"], ElementsAre(-3.0, -0.5, 0.0));
  EXPECT_THAT(term["upper"], ElementsAre(0.0, 2.5, 3.0));
  ASSERT_EQ(page["scales"].size(), 1U);
  EXPECT_EQ(page["scales"][0]["label"], "sd.shop");
  EXPECT_EQ(page["scales"][0]["x"][0], 0.0);
}

TEST(PageLevels, OfTooManyEverySoManyAreSent) {
  const MadeUpLevels made({5.0, 4.0, 3.0, 2.0, 1.0, 0.0});
  const Summary summary = made.with_answers();
  const auto page = page_levels(summary, made.chains, levels_of(summary), {.levels = 3});
  EXPECT_THAT(page["terms"][0]["mean"], ElementsAre(0.0, 2.0, 4.0));
  EXPECT_EQ(page["terms"][0]["every"], 2);
  EXPECT_EQ(page["terms"][0]["levels"], 6);
}

TEST(PageLevels, ARunWithoutGroupTermsHasNone) {
  EXPECT_TRUE(page_levels(made_up_summary(), {}, {}).is_null());
}

TEST(DensityCurve, IsTheDensityOfTheDraws) {
  Stream stream(2, 0, Purpose::kTest, 0);
  std::vector<double> draws;
  for (int i = 0; i < 20'000; ++i) {
    draws.push_back(1.0 + 0.5 * stream.normal());
  }
  const DensityCurve curve = density_of(draws, {}, 200);
  double area = 0.0;
  double farthest = 0.0;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    const double t = (curve.x[i] - 1.0) / 0.5;
    const double exact = std::exp(-0.5 * t * t) / (0.5 * std::sqrt(2.0 * std::numbers::pi));
    farthest = std::max(farthest, std::abs(curve.y[i] - exact));
    area += curve.y[i] * (curve.x[1] - curve.x[0]);
  }
  EXPECT_NEAR(area, 1.0, 0.005);
  EXPECT_LT(farthest, 0.06);  // bias of 0.006 at the top, four standard errors of 0.0135
}

// Exponential draws: half of the mass near 0 would be lost, were it not folded back.
TEST(DensityCurve, IsNotLostAtTheBoundOfItsSupport) {
  Stream stream(3, 0, Purpose::kTest, 0);
  std::vector<double> draws;
  for (int i = 0; i < 20'000; ++i) {
    draws.push_back(stream.exponential());
  }
  const DensityCurve curve = density_of(draws, {.low = 0.0}, 100);
  EXPECT_EQ(curve.x.front(), 0.0);
  EXPECT_NEAR(curve.y.front(), 1.0, 0.15);
  EXPECT_TRUE(density_of(std::vector<double>(50, 2.0), {}, 10).x.empty());
}

}  // namespace
}  // namespace flymc
