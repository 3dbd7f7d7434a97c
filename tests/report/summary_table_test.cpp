#include <gtest/gtest.h>

#include <cmath>

#include "flymc/diagnose/summary.hpp"
#include "report/made_up_summary.hpp"
#include "report/summary_text.hpp"

namespace flymc {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(SummaryTable, ReadsLikeThis) {
  // The table proper is cut in two to fit the page.
  const std::string left[] = {
      "column  label           mean      sd  mcse_mean       q5      q50     q95",
      "alpha   (intercept)   1.203   0.256     0.0041    0.781    1.200   1.625 ",
      "beta.1  age          -0.0512  0.0314    0.00062  -0.1029  -0.0513  0.0002",
      "lp__    log density                                                      "};
  const std::string right[] = {
      "  ess_bulk  ess_tail  ess_coda   rhat\n", "     3,902     3,100     4,012  1.000\n",
      "     2,565     2,800     2,600  1.003\n", "     1,260     2,800     2,600  1.003\n"};
  std::string expected =
      "logistic regression, n = 1,000,000, d = 2: 4 chains of 1,000 draws, exact, engine fly\n\n";
  for (std::size_t row = 0; row < 4; ++row) {
    expected += left[row] + right[row];
  }
  expected += R"(
bright points  mean 1,834, max 1,982; 0.183 % of N
queries        1,575 per iteration; regular MCMC would pay 10,000,000, 6,349 times as many
ESS            158 per second, 200 per 10^6 queries (smallest bulk ESS: 1,260, of lp__)
time           sampling 8 s, set-up 3.21 s (14 passes over the data)
checks         all passed: R-hat < 1.01 (worst 1.0030), )"
              "bulk ESS > 400 (worst 2,565), MCSE < 5 % of sd (worst 1.97 %)\n";
  EXPECT_EQ(to_table(made_up_summary(), field_wording()), expected);
}

TEST(SummaryTable, CountsOnePass) {
  Summary summary = made_up_summary();
  summary.cost.passes_setup = 1.0;
  EXPECT_TRUE(contains(to_table(summary, field_wording()), "(1 pass over the data)\n"));
  summary.cost.passes_setup = std::nan("");
  EXPECT_TRUE(contains(to_table(summary, field_wording()), "(unknown passes over the data)\n"));
}

TEST(SummaryTable, SaysWhatFailedAndWhatToDo) {
  Summary summary = made_up_summary();
  summary.parameters[1].estimate.ess_bulk = 134.2;
  const std::string table = to_table(summary, field_wording());
  EXPECT_TRUE(
      contains(table,
               "\nchecks         FAILED: bulk ESS > 400 (1 of 2 fail; beta.1 has 134); "
               "passed: R-hat < 1.01 (worst 1.0030), MCSE < 5 % of sd (worst 1.97 %)\n"
               "next step      draw more; repeat the fit with draws = 3600, overwrite = true\n"))
      << table;
}

TEST(SummaryTable, ShowsTwentyParametersUnlessAskedForAll) {
  Summary summary = made_up_summary();
  while (summary.parameters.size() < 23) {
    summary.parameters.push_back(summary.parameters.back());
    summary.parameters.back().column = "beta." + std::to_string(summary.parameters.size() - 1);
  }
  const std::string some = to_table(summary, field_wording());
  EXPECT_TRUE(contains(some, "beta.19 "));
  EXPECT_FALSE(contains(some, "beta.20 "));
  EXPECT_TRUE(contains(some, "\n... and 3 more parameters: flymc summary run/ (all)\n"));
  const std::string all = to_table(summary, field_wording(), {.all = true});
  EXPECT_TRUE(contains(all, "beta.22 "));
  EXPECT_FALSE(contains(all, "--all"));
}

