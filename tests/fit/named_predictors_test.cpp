// Auxiliary parameters with columns: a fit finds what its data were made with, by FlyMC as by all
// rows, and what it reports is in the units of the input.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "fit/prepare.hpp"
#include "flymc/fit.hpp"
#include "flymc/predict.hpp"
#include "flymc/random.hpp"

namespace flymc {
namespace {

// y = 1 + 0.5 a + e^(-0.5 + 0.4 a + 0.3 b) normal, b far from 0 and in a unit of its own.
Table heteroscedastic(std::size_t rows) {
  Table table;
  table.rows = rows;
  table.columns = {"a", "b"};
  table.x.resize(2 * rows);
  table.response.name = "y";
  Stream stream(12, 0, Purpose::kTest, 0);
  for (std::size_t n = 0; n < rows; ++n) {
    const double a = stream.normal();
    const double b = stream.normal();
    table.x[2 * n] = a;
    table.x[2 * n + 1] = 70.0 + 10.0 * b;
    table.response.values.push_back(1.0 + 0.5 * a +
                                    std::exp(-0.5 + 0.4 * a + 0.3 * b) * stream.normal());
  }
  return table;
}

FitSettings with_columns(ColumnsOfPredictors columns) {
  FitSettings settings;
  settings.family = "normal";
  settings.columns = std::move(columns);
  settings.schedule = {.warmup = 500, .draws = 2000};
  settings.chains = 2;
  return settings;
}

Summary fitted(const Table& table, const FitSettings& settings) {
  Fit fit(table, settings);
  fit.run();
  return fit.summary();
}

TEST(PredictorsWithColumns, FindWhatTheirDataWereMadeWith) {
  const Summary summary =
      fitted(heteroscedastic(4000), with_columns({{"", {{"a"}}}, {"sigma", {{"a", "b"}}}}));
  const double truth[] = {1.0, 0.5, -0.5 - 7.0 * 0.3, 0.4, 0.03};
  const char* const columns[] = {"alpha", "beta.1", "sigma_alpha", "sigma_beta.1", "sigma_beta.2"};
  ASSERT_GE(summary.parameters.size(), std::size(truth));
  for (std::size_t p = 0; p < std::size(truth); ++p) {
    const auto& estimate = summary.parameters[p].estimate;
    EXPECT_EQ(summary.parameters[p].column, columns[p]);
    EXPECT_NEAR(estimate.mean, truth[p], 4.5 * estimate.sd) << columns[p];
    EXPECT_LT(estimate.rhat, 1.05);
  }
}

TEST(PredictorsWithColumns, HaveTheSamePosteriorByFlyMcAsByAllRows) {
  for (const bool intercept : {true, false}) {
    FitSettings settings = with_columns({{"", {{"a"}}}, {"sigma", {{"a", "b"}, intercept}}});
    settings.schedule.draws = 4000;
    settings.engine = EngineKind::kFly;
    const Summary fly = fitted(heteroscedastic(300), settings);
    settings.engine = EngineKind::kRegular;
    const Summary regular = fitted(heteroscedastic(300), settings);
    ASSERT_EQ(fly.parameters.size(), regular.parameters.size());
    for (std::size_t p = 0; p < fly.parameters.size(); ++p) {
      const auto& one = fly.parameters[p].estimate;
      const auto& other = regular.parameters[p].estimate;
      EXPECT_NEAR(one.mean, other.mean, 4.5 * std::hypot(one.mcse_mean, other.mcse_mean))
          << "parameter " << p;
      EXPECT_NEAR(one.sd / other.sd, 1.0,
                  4.5 * std::sqrt(1.0 / one.ess_bulk + 1.0 / other.ess_bulk))
          << "parameter " << p;
    }
  }
}

// A constant column says nothing: the parameter is then the same in every row.
TEST(PredictorsWithColumns, LoseConstantOnes) {
  Table table = heteroscedastic(50);
  for (std::size_t n = 0; n < table.rows; ++n) {
    table.x[2 * n + 1] = 3.0;
  }
  const Problem problem = prepare(table, with_columns({{"sigma", {{"b"}}}}));
  ASSERT_EQ(problem.parameters.size(), 3U);
  EXPECT_EQ(problem.parameters.back().column, "sigma");
}

// Columns that depend on each other do so within one predictor.
TEST(PredictorsWithColumns, AreCheckedForDependenceOneByOne) {
  Table table = heteroscedastic(50);
  for (std::size_t n = 0; n < table.rows; ++n) {
    table.x[2 * n + 1] = 2.0 * table.x[2 * n] - 1.0;
  }
  EXPECT_TRUE(prepare(table, with_columns({{"", {{"a"}}}, {"sigma", {{"b"}}}})).warnings.empty());
  EXPECT_FALSE(
      prepare(table, with_columns({{"", {{"a"}}}, {"sigma", {{"a", "b"}}}})).warnings.empty());
}

TEST(PredictorsWithColumns, PredictInMemory) {
  const Table table = heteroscedastic(200);
  FitSettings settings = with_columns({{"", {{"a"}}}, {"sigma", {{"b"}}}});
  settings.schedule = {.warmup = 100, .draws = 50};
  Fit fit(table, settings);
  fit.run();
  const PredictedRows rows = predict(fit, table, 1);
  const RunChains chains = fit.chains();
  double sum = 0.0;
  for (const ChainDraws& chain : chains.chains) {
    for (std::size_t s = 0; s < chain.draws(); ++s) {
      sum += chain.column("alpha")[s] + chain.column("beta.1")[s] * table.x[2 * 7];
    }
  }
  EXPECT_NEAR(rows.values(7, 0), sum / 100.0, 1e-12);
}

TEST(PredictorsWithColumns, ThatAreNotThereAreNamed) {
  const auto refused = [](ColumnsOfPredictors columns) {
    try {
      Fit fit(heteroscedastic(20), with_columns(std::move(columns)));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(refused({{"sigma", {{"q"}}}}).find("no column 'q' for 'sigma'"), std::string::npos);
  EXPECT_NE(refused({{"nu", {{"a"}}}}).find("normal has no parameter of that name"),
            std::string::npos);
}

}  // namespace
}  // namespace flymc
