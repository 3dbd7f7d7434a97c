// Fits of ordered classes: by FlyMC as by all rows, whatever the place of the columns, with classes
// of a few rows, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "family/simulate.hpp"
#include "fit/prepare.hpp"
#include "flymc/error.hpp"
#include "flymc/fit.hpp"

namespace flymc {
namespace {

Table made(std::size_t rows, std::size_t columns, std::size_t classes) {
  SimulateOptions options;
  options.family = "ordinal";
  options.rows = rows;
  options.columns = columns;
  options.classes = classes;
  options.predictor_sd = 1.0;
  options.seed = 4;
  return simulate(options);
}

FitSettings ordinal_settings() {
  FitSettings settings;
  settings.family = "ordinal";
  settings.chains = 2;
  settings.schedule = {.warmup = 500, .draws = 3000};
  return settings;
}

Summary summary_of(Table table, const FitSettings& settings) {
  Fit fit(std::move(table), settings);
  fit.run();
  return fit.summary();
}

std::vector<std::string> columns_of(const Fit& fit) {
  std::vector<std::string> columns;
  for (const ParameterName& parameter : fit.problem().parameters) {
    columns.push_back(parameter.column);
  }
  return columns;
}

TEST(OrdinalFits, HaveTheSamePosteriorByFlyMcAsByAllRows) {
  std::vector<Summary> both;
  for (const EngineKind engine : {EngineKind::kFly, EngineKind::kRegular}) {
    FitSettings settings = ordinal_settings();
    settings.engine = engine;
    both.push_back(summary_of(made(400, 2, 4), settings));
  }
  ASSERT_EQ(both[0].parameters.size(), 5U);
  for (std::size_t p = 0; p < both[0].parameters.size(); ++p) {
    const auto& fly = both[0].parameters[p].estimate;
    const auto& regular = both[1].parameters[p].estimate;
    EXPECT_NEAR(fly.mean, regular.mean, 4.5 * std::hypot(fly.mcse_mean, regular.mcse_mean));
    EXPECT_NEAR(fly.sd / regular.sd, 1.0,
                4.5 * std::sqrt(1.0 / fly.ess_bulk + 1.0 / regular.ess_bulk));
  }
}

TEST(OrdinalFits, FindWhatTheirDataWereMadeWith) {
  SimulateOptions options;
  options.family = "ordinal";
  options.rows = 6000;
  options.columns = 3;
  options.classes = 5;
  const Simulator simulator(options);
  Fit fit(simulate(options), ordinal_settings());
  fit.run();
  EXPECT_EQ(columns_of(fit), (std::vector<std::string>{"beta.1", "beta.2", "beta.3", "cut.1",
                                                       "cut.2", "cut.3", "cut.4"}));
  const Summary summary = fit.summary();
  for (std::size_t p = 0; p < summary.parameters.size(); ++p) {
    const auto j = static_cast<Index>(p);
    const double truth = p < 3 ? simulator.truth().beta(j, 0) : simulator.truth().alpha[j - 2];
    const auto& estimate = summary.parameters[p].estimate;
    EXPECT_NEAR(estimate.mean, truth, 4.5 * estimate.sd) << summary.parameters[p].column;
  }
}

// The centres of columns are the cut points' to make up for.
TEST(OrdinalFits, ReportCutPointsForTheColumnsAsTheyAre) {
  constexpr double kShift = 32.0;
  FitSettings settings = ordinal_settings();
  settings.schedule.draws = 50;
  settings.engine = EngineKind::kFly;
  Fit near(made(500, 1, 3), settings);
  Table moved = made(500, 1, 3);
  for (double& x : moved.x) {
    x += kShift;
  }
  Fit far(std::move(moved), settings);
  near.run();
  far.run();
  const ChainDraws a = near.chains().chains[0];
  const ChainDraws b = far.chains().chains[0];
  for (std::size_t s = 0; s < 50; ++s) {
    const double beta = a.column("beta.1")[s];
    EXPECT_NEAR(b.column("beta.1")[s], beta, 1e-6);
    for (const char* cut : {"cut.1", "cut.2"}) {
      EXPECT_NEAR(b.column(cut)[s], a.column(cut)[s] + kShift * beta, 1e-5);
    }
    EXPECT_LT(a.column("cut.1")[s], a.column("cut.2")[s]);
  }
}

// A sample of rows may lack a class, and a step from its mode may cross cut points.
TEST(OrdinalFits, TakeClassesOfAFewRows) {
  Table table = made(20'000, 2, 3);
  std::size_t left = 6;
  for (double& y : table.response.values) {  // all but a few of the middle class go up
    if (y == 1.0 && (left == 0 || left-- == 0)) {
      y = 2.0;
    }
  }
  FitSettings settings = ordinal_settings();
  settings.schedule = {.warmup = 300, .draws = 300};
  settings.engine = EngineKind::kFly;
  Fit fit(std::move(table), settings);
  fit.run();
  const RunChains drawn = fit.chains();
  for (const ChainDraws& chain : drawn.chains) {
    for (std::size_t s = 0; s < 300; ++s) {
      ASSERT_LT(chain.column("cut.1")[s], chain.column("cut.2")[s]);
    }
  }
  for (const auto& parameter : fit.summary().parameters) {
    EXPECT_LT(parameter.estimate.rhat, 1.1) << parameter.column;
  }
}

TEST(OrdinalFits, HaveTheOrderAskedFor) {
  Table table = made(300, 1, 3);
  table.response.labels = {"high", "low", "mid"};  // as read: in sort order
  const double codes[] = {1, 2, 0};
  for (double& y : table.response.values) {
    y = codes[static_cast<std::size_t>(y)];
  }
  FitSettings settings = ordinal_settings();
  settings.order = {"low", "mid", "high"};
  const Problem named = prepare(table, settings);
  const Problem plain = prepare(made(300, 1, 3), ordinal_settings());
  EXPECT_EQ(named.classes, settings.order);
  EXPECT_EQ(named.notes[0].in(field_wording()), "ordinal: 3 classes: low < mid < high");
  for (std::size_t n = 0; n < named.data.rows(); ++n) {
    ASSERT_EQ(named.data.response(n), plain.data.response(n));
  }
}

std::string refused(Table table, const FitSettings& settings) {
  try {
    const Fit fit(std::move(table), settings);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(OrdinalFits, SayWhatTheyCannotTake) {
  using ::testing::HasSubstr;
  FitSettings settings = ordinal_settings();
  Table two = made(100, 1, 3);
  for (double& y : two.response.values) {
    y = std::min(y, 1.0);
  }
  EXPECT_THAT(refused(two, settings), HasSubstr("ordinal needs 3 or more: did you mean"));
  Table one = two;
  std::fill(one.response.values.begin(), one.response.values.end(), 1.0);
  EXPECT_THAT(refused(one, settings), HasSubstr("is always 1"));
  Table many = two;
  for (std::size_t n = 0; n < many.rows; ++n) {
    many.response.values[n] = static_cast<double>(n);
  }
  EXPECT_THAT(refused(many, settings), HasSubstr("ordinal takes at most 24"));
  settings.order = {"0", "1"};
  EXPECT_THAT(refused(made(100, 1, 3), settings), HasSubstr("'2' is missing"));
  settings.order = {"0", "1", "2", "3"};
  EXPECT_THAT(refused(made(100, 1, 3), settings), HasSubstr("'3' is no class of the response"));
  settings.order = {"0", "1", "2", "1"};
  EXPECT_THAT(refused(made(100, 1, 3), settings), HasSubstr("'1' is there twice"));
  settings.order.clear();
  settings.prior = {.automatic = false, .kind = PriorKind::kFlat};
  EXPECT_THAT(refused(made(100, 1, 3), settings), HasSubstr("a flat prior with ordinal"));
  settings.prior = {.automatic = false, .kind = PriorKind::kNormal, .scale = 2.0};
  settings.prior_intercept = settings.prior;
  EXPECT_THAT(refused(made(100, 1, 3), settings), HasSubstr("cut points in place of an intercept"));
  settings.prior_intercept.reset();
  settings.prior_aux["cut.1"] = "normal(0, 1)";
  EXPECT_THAT(refused(made(100, 1, 3), settings), HasSubstr("these may have a prior: cut"));
  FitSettings logistic;
  logistic.order = {"0", "1"};
  EXPECT_THAT(refused(two, logistic), HasSubstr("only ordinal takes it"));
}

}  // namespace
}  // namespace flymc
