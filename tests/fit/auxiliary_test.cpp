// Families with auxiliary parameters: densities, moments and samplers belong together, and a fit
// finds what its data were made with, by FlyMC as by all rows.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "family/simulate.hpp"
#include "fit/prepare.hpp"
#include "flymc/family/family.hpp"
#include "flymc/fit.hpp"

namespace flymc {
namespace {

struct FamilyCase {
  const char* word;
  std::vector<double> eta;
  Settings own{};
  bool has_mean = true;     // else `mean` is a place of another kind
  std::size_t rows = 4000;  // of which what they were made with can be told
};

std::shared_ptr<const Family> family_of(const FamilyCase& one) {
  return find_family(one.word).with(one.own).make(one.own, 2);
}

const std::vector<FamilyCase>& cases() {
  static const std::vector<FamilyCase> all = {
      {"normal", {1.3, 0.4}},
      {"student-t", {0.7, -0.3}, {{"nu", 5.0}, {"scale", kInfer}}, false},
      {"negative-binomial", {1.1, 0.6}},
      {"lognormal", {0.3, -0.9}},
      {"gamma", {0.8, 0.7}},
      {"exponential", {0.4}},
      {"weibull", {0.2, 0.5}},
      {"log-logistic", {0.5, 1.2}, {}, false},
      {"beta", {0.6, 1.9}},
      {"beta-binomial", {0.6, 1.1}},
      {"zip", {0.9, -0.7}},
      {"zinb", {0.9, 0.8, -0.7}, {}, true, 20'000},
      {"hurdle-poisson", {0.4, -0.5}},
  };
  return all;
}

// What `simulate` is told: nothing is inferred there.
Settings simulated(const FamilyCase& one) {
  Settings own = one.own;
  std::erase_if(own, [](const auto& setting) { return std::isnan(setting.second); });
  return own;
}

constexpr std::size_t kTrials = 10;

// With the trials of its rows, where these have any.
Table table_with_trials(SimulateOptions made) {
  made.trials = kTrials;
  Table table = simulate(made);
  if (are_of_trials(find_family(made.family).response)) {
    table.trials.assign(table.rows, static_cast<double>(kTrials));
  }
  return table;
}

// sum or integral of f(y) p(y) over the responses; of successes, y is their share.
template <class F>
double expectation(const Family& family, std::span<const double> eta, const F& f) {
  const auto term = [&](double y) { return f(y) * std::exp(family.log_density(eta, y)); };
  double sum = 0.0;
  switch (family.type().response) {
    case ResponseKind::kTallies:
      for (double successes = 0.0; successes <= kTrials; successes += 1.0) {
        const Tally tally{successes, kTrials};
        sum += f(tally.share()) * std::exp(family.log_density(eta, tally.code()));
      }
      return sum;
    case ResponseKind::kCounts:
      for (int y = 0; y < 2000; ++y) {
        sum += term(y);
      }
      return sum;
    case ResponseKind::kNumbers: {  // y = sinh t, a trapezoid sum of a smooth and decaying function
      constexpr double kStep = 1e-3;
      for (double t = -30.0; t < 30.0; t += kStep) {
        sum += kStep * std::cosh(t) * term(std::sinh(t));
      }
      return sum;
    }
    case ResponseKind::kShares: {
      constexpr double kStep = 1e-3;
      for (double t = -40.0; t < 40.0; t += kStep) {
        const double y = 1.0 / (1.0 + std::exp(-t));
        sum += y < 1.0 ? kStep * y * (1.0 - y) * term(y) : 0.0;
      }
      return sum;
    }
    default: {  // y = e^t
      constexpr double kStep = 1e-3;
      for (double t = -60.0; t < 30.0; t += kStep) {
        sum += kStep * std::exp(t) * term(std::exp(t));
      }
      return sum;
    }
  }
}

TEST(AuxiliaryFamilies, HaveDensitiesThatAddUpToOneWithTheirMeanAndSpread) {
  for (const FamilyCase& one : cases()) {
    SCOPED_TRACE(one.word);
    const auto family = family_of(one);
    ASSERT_EQ(static_cast<std::size_t>(family->predictors()), one.eta.size());
    EXPECT_NEAR(expectation(*family, one.eta, [](double) { return 1.0; }), 1.0, 1e-8);
    if (!one.has_mean) {
      continue;
    }
    std::vector<double> at = one.eta;
    family->mean(at);
    const double mean = at[0];
    EXPECT_NEAR(expectation(*family, one.eta, [](double y) { return y; }), mean, 1e-6 * mean);
    const double variance =
        expectation(*family, one.eta, [&](double y) { return (y - mean) * (y - mean); });
    EXPECT_NEAR(std::sqrt(variance), family->spread(mean, one.eta, kTrials),
                1e-5 * std::sqrt(variance));
  }
}

// E F(y) of a bounded function, by draws and by the density.
TEST(AuxiliaryFamilies, AreSampledFromTheirDensities) {
  constexpr int kDraws = 40'000;
  for (const FamilyCase& one : cases()) {
    SCOPED_TRACE(one.word);
    const auto family = family_of(one);
    const double unit = are_of_trials(family->type().response) ? 1.0 / kTrials : 1.0;
    for (const double place : {0.5, 1.0, 2.5}) {
      const auto bounded = [&](double y) { return std::tanh(y - place); };
      const double expected = expectation(*family, one.eta, bounded);
      const double square =
          expectation(*family, one.eta, [&](double y) { return bounded(y) * bounded(y); });
      Stream stream(5, 0, Purpose::kTest, 0);
      double sum = 0.0;
      for (int i = 0; i < kDraws; ++i) {
        std::vector<double> eta = one.eta;
        sum += bounded(unit * family->sample(stream, eta, {.trials = kTrials}));
      }
      const double error = std::sqrt(std::max(0.0, square - expected * expected) / kDraws);
      EXPECT_NEAR(sum / kDraws, expected, 4.5 * error) << "place " << place;
    }
  }
}

TEST(AuxiliaryFamilies, FindWhatTheirDataWereMadeWith) {
  for (const FamilyCase& one : cases()) {
    SCOPED_TRACE(one.word);
    SimulateOptions made;
    made.family = one.word;
    made.rows = one.rows;
    made.columns = 2;
    made.own = simulated(one);
    made.seed = 3;
    const Simulator simulator(made);
    FitSettings settings;
    settings.family = one.word;
    settings.own = one.own;
    settings.schedule = {.warmup = 200, .draws = 300};
    settings.chains = 2;
    Fit fit(table_with_trials(made), settings);
    fit.run();
    const Summary summary = fit.summary();
    const auto& parameters = fit.parameters();
    const auto estimate = [&](std::size_t p) { return summary.parameters[p].estimate; };
    EXPECT_NEAR(estimate(0).mean, simulator.truth().alpha[0], 5.0 * estimate(0).sd);
    for (std::size_t j = 0; j < 2; ++j) {
      EXPECT_NEAR(estimate(1 + j).mean, simulator.truth().beta(static_cast<Index>(j), 0),
                  5.0 * estimate(1 + j).sd);
    }
    const auto auxiliaries = fit.problem().family->type().auxiliaries;
    ASSERT_EQ(parameters.size(), 3 + auxiliaries.size());
    for (std::size_t a = 0; a < auxiliaries.size(); ++a) {
      EXPECT_EQ(parameters[3 + a].column, auxiliaries[a].name);
      // `simulate` makes the negative binomial and Student-t with what the fixed family takes
      EXPECT_NEAR(estimate(3 + a).mean, auxiliaries[a].usual, 5.0 * estimate(3 + a).sd);
    }
    EXPECT_LT(summary.parameters.back().estimate.rhat, 1.05);
  }
}

TEST(AuxiliaryFamilies, HaveTheSamePosteriorByFlyMcAsByAllRows) {
  for (const FamilyCase& one : cases()) {
    if (one.rows > 4000) {
      continue;  // of few rows, size and inflation can hardly be told apart: all mixing is slow
    }
    SCOPED_TRACE(one.word);
    SimulateOptions made;
    made.family = one.word;
    made.rows = 400;
    made.columns = 1;
    made.own = simulated(one);
    made.seed = 4;
    std::vector<Summary> both;
    for (const EngineKind engine : {EngineKind::kFly, EngineKind::kRegular}) {
      FitSettings settings;
      settings.family = one.word;
      settings.own = one.own;
      settings.engine = engine;
      settings.schedule = {.warmup = 300, .draws = 1000};
      settings.chains = 2;
      Fit fit(table_with_trials(made), settings);
      fit.run();
      both.push_back(fit.summary());
    }
    for (std::size_t p = 0; p < both[0].parameters.size(); ++p) {
      const auto& fly = both[0].parameters[p].estimate;
      const auto& regular = both[1].parameters[p].estimate;
      EXPECT_NEAR(fly.mean, regular.mean, 4.5 * std::hypot(fly.mcse_mean, regular.mcse_mean))
          << "parameter " << p;
      EXPECT_NEAR(fly.sd / regular.sd, 1.0,
                  4.5 * std::sqrt(1.0 / fly.ess_bulk + 1.0 / regular.ess_bulk))
          << "parameter " << p;
    }
  }
}

}  // namespace
}  // namespace flymc
