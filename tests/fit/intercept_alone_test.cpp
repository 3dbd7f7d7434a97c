// `y ~ 1`: no column explains anything; an intercept, or cut points, and what a family has beside.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "family/simulate.hpp"
#include "flymc/family/family.hpp"
#include "flymc/fit.hpp"

namespace flymc {
namespace {

Table without_columns(const FamilyType& family, std::size_t rows) {
  SimulateOptions options;
  options.family = family.word;
  options.rows = rows;
  options.columns = 1;
  options.predictor_sd = 0.1;
  options.seed = 8;
  Table table = simulate(options);
  table.columns.clear();
  table.x.clear();
  if (are_of_trials(family.response)) {
    table.trials.assign(rows, static_cast<double>(options.trials));
  }
  return table;
}

Summary summary_without_columns(const FamilyType& family, Table table, EngineKind engine) {
  FitSettings settings;
  settings.family = family.word;
  settings.engine = engine;
  settings.chains = 2;
  settings.schedule = {.warmup = 300, .draws = 1000};
  settings.threads = 1;
  Fit fit(std::move(table), settings);
  fit.run();
  return fit.summary();
}

TEST(InterceptAlone, HasTheSamePosteriorByFlyMcAsByAllRowsForEveryFamily) {
  for (const FamilyType* family : families()) {
    SCOPED_TRACE(family->word);
    std::vector<Summary> both;
    for (const EngineKind engine : {EngineKind::kFly, EngineKind::kRegular}) {
      both.push_back(summary_without_columns(*family, without_columns(*family, 100), engine));
    }
    ASSERT_EQ(both[0].parameters.size(), both[1].parameters.size());
    ASSERT_GE(both[0].parameters.size(), 1U);
    for (std::size_t p = 0; p < both[0].parameters.size(); ++p) {
      SCOPED_TRACE(both[0].parameters[p].column);
      const Estimate& fly = both[0].parameters[p].estimate;
      const Estimate& regular = both[1].parameters[p].estimate;
      EXPECT_NEAR(fly.mean, regular.mean, 4.5 * std::hypot(fly.mcse_mean, regular.mcse_mean));
      EXPECT_LT(fly.mcse_mean, 0.1 * fly.sd);
    }
  }
}

// Three classes: the two cut points by a sum over a grid.
TEST(InterceptAlone, OfOrderedClassesIsTheirCutPoints) {
  Table table;
  table.rows = 40;
  table.response.name = "rating";
  for (std::size_t n = 0; n < table.rows; ++n) {
    table.response.values.push_back(n < 7 ? 1.0 : n < 29 ? 2.0 : 3.0);
  }
  constexpr double kStep = 0.02;
  double mass = 0.0;
  double sums[] = {0.0, 0.0, 0.0, 0.0};
  for (double low = -6.0; low < 4.0; low += kStep) {
    for (double high = low + 0.5 * kStep; high < 6.0; high += kStep) {
      const double below = 1.0 / (1.0 + std::exp(-low));
      const double above = 1.0 / (1.0 + std::exp(high));
      const double density = std::exp(7.0 * std::log(below) + 22.0 * std::log1p(-below - above) +
                                      11.0 * std::log(above) - (low * low + high * high) / 200.0);
      mass += density;
      sums[0] += density * low;
      sums[1] += density * high;
      sums[2] += density * low * low;
      sums[3] += density * high * high;
    }
  }
  const Summary summary =
      summary_without_columns(find_family("ordinal"), std::move(table), EngineKind::kFly);
  ASSERT_EQ(summary.parameters.size(), 2U);
  for (std::size_t k = 0; k < 2; ++k) {
    const double mean = sums[k] / mass;
    const double sd = std::sqrt(sums[k + 2] / mass - mean * mean);
    const Estimate& estimate = summary.parameters[k].estimate;
    EXPECT_EQ(summary.parameters[k].column, k == 0 ? "cut.1" : "cut.2");
    EXPECT_NEAR(estimate.mean, mean, 4.5 * estimate.mcse_mean);
    EXPECT_NEAR(estimate.sd / sd, 1.0, 4.5 / std::sqrt(2.0 * estimate.ess_tail));
  }
}

}  // namespace
}  // namespace flymc
