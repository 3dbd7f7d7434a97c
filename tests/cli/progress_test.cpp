// What is shown while chains run: right numbers, lines that fit, and no effect on a draw.
#include "report/progress.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "cli/cli.hpp"
#include "cli/cli_data.hpp"
#include "core/standard_error.hpp"
#include "report/progress_text.hpp"

namespace flymc::cli {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
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

TEST(ProgressText, SetUpHasNoEndThatIsKnown) {
  EXPECT_EQ(setup_line(2.9), "set-up, 2s so far");
  EXPECT_EQ(setup_line(75.9), "set-up, 1m 15s so far");
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

// Standard error is a terminal for as long as one of these lives; what it shows can be read.
class Terminal {
 public:
  Terminal() : ours_(::posix_openpt(O_RDWR | O_NOCTTY)), before_(::dup(STDERR_FILENO)) {
    EXPECT_EQ(::grantpt(ours_), 0);
    EXPECT_EQ(::unlockpt(ours_), 0);
    const int theirs = ::open(::ptsname(ours_), O_RDWR | O_NOCTTY);
    EXPECT_GE(::dup2(theirs, STDERR_FILENO), 0);
    ::close(theirs);
  }
  ~Terminal() {
    ::dup2(before_, STDERR_FILENO);
    ::close(before_);
    ::close(ours_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  // All that was shown, up to the first such text; all there is where a minute brings none.
  const std::string& shown_until(const std::string& text) {
    pollfd input{.fd = ours_, .events = POLLIN, .revents = 0};
    while (shown_.find(text) == std::string::npos && ::poll(&input, 1, 60'000) == 1) {
      std::array<char, 256> part{};
      const auto count = ::read(ours_, part.data(), part.size());
      if (count <= 0) {
        break;
      }
      shown_.append(part.data(), static_cast<std::size_t>(count));
    }
    return shown_;
  }

 private:
  int ours_;
  int before_;
  std::string shown_;
};

TEST(Progress, TellsTheTimeOfSetUpWhichThenGivesWay) {
  Terminal terminal;
  const std::vector<ChainProgress> chains(2);
  Progress progress({}, Schedule{}, chains, 1);
  EXPECT_THAT(terminal.shown_until("so far"), ContainsRegex("set-up, [0-9]+s so far"));
  progress.start([] { print_error("set up\n"); });
  EXPECT_THAT(terminal.shown_until("set up\r\n"), HasSubstr("\x1b[1A\r\x1b[Jset up\r\n"));
  EXPECT_THAT(terminal.shown_until("chain 2  waits"), HasSubstr("\r\x1b[Kchain 2  waits"));
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
