// A normal response whose sigma all rows share is sampled by sums over the rows, wherever that is
// possible: which fits that are, and that their posterior is the one that bounds give.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <string>
#include <vector>

#include "family/simulate.hpp"
#include "fit/linear_setup.hpp"
#include "flymc/fit.hpp"

namespace flymc {
namespace {

Table numbers(const std::string& family = "normal", std::size_t rows = 600) {
  return simulate({.family = family, .rows = rows, .columns = 3, .predictor_sd = 0.7, .seed = 17});
}

FitSettings settings_of(const std::string& family = "normal", std::uint64_t draws = 1000) {
  FitSettings settings;
  settings.family = family;
  settings.chains = 2;
  settings.schedule = {.warmup = 200, .draws = draws, .thin = 1};
  return settings;
}

bool is_by_sums(const FitSettings& settings, Table table = numbers()) {
  return is_linear(prepare(std::move(table), settings), settings);
}

TEST(LinearFit, IsWhereOneSigmaAndNormalPriorsAre) {
  EXPECT_TRUE(is_by_sums(settings_of()));
  EXPECT_TRUE(is_by_sums(settings_of("lognormal"), numbers("lognormal")));
  FitSettings known = settings_of();
  known.own = {{"sigma", 1.0}};
  EXPECT_TRUE(is_by_sums(known));
  FitSettings flat = settings_of();
  flat.prior = {.automatic = false, .kind = PriorKind::kFlat};
  EXPECT_TRUE(is_by_sums(flat));
  FitSettings through_zero = settings_of();
  through_zero.intercept = false;
  EXPECT_TRUE(is_by_sums(through_zero));
  FitSettings regular = settings_of();
  regular.engine = EngineKind::kRegular;
  EXPECT_TRUE(is_by_sums(regular));

  FitSettings laplace = settings_of();
  laplace.prior = {.automatic = false, .kind = PriorKind::kLaplace};
  EXPECT_FALSE(is_by_sums(laplace));
  FitSettings varying = settings_of();
  varying.columns = {{"sigma", {{"x1"}, true, {}}}};
  EXPECT_FALSE(is_by_sums(varying));
  FitSettings offset = settings_of();
  offset.columns = {{"", {{"x1", "x2"}}}, {"sigma", {{}, true, {"x3"}}}};
  EXPECT_FALSE(is_by_sums(offset));
  FitSettings kernel = settings_of();
  kernel.kernel = KernelKind::kHmc;
  EXPECT_FALSE(is_by_sums(kernel));
  FitSettings start = settings_of();
  start.init = InitKind::kMap;
  EXPECT_FALSE(is_by_sums(start));
  EXPECT_FALSE(is_by_sums(settings_of("gamma"), numbers("gamma")));
}

const Estimate& estimate(const Summary& summary, std::size_t parameter) {
  return summary.parameters[parameter].estimate;
}

// As wide as Monte Carlo errors of both: of means their own, of standard deviations sd/sqrt(2 ESS).
void expect_same_posterior(const Summary& one, const Summary& other) {
  ASSERT_EQ(one.parameters.size(), other.parameters.size());
  for (std::size_t j = 0; j < one.parameters.size(); ++j) {
    SCOPED_TRACE(one.parameters[j].column);
    const Estimate& a = estimate(one, j);
    const Estimate& b = estimate(other, j);
    EXPECT_NEAR(a.mean, b.mean, 4.5 * std::hypot(a.mcse_mean, b.mcse_mean));
    EXPECT_NEAR(a.sd, b.sd, 4.5 * a.sd * std::sqrt(0.5 / a.ess_bulk + 0.5 / b.ess_bulk));
  }
}

void expect_as_with_bounds(Table table, FitSettings settings) {
  Fit by_sums(table, settings);
  by_sums.run();
  EXPECT_EQ(by_sums.result().setup.passes, 2);
  EXPECT_EQ(by_sums.summary().cost.queries_total, 0.0);
  EXPECT_GT(by_sums.summary().log_density.estimate.ess_bulk,
            0.8 * static_cast<double>(settings.chains * settings.schedule.draws));
  settings.init = InitKind::kMap;
  Fit by_bounds(std::move(table), settings);
  by_bounds.run();
  EXPECT_FALSE(is_linear(by_bounds.problem(), settings));
  expect_same_posterior(by_sums.summary(), by_bounds.summary());
}

TEST(LinearFit, HasThePosteriorThatBoundsHave) {
  Table weighted = numbers();
  for (std::size_t n = 0; n < weighted.rows; ++n) {
    weighted.weights.push_back(0.5 + 0.5 * static_cast<double>(n % 4));
    weighted.offset.push_back(0.01 * static_cast<double>(n % 100));
  }
  expect_as_with_bounds(weighted, settings_of("normal", 4000));
  FitSettings law = settings_of("normal", 4000);
  law.prior_aux = {{"sigma", "inv_gamma(40, 60)"}};
  law.prior = {.automatic = false, .kind = PriorKind::kNormal, .scale = 0.1};
  expect_as_with_bounds(numbers("normal", 60), law);
  FitSettings through_zero = settings_of("normal", 4000);
  through_zero.intercept = false;
  expect_as_with_bounds(weighted, through_zero);
  expect_as_with_bounds(numbers("lognormal"), settings_of("lognormal", 4000));
  FitSettings known = settings_of("normal", 4000);
  known.own = {{"sigma", 1.3}};
  expect_as_with_bounds(weighted, known);
}

std::vector<std::vector<double>> all_draws(const Fit& fit) {
  std::vector<std::vector<double>> all;
  for (const ChainDraws& chain : fit.chains().chains) {
    all.insert(all.end(), chain.values.begin(), chain.values.end());
  }
  return all;
}

TEST(LinearFit, GoesOnBitForBitWithAnyNumberOfThreads) {
  FitSettings settings = settings_of("normal", 300);
  settings.threads = 1;
  Fit whole(numbers("normal", 5000), settings);
  whole.run();
  settings.threads = 4;
  Fit parts(numbers("normal", 5000), settings);
  for (const std::uint64_t draws : {100, 101, 300}) {
    std::atomic<bool> stop{false};
    parts.advance(draws, stop);
  }
  EXPECT_EQ(all_draws(parts), all_draws(whole));
}

// The one engine is both; equal rows, which only one of them merges, are one with a weight.
TEST(LinearFit, IsTheSameAsRegularAndWithMergedRows) {
  Table table = numbers("normal", 500);
  for (std::size_t n = 0; n < 500; ++n) {
    for (std::size_t j = 0; j < 3; ++j) {
      table.x.push_back(table.x[3 * n + j]);
    }
    table.response.values.push_back(table.response.values[n]);
  }
  table.rows = 1000;
  FitSettings settings = settings_of("normal", 100);
  Fit merged(table, settings);
  merged.run();
  ASSERT_EQ(merged.problem().data.rows(), 500U);
  EXPECT_FALSE(merged.result().setup.regular);
  settings.engine = EngineKind::kRegular;
  Fit regular(table, settings);
  regular.run();
  EXPECT_TRUE(regular.result().setup.regular);
  const auto one = all_draws(merged);
  const auto other = all_draws(regular);
  for (std::size_t column = 0; column < one.size(); ++column) {
    for (std::size_t i = 0; i < one[column].size(); ++i) {
      ASSERT_NEAR(one[column][i], other[column][i], 1e-9 * (1.0 + std::abs(one[column][i])));
    }
  }
}

}  // namespace
}  // namespace flymc
