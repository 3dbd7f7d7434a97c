// Runs with group terms that were killed in set-up, in warm-up and while they sampled go on, and
// end with the bytes of one that was never disturbed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/cli_data.hpp"
#include "cli/resume_support.hpp"
#include "flymc/random.hpp"

namespace flymc::testing {
namespace {

struct GroupRun {
  std::string name;
  Words options;
};

class ResumeGroups : public Resumed, public ::testing::WithParamInterface<GroupRun> {
 protected:
  ResumeGroups() { write("t.csv", table()); }

  // Two hundred rows for each level of g, of h five hundred, of `few` ten.
  static std::string table() {
    Stream stream(41, 0, Purpose::kTest, 0);
    std::vector<double> levels(15);
    std::ranges::generate(levels, [&] { return 0.7 * stream.normal(); });
    std::string text = "y,score,count,x,g,h,few\n";
    for (std::size_t row = 0; row < 3000; ++row) {
      const std::size_t g = row % 15, h = stream.below(6), few = row % 300;
      const double x = stream.normal();
      const double eta = 0.3 + 0.5 * x + levels[g];
      const bool y = stream.uniform() < 1.0 / (1.0 + std::exp(-eta));
      const double score = eta + stream.normal();
      const auto count = stream.poisson(std::exp(eta) * stream.gamma(3.0) / 3.0);
      text +=
          fmt::format("{},{:.6f},{},{:.6f},g{},h{},f{}\n", y ? 1 : 0, score, count, x, g, h, few);
    }
    return text;
  }

  [[nodiscard]] Words words(const std::string& out) const {
    return Words{"fit", "t.csv", "--out", out, "--chains", "2", "--warmup", "100", "--quiet"} +
           GetParam().options;
  }

  // One in each tenth of twice the time that the undisturbed run took to its first draw, or of a
  // tenth of a second, as no checkpoint comes sooner: the first kills meet set-up, then warm-up,
  // the last draws, however slow the program is here.
  [[nodiscard]] std::vector<double> ten_moments_s() const {
    const Json whole = json("whole/run.json");
    const double before_s =
        whole["seconds"].get<double>() - whole["sampling"]["seconds"].get<double>();
    Stream stream(42, 0, Purpose::kTest, 0);
    std::vector<double> moments;
    for (int kill = 0; kill < 10; ++kill) {
      moments.push_back(0.2 * std::max(before_s, 0.05) * (kill + stream.uniform()));
    }
    return moments;
  }
};

TEST_P(ResumeGroups, KilledTenTimesARunEndsWithTheSameBytes) {
  expect_done(run(words("whole")));
  const Words often{"--checkpoint-every", "20ms"};
  kill_often(words("out") + often, ten_moments_s(), often);
  expect_same_run();
  EXPECT_TRUE(bytes("whole/levels.csv") == bytes("out/levels.csv"));
  const bool summed = std::ranges::count(GetParam().options, "summary") > 0;
  EXPECT_EQ(exists("out/levels.csv"), summed);
}

INSTANTIATE_TEST_SUITE_P(
    Models, ResumeGroups,
    ::testing::Values(
        GroupRun{"Slopes",
                 {"--formula", "y ~ x + (1 + x | g)", "--engine", "fly", "--draws", "4000"}},
        GroupRun{"CoinsSummedOut",
                 {"--formula", "y ~ x + (1 | few)", "--engine", "fly", "--draws", "1000"}},
        GroupRun{"Crossed",
                 {"--formula", "y ~ x + (1 | g) + (1 | h)", "--engine", "fly", "--draws", "4000"}},
        GroupRun{"Normal",
                 {"--model", "normal", "--formula", "score ~ x + (1 | g)", "--draws", "8000"}},
        GroupRun{"CountsOfUnknownSize",
                 {"--model", "negative-binomial", "--formula", "count ~ x + (1 | g)", "--engine",
                  "fly", "--draws", "2500"}},
        GroupRun{"LevelsSummedUp",
                 {"--formula", "y ~ x + (1 + x | g)", "--levels", "summary", "--engine", "fly",
                  "--draws", "4000"}}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace flymc::testing
