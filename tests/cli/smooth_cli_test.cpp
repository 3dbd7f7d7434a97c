// s(x) end to end: a curve near the truth, predictions that follow it, a run that goes on where it
// stopped, and one clear line for what cannot be.
#include <fmt/format.h>

#include <cmath>

#include "cli/cli_data.hpp"
#include "flymc/random.hpp"

namespace flymc::testing {
namespace {

double curve(double x) { return std::sin(x / 8.0) + 0.02 * x; }

class Smooth : public Cli {
 protected:
  Smooth() { write("d.csv", table(6000)); }

  static std::string table(int rows) {
    Stream stream(17, 0, Purpose::kTest, 0);
    std::vector<double> levels;
    for (int level = 0; level < 20; ++level) {
      levels.push_back(0.5 * stream.normal());
    }
    std::string text = "y,count,w,x,a,g,few\n";
    for (int row = 0; row < rows; ++row) {
      const double x = 50.0 * stream.uniform(), a = stream.normal();
      const auto g = static_cast<std::size_t>(stream.below(20));
      const double eta = -0.5 + 0.3 * a + curve(x);
      const bool y = stream.uniform() < 1.0 / (1.0 + std::exp(-eta - levels[g]));
      const double w = eta + 0.7 * stream.normal();
      double count = 0.0;
      for (double left = stream.exponential(); left < std::exp(0.5 * eta);
           left += stream.exponential()) {
        ++count;
      }
      text += fmt::format("{},{},{:.5f},{:.5f},{:.5f},g{},{}\n", y ? 1 : 0, count, w, x, a, g,
                          stream.below(4));
    }
    return text;
  }

