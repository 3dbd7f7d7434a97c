// What a posterior may not depend on: where the response is counted from, the unit it is in, and
// the engine that samples it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "family/simulate.hpp"
#include "fit/engine.hpp"
#include "fit/prepare.hpp"
#include "flymc/fit.hpp"

namespace flymc::testing {
namespace {

FitSettings student_t() {
  FitSettings settings;
  settings.family = "student-t";
  settings.own = {{"scale", kChoose}};
  settings.chains = 2;
  settings.schedule = {.warmup = 150, .draws = 150, .thin = 1};
  settings.seed = 3;
  settings.threads = 1;
  return settings;
}

// Few digits: sums with small powers of two are exact.
Table robust_table(std::size_t rows, double nu = 4.0) {
  Table table = simulate({.family = "student-t", .rows = rows, .columns = 3, .own = {{"nu", nu}}});
  for (double& y : table.response.values) {
    y = std::round(y * 1024.0) / 1024.0;
  }
  table.offset.resize(rows);
  for (std::size_t n = 0; n < rows; ++n) {
    table.offset[n] = static_cast<double>(n % 7) / 8.0 - 0.25;
  }
  return table;
}

Table moved(Table table, double by) {
  for (std::size_t n = 0; n < table.rows; ++n) {
    table.response.values[n] += by;
    table.offset[n] += by;
  }
  return table;
}

Table multiplied(Table table, double by) {
  for (std::size_t n = 0; n < table.rows; ++n) {
    table.response.values[n] *= by;
    table.offset[n] *= by;
  }
  return table;
}

// Sum of absolute differences of two priors' locations and scales, the second's over `unit`.
double distance(const Prior& a, const Prior& b, double unit) {
  double sum = 0.0;
  for (std::size_t j = 0; j < a.terms().size(); ++j) {
    sum += std::abs(a.terms()[j].location - b.terms()[j].location / unit) +
           std::abs(a.terms()[j].scale - b.terms()[j].scale / unit);
  }
  return sum;
}

TEST(Invariance, TheAutomaticPriorIsOfTheResponseLessItsOffset) {
  const Problem plain = prepare(robust_table(300), student_t());
  const Problem far = prepare(moved(robust_table(300), 8192.0), student_t());
  EXPECT_EQ(distance(plain.prior, far.prior, 1.0), 0.0);
  EXPECT_EQ(plain.family->settings().at("scale"), far.family->settings().at("scale"));
  EXPECT_EQ(plain.prior_used.intercept, far.prior_used.intercept);
}

TEST(Invariance, AVaryingOffsetWidensNoPrior) {
  Table table = robust_table(300);
  Table far = table;
  for (std::size_t n = 0; n < table.rows; ++n) {
    const double by = 4096.0 + 512.0 * static_cast<double>(n % 13);
    far.response.values[n] += by;
    far.offset[n] += by;
  }
  EXPECT_EQ(distance(prepare(table, student_t()).prior, prepare(far, student_t()).prior, 1.0), 0.0);
}

TEST(Invariance, AResponseAndItsOffsetMoveTogether) {
  Fit plain(robust_table(300), student_t());
  Fit far(moved(robust_table(300), 8192.0), student_t());
  plain.run();
  far.run();
  const Summary a = plain.summary();
  const Summary b = far.summary();
  for (std::size_t j = 0; j < a.parameters.size(); ++j) {
    const Estimate& one = a.parameters[j].estimate;
    EXPECT_NEAR(one.mean, b.parameters[j].estimate.mean, 5.0 * one.mcse_mean) << j;
    EXPECT_NEAR(one.sd, b.parameters[j].estimate.sd, 0.3 * one.sd) << j;
  }
}

class UnitOfResponse : public ::testing::TestWithParam<double> {};

// The same queries, forecast and draws, for few rows (the regular engine) and for many.
TEST_P(UnitOfResponse, ChangesNothingButTheUnitOfTheDraws) {
  const double unit = GetParam();
  const bool exact = std::exp2(std::round(std::log2(unit))) == unit;
  for (const auto& [rows, anchor] : {std::pair(std::size_t{40}, AnchorSearch::kNewton),
                                     std::pair(std::size_t{3000}, AnchorSearch::kNewton),
                                     std::pair(std::size_t{3000}, AnchorSearch::kSgd)}) {
    SCOPED_TRACE(rows);
    FitSettings settings = student_t();
    settings.anchor = anchor;
    Fit one(robust_table(rows), settings);
    Fit other(multiplied(robust_table(rows), unit), settings);
    one.run();
    other.run();
    const SetupInfo& a = one.result().setup;
    const SetupInfo& b = other.result().setup;
    EXPECT_EQ(a.regular, b.regular);
    EXPECT_EQ(a.passes, b.passes);
    EXPECT_EQ(a.beacons, b.beacons);
    ASSERT_TRUE(a.forecast && b.forecast);
    EXPECT_NEAR(b.forecast->fly.total() / a.forecast->fly.total(), 1.0, exact ? 0.0 : 1e-6);
    EXPECT_NEAR(b.forecast->regular.total() / a.forecast->regular.total(), 1.0, exact ? 0.0 : 1e-6);
    const ChainDraws draws = one.chains().chains[0];
    const ChainDraws others = other.chains().chains[0];
    if (exact) {
      EXPECT_EQ(one.summary().cost.queries_total, other.summary().cost.queries_total);
      for (std::size_t c = 1; c < draws.columns.size(); ++c) {  // but lp__
        const double factor = c < 4 ? 1.0 : unit;
        for (std::size_t i = 0; i < draws.draws(); ++i) {
          const double scaled = factor * draws.values[c][i];
          if (c == 1) {
            ASSERT_NEAR(others.values[c][i], scaled, 1e-9);  // from differences of lp__
          } else {
            ASSERT_EQ(others.values[c][i], scaled) << draws.columns[c] << " of draw " << i;
          }
        }
      }
    } else {
      const Summary means = one.summary();
      const Summary moved = other.summary();
      EXPECT_NEAR(means.cost.queries_total / moved.cost.queries_total, 1.0, 0.1);
      for (std::size_t j = 0; j < means.parameters.size(); ++j) {
        const Estimate& estimate = means.parameters[j].estimate;
        EXPECT_NEAR(estimate.mean, moved.parameters[j].estimate.mean / unit,
                    5.0 * estimate.mcse_mean);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Units, UnitOfResponse,
                         ::testing::Values(0x1p14, 0x1p-14, 0x1p40, 1e4, 1e-4));

// Rows that come several times each, more than an estimate looks at.
Table table_with_equal_rows() {
  Table table = simulate({.family = "student-t", .rows = 30'000, .columns = 2});
  for (std::size_t n = 0; n < table.rows; ++n) {
    const std::size_t from = n % 3 == 0 ? n % 600 : n;
    table.response.values[n] = table.response.values[from];
    std::copy_n(table.x.data() + 2 * from, 2, table.x.data() + 2 * n);
  }
  return table;
}

TEST(Invariance, TheEstimatedScaleIsTheSameForEveryEngine) {
  FitSettings settings = student_t();
  settings.engine = EngineKind::kFly;
  const Problem merged = prepare(table_with_equal_rows(), settings);
  settings.engine = EngineKind::kRegular;
  const Problem plain = prepare(table_with_equal_rows(), settings);
  EXPECT_LT(merged.data.rows(), plain.data.rows());
  EXPECT_EQ(merged.family->settings().at("scale"), plain.family->settings().at("scale"));
  EXPECT_EQ(distance(merged.prior, plain.prior, 1.0), 0.0);
}

// Two camps that agree within and not between: two modes, neither of which is seen from the other.
Table two_camps() {
  Table table;
  table.rows = 40;
  table.columns = {"x"};
  table.response.name = "y";
  for (std::size_t n = 0; n < table.rows; ++n) {
    const double noise = static_cast<double>(n / 2 % 5) / 10.0 - 0.2;
    table.x.push_back(static_cast<double>(n % 7) / 7.0 - 0.4);
    table.response.values.push_back((n % 2 == 0 ? 60.0 : -60.0) + noise);
  }
  return table;
}

TEST(Init, DrawsOfThePriorStartAtTheModesOfTheirOwn) {
  for (const EngineKind engine : {EngineKind::kFly, EngineKind::kRegular}) {
    FitSettings settings = student_t();
    settings.own = {{"nu", 1.0}, {"scale", 0.2}};
    settings.engine = engine;
    settings.init = InitKind::kPrior;
    settings.chains = 8;
    settings.schedule = {.warmup = 50, .draws = 1, .thin = 1};
    Fit fit(two_camps(), settings);
    fit.run();
    int above = 0;
    int below = 0;
    const RunChains run = fit.chains();
    for (const ChainDraws& chain : run.chains) {
      const double intercept = chain.column("alpha")[0];
      above += intercept > 30.0 ? 1 : 0;
      below += intercept < -30.0 ? 1 : 0;
    }
    EXPECT_GT(above, 0);
    EXPECT_GT(below, 0);
    EXPECT_EQ(above + below, 8);
  }
}

}  // namespace
}  // namespace flymc::testing
