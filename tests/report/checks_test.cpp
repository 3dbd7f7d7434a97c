#include "report/checks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "report/made_up_summary.hpp"

namespace flymc {
namespace {

std::string step(const Summary& summary) { return next_step(summary).in(field_wording()); }

TEST(Checks, PassWhenEveryParameterDoes) {
  const Summary summary = made_up_summary();
  EXPECT_TRUE(checks_pass(summary));
  EXPECT_EQ(step(summary), "");
  const auto checks = run_checks(summary);
  ASSERT_EQ(checks.size(), 3U);
  EXPECT_EQ(checks[0].claim, "R-hat < 1.01");
  EXPECT_EQ(checks[0].worst, "1.0030");
  EXPECT_EQ(checks[0].worst_column, "beta.1");
}

TEST(Checks, FailAtTheLimitItself) {
  Summary summary = made_up_summary();
  summary.parameters[0].estimate.rhat = 1.01;
  EXPECT_FALSE(checks_pass(summary));
  summary = made_up_summary();
  summary.parameters[0].estimate.ess_bulk = 400.0;
  EXPECT_FALSE(checks_pass(summary));
  summary = made_up_summary();
  summary.parameters[0].estimate.mcse_mean = 0.05;
  summary.parameters[0].estimate.sd = 1.0;
  EXPECT_FALSE(checks_pass(summary));
}

TEST(Checks, FailOnWhatIsUndefined) {
  Summary summary = made_up_summary();
  summary.parameters[1].estimate.rhat = std::nan("");
  const Check check = run_checks(summary)[0];
  EXPECT_EQ(check.failures, 1U);
  EXPECT_EQ(check.worst, "undefined");
  EXPECT_EQ(check.worst_column, "beta.1");
  EXPECT_EQ(step(summary), "draw more; repeat the fit with draws = 2000, overwrite = true");
}

TEST(Checks, AreAboutParametersNotTheLogDensity) {
  Summary summary = made_up_summary();
  summary.log_density.estimate.rhat = 2.0;
  EXPECT_TRUE(checks_pass(summary));
}

TEST(Checks, AskForTheDrawsThatShouldBeEnough) {
  Summary summary = made_up_summary();
  summary.parameters[0].estimate.ess_bulk = 100.0;  // 400/100 * 1.2 = 4.8 times 1000
  EXPECT_EQ(step(summary), "draw more; repeat the fit with draws = 4800, overwrite = true");
  summary.parameters[0].estimate.mcse_mean = 0.15;  // (15 %/5 %)^2 * 1.2 = 10.8 times 1000
  summary.parameters[0].estimate.sd = 1.0;
  EXPECT_EQ(step(summary), "draw more; repeat the fit with draws = 11000, overwrite = true");
}

TEST(Checks, AskForAWarmUpWhenChainsDisagree) {
  Summary summary = made_up_summary();
  summary.parameters[0].estimate.rhat = 1.7;
  EXPECT_EQ(
      step(summary),
      "the chains disagree; repeat the fit with a longer warm-up: warmup = 2000, overwrite = true");
}

// Where the vectors of all classes lie together only the prior says, and chains may take long over
// it: what is reported are differences.
TEST(Checks, AreOfTheDifferencesOfClassesWhereThereAreSome) {
  Summary summary = made_up_summary();
  summary.class_estimates = {summary.parameters[1]};
  summary.parameters[0].estimate.rhat = 1.7;
  EXPECT_TRUE(checks_pass(summary));
  summary.class_estimates[0].column = "beta.2.1 - beta.1.1";
  summary.class_estimates[0].estimate.ess_bulk = 100.0;
  EXPECT_FALSE(checks_pass(summary));
  EXPECT_EQ(run_checks(summary)[1].worst_column, "beta.2.1 - beta.1.1");
  EXPECT_EQ(step(summary), "draw more; repeat the fit with draws = 4800, overwrite = true");
}

TEST(Checks, AskToFinishARunFirst) {
  Summary summary = made_up_summary();
  summary.status = "interrupted";
  summary.parameters[0].estimate.rhat = 1.7;
  EXPECT_EQ(step(summary), "the run did not finish; go on with resume = run/");
}

TEST(Checks, NameAParameterThatNeverMoves) {
  Summary summary = made_up_summary();
  summary.parameters[1].estimate.sd = 0.0;
  summary.parameters[1].estimate.mcse_mean = std::nan("");
  EXPECT_EQ(step(summary), "beta.1 never moves; look at its column, or try another kernel");
}

}  // namespace
}  // namespace flymc
