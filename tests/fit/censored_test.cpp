// Fits of right censored times: they find what the times were made with, by FlyMC as by all rows.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "fit/prepare.hpp"
#include "flymc/fit.hpp"
#include "flymc/random.hpp"

namespace flymc {
namespace {

// Scale e^(0.5 + 0.6 a), shape 1.7 (exponential: 1); two of five are censored.
Table times(const std::string& family, std::size_t rows) {
  Table table;
  table.rows = rows;
  table.columns = {"a"};
  table.response.name = "t";
  Stream stream(31, 0, Purpose::kTest, 0);
  for (std::size_t n = 0; n < rows; ++n) {
    const double a = stream.normal();
    const double odds = stream.uniform();
    const double log_unit =
        family == "log-logistic" ? std::log(odds / (1.0 - odds)) : std::log(stream.exponential());
    const double shape = family == "exponential" ? 1.0 : 1.7;
    const double time = std::exp(0.5 + 0.6 * a + log_unit / shape);
    const double end = 3.0 * stream.exponential();
    table.x.push_back(a);
    table.response.values.push_back(std::min(time, end));
    table.trials.push_back(time > end ? 1.0 : 0.0);
  }
  return table;
}

Summary fitted(const std::string& family, std::size_t rows, EngineKind engine) {
  FitSettings settings;
  settings.family = family;
  settings.engine = engine;
  settings.schedule = {.warmup = 500, .draws = 3000};
  settings.chains = 2;
  Fit fit(times(family, rows), settings);
  fit.run();
  return fit.summary();
}

TEST(CensoredFits, FindWhatTheirDataWereMadeWith) {
  for (const std::string family : {"exponential", "weibull", "log-logistic"}) {
    SCOPED_TRACE(family);
    const Summary summary = fitted(family, 4000, EngineKind::kFly);
    const double truth[] = {0.5, 0.6, 1.7};
    for (std::size_t p = 0; p < (family == "exponential" ? 2U : 3U); ++p) {
      const auto& estimate = summary.parameters[p].estimate;
      EXPECT_NEAR(estimate.mean, truth[p], 4.5 * estimate.sd) << p;
      EXPECT_LT(estimate.rhat, 1.05);
    }
  }
}

TEST(CensoredFits, HaveTheSamePosteriorByFlyMcAsByAllRows) {
  for (const std::string family : {"exponential", "weibull", "log-logistic"}) {
    SCOPED_TRACE(family);
    const Summary fly = fitted(family, 300, EngineKind::kFly);
    const Summary regular = fitted(family, 300, EngineKind::kRegular);
    for (std::size_t p = 0; p < fly.parameters.size(); ++p) {
      const auto& one = fly.parameters[p].estimate;
      const auto& other = regular.parameters[p].estimate;
      EXPECT_NEAR(one.mean, other.mean, 4.5 * std::hypot(one.mcse_mean, other.mcse_mean)) << p;
      EXPECT_NEAR(one.sd / other.sd, 1.0,
                  4.5 * std::sqrt(1.0 / one.ess_bulk + 1.0 / other.ess_bulk))
          << p;
    }
  }
}

TEST(CensoredFits, MergeOnlyTimesThatAreAlike) {
  Table table = times("weibull", 3);
  table.x.assign(3, 0.5);
  table.x[2] = 1.0;
  table.response.values = {2.0, 2.0, 2.0};
  table.trials = {1.0, 0.0, 1.0};
  FitSettings settings;
  settings.family = "weibull";
  EXPECT_EQ(prepare(table, settings).data.rows(), 3U);
  table.trials[1] = 1.0;
  table.response.values[2] = 3.0;
  table.trials[2] = 0.0;
  EXPECT_EQ(prepare(table, settings).data.rows(), 2U);
}

}  // namespace
}  // namespace flymc