// However many columns there are: it is what such a model is fitted for.
TEST(SummaryTable, ShowsHowMuchLevelsDifferFirstAndTheLargestOfThem) {
  Summary summary = made_up_summary();
  const auto add = [&](const std::string& column, double mean) {
    summary.parameters.push_back(summary.parameters[1]);
    summary.parameters.back().column = column;
    summary.parameters.back().estimate.mean = mean;
  };
  for (int j = 2; j < 17; ++j) {
    add("beta." + std::to_string(j), 0.0);
  }
  add("sd.shop", 0.5);
  add("cor.shop.1.2", 0.1);
  for (int level = 0; level < 9; ++level) {
    add("u.shop[" + std::to_string(level) + "]", level == 4 ? -2.0 : 0.1 * level);
  }
  add("u.shop[none]", std::nan(""));
  const std::string all = to_table(summary, field_wording(), {.all = true});
  std::size_t at = 0;
  for (const char* column : {"sd.shop", "cor.shop.1.2", "alpha", "beta.1 ", "beta.16", "u.shop[4]",
                             "u.shop[8]", "u.shop[7]", "u.shop[0]", "u.shop[none]", "lp__"}) {
    const std::size_t found = all.find("\n" + std::string(column));
    ASSERT_NE(found, std::string::npos) << column << "\n" << all;
    EXPECT_GT(found, at) << column;
    at = found;
  }
  const std::string some = to_table(summary, field_wording());
  EXPECT_TRUE(contains(some, "\nu.shop[4] "));
  EXPECT_FALSE(contains(some, "\nu.shop[8] "));
}

TEST(SummaryTable, TellsWhenTheRunIsNotComplete) {
  Summary summary = made_up_summary();
  summary.status = "interrupted";
  summary.notes = {"Chain 3 is left out: it has 0 draws, the longest 10."};
  EXPECT_TRUE(contains(to_table(summary, field_wording()),
                       "\nThis run was interrupted; these are its draws so far.\n"
                       "Chain 3 is left out: it has 0 draws, the longest 10.\n"));
  summary.status = "running";
  EXPECT_TRUE(contains(to_table(summary, field_wording()),
                       "\nThis run is still going, or was killed; these are its draws so far.\n"));
}

TEST(SummaryTable, DoesNotCompareTheRegularEngineWithItself) {
  Summary summary = made_up_summary();
  summary.engine = "regular";
  summary.cost.queries_per_iteration = 1e7;
  const std::string table = to_table(summary, field_wording());
  EXPECT_TRUE(contains(table, "\nbright points  none: the regular engine evaluates every point\n"));
  EXPECT_TRUE(
      contains(table, "\nqueries        10,000,000 per iteration, what regular MCMC pays\n"));
}

TEST(SummaryTable, LetsNoLabelReachTheTerminalRaw) {
  Summary summary = made_up_summary();
  summary.model = "m\x1b[0m";
  summary.parameters[0].column = "a\x07";
  summary.parameters[0].label = "\x1b]0;owned\x07\r\nrm -rf\x9b";
  const std::string table = to_table(summary, field_wording(), {.all = false, .width = 0});
  for (const char c : table) {
    EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20) << static_cast<int>(c);
  }
  EXPECT_TRUE(contains(table, "\\x1b]0;owned\\x07\\r\\nrm -rf\\x9b"));
}

TEST(SummaryTable, PadsAndShortensLabelsByCharacter) {
  Summary summary = made_up_summary();
  summary.parameters[0].label = "température du matin à l'ombre, relevée à la main";
  EXPECT_TRUE(contains(to_table(summary, field_wording(), {.all = false, .width = 80}),
                       "\nalpha   températ…la main   1.203 "));
  EXPECT_TRUE(contains(to_table(summary, field_wording(), {.all = false, .width = 0}),
                       "relevée à la main   1.203 "));
}

TEST(SummaryTable, ShowsDashesForWhatIsUndefined) {
  Summary summary = made_up_summary();
  Estimate& e = summary.parameters[0].estimate;
  e.mean = e.q5 = e.q50 = e.q95 = 2.5;
  e.sd = e.ess_coda = 0.0;
  e.mcse_mean = e.ess_bulk = e.ess_tail = e.rhat = std::nan("");
  summary.cost.seconds_sampling = std::nan("");
  const std::string table = to_table(summary, field_wording());
  EXPECT_TRUE(contains(table, "unknown per second, 200 per 10^6 queries"));
  EXPECT_TRUE(contains(table, "2.500 ")) << table;
}

}  // namespace
}  // namespace flymc
