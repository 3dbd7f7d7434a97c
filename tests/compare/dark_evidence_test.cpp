// The evidence that a run finds on its way, from draws whose every coin is dark, against the bridge
// over all rows, quadrature and closed forms.
#include "fit/dark_evidence.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "compare/conjugate.hpp"
#include "compare/evidence.hpp"
#include "compare/row_density.hpp"
#include "family/simulate.hpp"
#include "fit/engine.hpp"
#include "flymc/fit.hpp"

namespace flymc::testing {
namespace {

FitSettings fly_settings(const std::string& family) {
  FitSettings settings;
  settings.family = family;
  settings.engine = EngineKind::kFly;
  settings.schedule = {.warmup = 500, .draws = 1000, .thin = 1};
  return settings;
}

struct BothWays {
  LogEvidence dark;
  LogEvidence bridged;
};

BothWays both_ways(const Table& table, FitSettings settings) {
  Fit fit(table, settings);
  fit.run();
  EXPECT_TRUE(fit.result().evidence.has_value());
  settings.engine = EngineKind::kRegular;  // rows as given
  const Problem problem = prepare(table, settings);
  const Evidence bridged = bridged_evidence(problem, theta_draws(problem, fit.chains()), 1);
  EXPECT_TRUE(bridged.is_known());
  LogEvidence dark = fit.result().evidence.value_or(LogEvidence{});
  dark.value += log_constants(problem);
  return {dark, bridged.log};
}

void expect_alike(const BothWays& both) {
  EXPECT_NEAR(both.dark.value, both.bridged.value, 4.0 * std::hypot(both.dark.se, both.bridged.se));
  EXPECT_LT(both.dark.se, 0.1);
  EXPECT_GT(both.dark.se, 0.0);
}

class DarkEvidence : public ::testing::TestWithParam<const char*> {};

TEST_P(DarkEvidence, IsThatOfTheBridge) {
  FitSettings settings = fly_settings(GetParam());
  settings.init = InitKind::kMap;  // a normal response has coins, too
  expect_alike(both_ways(simulate({.family = GetParam(),
                                   .rows = 4000,
                                   .columns = 2,
                                   .predictor_sd = 0.7,
                                   .classes = 2,
                                   .seed = 3}),
                         settings));
}

INSTANTIATE_TEST_SUITE_P(Family, DarkEvidence,
                         ::testing::Values("logistic", "softmax", "poisson", "probit", "normal",
                                           "negative-binomial", "gamma", "zip"),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(DarkEvidenceOf, ALaplacePriorIsThatOfTheBridge) {
  FitSettings settings = fly_settings("logistic");
  settings.prior = {.automatic = false, .kind = PriorKind::kLaplace, .scale = 0.1};
  expect_alike(both_ways(
      simulate({.family = "logistic", .rows = 4000, .columns = 3, .predictor_sd = 0.7, .seed = 3}),
      settings));
}

TEST(DarkEvidenceOf, RowsWithBeaconsIsThatOfTheBridge) {
  // Columns that few rows have: nearly separable, no parabola fits.
  const Table table =
      simulate({.family = "logistic", .rows = 5000, .columns = 4, .seed = 5, .rare = 3});
  Fit fit(table, fly_settings("logistic"));
  fit.run();
  ASSERT_GT(fit.result().setup.beacons, 0U);
  expect_alike(both_ways(table, fly_settings("logistic")));
}

// The standard error that it gives is the one it has, coins' memory included.
TEST(DarkEvidenceOf, ManySeedsScattersAsItSays) {
  const Table table =
      simulate({.family = "logistic", .rows = 1500, .columns = 3, .predictor_sd = 1.0, .seed = 9});
  FitSettings settings = fly_settings("logistic");
  settings.schedule.draws = 4000;
  const LogEvidence known = both_ways(table, settings).bridged;
  settings.schedule = {.warmup = 200, .draws = 250, .thin = 1};
  FitSettings as_given = settings;
  as_given.engine = EngineKind::kRegular;
  const double constants = log_constants(prepare(table, as_given));
  constexpr int kReplicates = 60;
  double squares = 0.0;
  for (std::uint64_t seed = 1; seed <= kReplicates; ++seed) {
    settings.seed = seed;
    Fit fit(table, settings);
    fit.run();
    ASSERT_TRUE(fit.result().evidence.has_value());
    const LogEvidence& one = *fit.result().evidence;
    squares +=
        std::pow(one.value + constants - known.value, 2) / (one.se * one.se + known.se * known.se);
  }
  // Five standard errors of a mean of squares of standard normals.
  EXPECT_NEAR(squares / kReplicates, 1.0, 5.0 * std::sqrt(2.0 / kReplicates));
}

TEST(DarkEvidenceOf, RunsWithoutCoinsOrPriorIsNone) {
  const Table table =
      simulate({.family = "logistic", .rows = 500, .columns = 2, .predictor_sd = 0.7, .seed = 3});
  FitSettings regular = fly_settings("logistic");
  regular.engine = EngineKind::kRegular;
  FitSettings flat = fly_settings("logistic");
  flat.prior = {.automatic = false, .kind = PriorKind::kFlat};
  FitSettings few = fly_settings("logistic");
  few.schedule.draws = 20;
  for (const FitSettings& settings : {regular, flat, few}) {
    Fit fit(table, settings);
    fit.run();
    EXPECT_FALSE(fit.result().evidence.has_value());
  }
}

}  // namespace
}  // namespace flymc::testing
