// The log density of all rows at many theta is what the engine has at each, and its constants; with
// weights, offsets, trials, standardised columns and columns of an auxiliary parameter's own.
#include "compare/row_density.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "family/simulate.hpp"
#include "fit/log_posterior.hpp"
#include "fit/prepare.hpp"
#include "fit/theta_draws.hpp"
#include "flymc/fit.hpp"
#include "flymc/random.hpp"

namespace flymc {
namespace {

struct RowCase {
  const char* family;
  bool own_columns = false;  // sigma ~ x2 + offset(x3)
};

class RowDensity : public ::testing::TestWithParam<RowCase> {
 protected:
  RowDensity() {
    table_ = simulate({.family = GetParam().family,
                       .rows = 300,
                       .columns = 3,
                       .predictor_sd = 0.6,
                       .classes = 3,
                       .trials = 6,
                       .seed = 11});
    if (are_of_trials(find_family(GetParam().family).response)) {
      table_.trials.assign(table_.rows, 6.0);
    }
    Stream stream(3, 0, Purpose::kTest, 0);
    for (std::size_t n = 0; n < table_.rows; ++n) {
      table_.weights.push_back(0.5 + stream.uniform());
      table_.offset.push_back(0.3 * stream.normal());
    }
    if (std::string(GetParam().family) == "softmax") {
      table_.offset.clear();  // it would change nothing
    }
    for (std::size_t i = 0; i < table_.rows * 3; ++i) {
      table_.x.data()[i] = 5.0 + 3.0 * table_.x.data()[i];
    }
    settings_.family = GetParam().family;
    settings_.engine = EngineKind::kRegular;
    settings_.chains = 2;
    settings_.schedule = {.warmup = 100, .draws = 20, .thin = 1};
    if (GetParam().own_columns) {
      settings_.columns = {{"", {.columns = {"x1", "x2"}, .intercept = true}},
                           {"sigma", {.columns = {"x2"}, .intercept = true, .offsets = {"x3"}}}};
      for (std::size_t n = 0; n < table_.rows; ++n) {
        table_.x[3 * n + 2] *= 0.1;
      }
    }
  }

  Table table_;
  FitSettings settings_;
};

TEST_P(RowDensity, IsThatOfTheEngineAndTheConstants) {
  Fit fit(table_, settings_);
  fit.run();
  const Problem& problem = fit.problem();
  const ThetaDraws draws = theta_draws(problem, fit.chains());
  ASSERT_EQ(draws.draws(), 40U);
  const Vector all = log_likelihoods(problem, draws.theta, 2);
  const std::vector<double> lp = gather(fit.chains(), "lp__");
  double off = 0.0;
  for (std::size_t s = 0; s < draws.draws(); ++s) {
    const Vector theta = draws.theta.col(static_cast<Index>(s));
    const double posterior = log_posterior(problem, theta);
    const double rounding = 1e-12 * std::abs(posterior) * 300.0;
    EXPECT_NEAR(
        all[static_cast<Index>(s)] + problem.prior.log_density(theta) - log_constants(problem),
        posterior, rounding);
    // The draw is the one that the engine made: its lp__ is this, but for one constant.
    off = s == 0 ? lp[s] - posterior : off;
    EXPECT_NEAR(lp[s] - posterior, off, rounding) << s;
  }
}

// Against differences of the whole sum along random directions.
TEST_P(RowDensity, InformationIsTheCurvatureOfTheSum) {
  Fit fit(table_, settings_);
  fit.run();
  const Problem& problem = fit.problem();
  Matrix draws = theta_draws(problem, fit.chains()).theta;
  const Vector mean = draws.rowwise().mean();
  draws = (draws.colwise() - mean) * 0.02;  // so near that fourth derivatives do not count
  draws.colwise() += mean;
  const Matrix found = information(problem, draws);
  EXPECT_TRUE(found.isApprox(found.transpose(), 1e-12));
  Stream stream(5, 0, Purpose::kTest, 0);
  for (int trial = 0; trial < 5; ++trial) {
    Vector direction(mean.size());
    for (double& value : direction) {
      value = stream.normal();
    }
    direction /= std::sqrt(std::abs(direction.dot(found * direction)));
    constexpr double kStep = 0.02;
    Matrix three(mean.size(), 3);
    three << mean + kStep * direction, mean, mean - kStep * direction;
    const Vector sum = log_likelihoods(problem, three, 1);
    const double known = -(sum[0] - 2.0 * sum[1] + sum[2]) / (kStep * kStep);
    EXPECT_NEAR(direction.dot(found * direction), known, 0.01) << trial;
  }
}

INSTANTIATE_TEST_SUITE_P(Family, RowDensity,
                         ::testing::Values(RowCase{"logistic"}, RowCase{"softmax"},
                                           RowCase{"poisson"}, RowCase{"binomial"},
                                           RowCase{"student-t"}, RowCase{"normal", true},
                                           RowCase{"zinb"}, RowCase{"beta-binomial"}),
                         [](const auto& one) {
                           std::string name = one.param.family;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace flymc