  [[nodiscard]] Outcome fit_formula(const std::string& formula, const std::string& out,
                                    const Words& more = {},
                                    const std::string& draws = "500") const {
    return run(Words{"fit", "d.csv", "--formula", formula, "--out", out, "--draws", draws} + more);
  }
  // Means of rows with a = 0 at these x.
  [[nodiscard]] std::vector<double> predicted(const std::string& folder,
                                              const std::vector<double>& x) {
    std::string rows = "x,a\n";
    for (const double value : x) {
      rows += fmt::format("{},0\n", value);
    }
    write("new.csv", rows);
    const Outcome made = run({"predict", folder, "new.csv"});
    EXPECT_EQ(made.code, 0) << made.err;
    std::vector<double> means;
    const Words lines = lines_of(made.out);
    for (std::size_t i = 1; i < lines.size(); ++i) {
      means.push_back(std::stod(lines[i]));
    }
    return means;
  }
};

TEST_F(Smooth, FollowsTheCurveAndGoesOnStraight) {
  expect_done(fit_formula("w ~ a + s(x)", "run", {"--model", "normal"}));
  const std::vector<double> x = {2.0, 12.0, 25.0, 37.0, 48.0, 60.0, 70.0, 80.0};
  const std::vector<double> mean = predicted("run", x);
  ASSERT_EQ(mean.size(), x.size());
  for (std::size_t i = 0; i < 5; ++i) {  // 0.7 / sqrt(6000 / 10 knots) is 0.03
    EXPECT_NEAR(mean[i], -0.5 + curve(x[i]), 0.15) << x[i];
  }
  EXPECT_NEAR(mean[7] - mean[6], mean[6] - mean[5], 1e-9) << "a straight line outside";
}

TEST_F(Smooth, StandsBesideGroupsInEveryEngine) {
  for (const char* engine : {"fly", "regular"}) {
    SCOPED_TRACE(engine);
    expect_done(fit_formula("y ~ a + s(x, 8) + (1 | g)", engine, {"--engine", engine}));
    const Json found = Json::parse(run({"summary", engine, "--json"}).out)["parameters"];
    ASSERT_EQ(found.size(), 1 + 2 + 6 + 2 + 20);
    EXPECT_EQ(found[3]["label"], "s(x).1");
    EXPECT_EQ(found[9]["column"], "sd.g");
    EXPECT_EQ(found[10]["column"], "sd.s(x)");
    const double per_a = found[1]["mean"], sd = found[1]["sd"];
    EXPECT_LT(std::abs(per_a - 0.3), 4.5 * sd);
    EXPECT_GT(double{found[10]["mean"]}, 0.3);
  }
}

TEST_F(Smooth, GoesOnWithTheSameBytes) {
  const Words how = {"--model", "poisson", "--chains", "2", "--seed", "3"};
  const std::string formula = "count ~ s(x, k = 6) + s(a, 4)";
  expect_done(fit_formula(formula, "whole", how));
  expect_done(fit_formula(formula, "cut", how, "123"));
  expect_done(run({"fit", "--resume", "cut", "--draws", "500", "--quiet"}));
  EXPECT_TRUE(bytes("whole/chain-1.csv") == bytes("cut/chain-1.csv"));
  EXPECT_FALSE(exists("cut/levels.csv"));  // it has no levels
  EXPECT_FALSE(json("cut/run.json").contains("level_file"));
}

TEST_F(Smooth, IsInEffectsChecksAndReport) {
  expect_done(fit_formula("y ~ a + s(x)", "run"));
  const Outcome effects = run({"effects", "run", "--of", "x"});
  expect_done(effects);
  EXPECT_NE(effects.out.find("were x the same in every row"), std::string::npos);
  expect_done(run({"check", "run"}));
  expect_done(run({"report", "run"}));
  const std::string page = bytes("run/report.html");
  EXPECT_NE(page.find("standard deviation of the curve about a straight line"), std::string::npos);
  EXPECT_NE(page.find("[\"a\",\"odds"), std::string::npos);
  EXPECT_EQ(page.find("[\"x\",\"odds"), std::string::npos);  // a curve is no number a unit
}

TEST_F(Smooth, NamesMayHoldAnything) {
  std::string text = "y,\"p,q\",\"g,[1]\"\n";
  Stream stream(18, 0, Purpose::kTest, 0);
  for (int row = 0; row < 300; ++row) {
    const double x = stream.normal();
    text += fmt::format("{},{:.4f},{}\n", stream.uniform() < 0.5 + 0.3 * std::sin(3.0 * x) ? 1 : 0,
                        x, stream.below(6));
  }
  write("odd.csv", text);
  expect_done(run({"fit", "odd.csv", "--formula", "y ~ s(`p,q`, 5) + (1 | `g,[1]`)", "--out", "odd",
                   "--draws", "100"}));
  const Json found = Json::parse(run({"summary", "odd", "--json"}).out)["parameters"];
  EXPECT_EQ(found[5]["label"], "sd.g,[1]");
  EXPECT_EQ(found[5]["column"], "sd.g%2C%5B1%5D");
  const Outcome predicted = run({"predict", "odd", "odd.csv"});
  EXPECT_EQ(predicted.code, 0) << predicted.err;
}

TEST_F(Smooth, SaysWhatCannotBe) {
  const auto refused = [&](const std::string& formula, int code, const std::string& words,
                           const Words& more = {}) {
    expect_error(fit_formula(formula, "no", more), code, words);
  };
  refused("y ~ s(x, 2)", 64, "s has from 3 to 100 knots");
  refused("y ~ a:s(x)", 64, "stands by itself, not in a product");
  refused("y ~ s(g)", 65, "column 'g' holds text");
  refused("y ~ s(few)", 65, "'s(few)': there are only 4 different values; give it at most");
  expect_error(run({"fit", "d.csv", "--formula", "w ~ a", "--formula", "sigma ~ s(x)", "--model",
                    "normal", "--out", "no"}),
               64, "only the first predictor, that of the response, has smooth terms");
  refused("y ~ s(x)", 64, "no group term has such coefficients; these vary: s(x)",
          {"--prior-sd", "x ~ half_normal(1)"});
}

}  // namespace
}  // namespace flymc::testing
