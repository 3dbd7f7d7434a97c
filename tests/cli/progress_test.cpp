// What is shown while chains run: right numbers, lines that fit, and no effect on a draw.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "cli/cli.hpp"
#include "cli/cli_data.hpp"
#include "report/progress_text.hpp"

namespace flymc::cli {
namespace {

using ::testing::SizeIs;

// Two chains of 1,000 + 4,000 iterations; one resumed at draw 500 and half done, one in warm-up.
ProgressView half_way() {
  ProgressView view;
  view.draws = 2000;
  view.warmup = 1000;
  view.thin = 2;
  view.elapsed_s = 2.0;
  view.worst_rhat = 1.0123;
  view.chains = {{.draws = 1000,
                  .new_draws = 500,
                  .warmup = 0,
                  .bright = 12345,
                  .queries = 1.375,
                  .accept_prob = 0.912},
                 {.warmup = 250}};
  return view;
}

TEST(ProgressText, SharesAndTimesCountIterations) {
  const ProgressView view = half_way();
  EXPECT_DOUBLE_EQ(view.share(), (1000.0 + 2000.0 + 250.0) / 10'000.0);
  // 1,250 iterations in 2 s here; 6,750 to go.
  EXPECT_DOUBLE_EQ(view.left_s(), 2.0 * 6750.0 / 1250.0);
  ProgressView fresh = view;
  fresh.chains.assign(2, {});
  EXPECT_EQ(fresh.share(), 0.0);
  EXPECT_TRUE(std::isnan(fresh.left_s()));
}

TEST(ProgressText, LinesOfChainsFitATerminal) {
  ProgressView view = half_way();
  view.draws = 1'000'000;
  view.chains[0].draws = 999'999;
  view.chains[0].new_draws = 999'999;
  const auto lines = chain_lines(view);
  ASSERT_THAT(lines, SizeIs(3));
  for (const std::string& line : lines) {
    EXPECT_LE(line.size(), 80U) << line;
  }
  EXPECT_EQ(lines[0],
            "chain 1  999,999 draws, 499,999/s, 12,345 bright, 1.38 queries/draw, accept 0.91");
  EXPECT_EQ(lines[1], "chain 2  warm-up, 250 of 1,000 iterations");
  view.chains.assign(30, {});
  EXPECT_THAT(chain_lines(view), SizeIs(10));
}

TEST(ProgressText, PlainLineSumsTheChains) {
  EXPECT_EQ(plain_line(half_way()),
            "sampling  32 %  1,000 draws, 250/s, 12,345 bright, 1.38 queries/draw, accept 0.91, "
            "worst R-hat 1.012, 11s left");
  ProgressView warm = half_way();
  warm.worst_rhat = std::numeric_limits<double>::quiet_NaN();
  warm.chains.assign(2, {.warmup = 100});
  EXPECT_EQ(plain_line(warm), "warm-up   2 %  200 iterations, 1m 38s left");
}

TEST(ProgressText, JsonHoldsEveryNumber) {
  ProgressView view = half_way();
  view.worst_rhat = std::numeric_limits<double>::quiet_NaN();
  const auto json = nlohmann::json::parse(progress_json(view));
  EXPECT_TRUE(json["worst_rhat"].is_null());
  EXPECT_EQ(json["chains"][0]["draws"], 1000);
  EXPECT_EQ(json["chains"][0]["draws_per_s"], 250);
  EXPECT_EQ(json["chains"][1]["warmup"], 250);
}

class ProgressCli : public flymc::testing::Cli {};

TEST_F(ProgressCli, JsonIsAnObjectALineAndChangesNoDraw) {
  write("a.csv", flymc::testing::binary_csv());
  const auto fitted = fit("a.csv", {"--response", "y", "--progress", "none"});
  ASSERT_EQ(fitted.code, 0);
  const std::string chain = bytes("out/chain-1.csv");
  const auto told = fit("a.csv", {"--response", "y", "--progress", "json", "--overwrite"});
  ASSERT_EQ(told.code, 0);
  EXPECT_TRUE(bytes("out/chain-1.csv") == chain);
  nlohmann::json last;
  for (const std::string& line : flymc::testing::lines_of(told.err)) {
    last = nlohmann::json::parse(line);
    EXPECT_TRUE(last.contains("message") || last.contains("chains")) << line;
  }
  EXPECT_EQ(last["share"], 1.0);
  EXPECT_EQ(last["chains"][1]["draws"], 100);
  EXPECT_THAT(fit("a.csv", {"--response", "y", "--quiet", "--overwrite"}).err, "");
}

}  // namespace
}  // namespace flymc::cli
