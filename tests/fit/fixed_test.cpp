// Auxiliary parameters that a number fixes: the family is the same one with that number, and its
// posterior the limit of ever tighter priors.
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

struct Fixing {
  const char* family;
  Settings own;
};

const std::vector<Fixing>& fixings() {
  static const std::vector<Fixing> all = {
      {"normal", {{"sigma", 0.8}}},       {"lognormal", {{"sigma", 0.8}}},
      {"gamma", {{"shape", 1.5}}},        {"weibull", {{"shape", 1.5}}},
      {"log-logistic", {{"shape", 2.5}}}, {"beta", {{"phi", 6.0}}},
      {"beta-binomial", {{"phi", 6.0}}},  {"zip", {{"zi", 0.2}}},
      {"zinb", {{"size", 4.0}}},          {"zinb", {{"size", 4.0}, {"zi", 0.2}}},
      {"hurdle-poisson", {{"zi", 0.4}}}};
  return all;
}

// The predictors of the whole family: the fixed ones in their places, the others 0.3 and 0.7.
std::vector<double> all_predictors(const FamilyType& whole, const Settings& own) {
  std::vector<double> eta{0.3};
  for (const Auxiliary& auxiliary : whole.auxiliaries) {
    const auto value = own.find(auxiliary.name);
    eta.push_back(value == own.end() ? 0.7 : to_predictor(auxiliary.natural, value->second));
  }
  return eta;
}

TEST(FixedAuxiliaries, AreTheFamilyWithThatNumber) {
  for (const Fixing& one : fixings()) {
    SCOPED_TRACE(one.family);
    const FamilyType& type = find_family(one.family);
    const FamilyType& fixed_type = type.with(one.own);
    ASSERT_EQ(fixed_type.auxiliaries.size() + one.own.size(), type.auxiliaries.size());
    EXPECT_EQ(&fixed_type, &type.with(one.own));
    const auto whole = type.make({}, 0);
    const auto fixed = fixed_type.make(one.own, 0);
    EXPECT_EQ(fixed->settings(), one.own);
    const std::vector<double> all = all_predictors(type, one.own);
    std::vector<double> eta{0.3};
    eta.resize(static_cast<std::size_t>(fixed->predictors()), 0.7);
    const double response = type.response == ResponseKind::kShares    ? 0.4
                            : type.response == ResponseKind::kTallies ? Tally{3.0, 7.0}.code()
                                                                      : 3.0;
    EXPECT_EQ(fixed->log_density(eta, response), whole->log_density(all, response));
    std::vector<double> mean = eta;
    std::vector<double> mean_of_all = all;
    fixed->mean(mean);
    whole->mean(mean_of_all);
    EXPECT_EQ(mean[0], mean_of_all[0]);
    EXPECT_EQ(fixed->spread(mean[0], eta, 7.0), whole->spread(mean[0], all, 7.0));
    if (eta.size() == 1) {
      EXPECT_NEAR(fixed->predictor(mean[0]), 0.3, 1e-9);
      EXPECT_NEAR(fixed->spread(mean[0], {}, 7.0), whole->spread(mean[0], all, 7.0), 1e-8);
    }
    Stream one_stream(3, 0, Purpose::kTest, 0);
    Stream other_stream(3, 0, Purpose::kTest, 0);
    std::vector<double> from = eta;
    std::vector<double> from_all = all;
    EXPECT_EQ(fixed->sample(one_stream, from, {.trials = 7.0}),
              whole->sample(other_stream, from_all, {.trials = 7.0}));
  }
}

TEST(FixedAuxiliaries, HaveThePosteriorOfAPriorThatLeavesNoChoice) {
  for (const Fixing& one : fixings()) {
    if (one.own.size() > 1 || std::string(one.family) == "zinb") {
      continue;
    }
    SCOPED_TRACE(one.family);
    SimulateOptions made;
    made.family = one.family;
    made.rows = 400;
    made.columns = 1;
    made.seed = 4;
    FitSettings settings;
    settings.family = one.family;
    settings.schedule = {.warmup = 500, .draws = 3000};
    settings.chains = 2;
    const auto& [name, value] = *one.own.begin();
    const bool share = name == "zi";
    FitSettings tight = settings;
    tight.prior_aux[name] =
        "normal(" + std::to_string(share ? std::log(value / (1.0 - value)) : std::log(value)) +
        ", 0.0001)";
    settings.own = one.own;
    Table table = simulate(made);
    if (are_of_trials(find_family(one.family).response)) {
      table.trials.assign(table.rows, static_cast<double>(made.trials));
    }
    Fit fixed(table, settings);
    Fit pinned(table, tight);
    fixed.run();
    pinned.run();
    ASSERT_EQ(fixed.parameters().size(), 2U);
    for (std::size_t p = 0; p < 2; ++p) {
      const auto a = fixed.summary().parameters[p].estimate;
      const auto b = pinned.summary().parameters[p].estimate;
      EXPECT_NEAR(a.mean, b.mean, 4.5 * std::hypot(a.mcse_mean, b.mcse_mean)) << p;
      EXPECT_NEAR(a.sd / b.sd, 1.0, 4.5 * std::sqrt(1.0 / a.ess_bulk + 1.0 / b.ess_bulk)) << p;
    }
  }
}

}  // namespace
}  // namespace flymc
