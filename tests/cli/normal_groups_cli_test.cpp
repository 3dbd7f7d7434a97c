// A normal response with group terms end to end, for one factor and for several: the truth, R's
// estimates, a run that goes on where it stopped, predictions that know noise and new levels.
#include <fmt/format.h>

#include <cmath>
#include <sstream>

#include "cli/cli_data.hpp"
#include "cli/group_runs.hpp"
#include "flymc/random.hpp"
#include "support/r_here.hpp"

namespace flymc::testing {
namespace {

class NormalGroupsCli : public GroupRuns {
 protected:
  static constexpr std::size_t kSchools = 200, kItems = 30;

  // score ~ x + (1 + x | school) + (1 | item); sd 0.7, 0.4, 0.5, sigma 1.2. Fifty rows a school.
  NormalGroupsCli() {
    Stream stream(33, 0, Purpose::kTest, 0);
    std::vector<double> items(kItems);
    for (double& item : items) {
      item = 0.5 * stream.normal();
    }
    std::string text = "score,x,school,item\n";
    for (std::size_t school = 0; school < kSchools; ++school) {
      const double intercept = 0.7 * stream.normal(), slope = 0.4 * stream.normal();
      for (int row = 0; row < 50; ++row) {
        const std::size_t item = stream.below(kItems);
        const double x = stream.normal();
        const double eta = 1.5 + intercept + (slope - 0.5) * x + items[item];
        text +=
            fmt::format("{:.6f},{:.6f},s{},i{}\n", eta + 1.2 * stream.normal(), x, school, item);
      }
    }
    write("scores.csv", text);
  }

  [[nodiscard]] Outcome fit_formula(const std::string& formula, const std::string& out,
                                    const Words& more = {},
                                    const std::string& draws = "500") const {
    return run(Words{"fit", "scores.csv", "--model", "normal", "--formula", formula, "--out", out,
                     "--warmup", "200", "--draws", draws} +
               more);
  }
  static void expect_near(const Json& all, const std::string& column, double value, double sds) {
    const Json parameter = named(all, column);
    EXPECT_NEAR(parameter["mean"].get<double>(), value, sds * parameter["sd"].get<double>())
        << column;
    EXPECT_LT(parameter["rhat"].get<double>(), 1.05) << column;
  }
};

const std::string kOne = "score ~ x + (1 + x | school)";
const std::string kSeveral = "score ~ x + (1 | school) + (1 | item)";

TEST_F(NormalGroupsCli, FindTheTruth) {
  expect_done(fit_formula("score ~ x + (x || school) + (1 | item)", "out"));
  const Json found = parameters("out");
  ASSERT_EQ(found.size(), 3 + 3 + 2 * kSchools + kItems);
  EXPECT_EQ(found.at(2)["column"], "sigma");
  EXPECT_EQ(found.at(3)["column"], "sd.school");
  expect_near(found, "beta.1", -0.5, 4.0);
  expect_near(found, "sigma", 1.2, 4.0);
  expect_near(found, "sd.school", 0.7, 4.0);
  expect_near(found, "sd.school.x", 0.4, 4.0);
  expect_near(found, "sd.item", 0.5, 4.0);
  const Json record = json("out/run.json");
  EXPECT_EQ(record["engine"], "fly");
  EXPECT_EQ(record["setup"]["expected_bright"], 0.0);
}

TEST_F(NormalGroupsCli, NoRowIsLookedAtAfterSetUp) {
  expect_done(fit_formula(kOne, "fly"));
  expect_done(fit_formula(kOne, "regular", {"--engine", "regular"}));
  EXPECT_EQ(json("regular/run.json")["engine"], "regular");
  const ChainDraws fly = read_chain_csv(path("fly/chain-1.csv"));
  const ChainDraws regular = read_chain_csv(path("regular/chain-1.csv"));
  EXPECT_TRUE(fly.values == regular.values);  // one and the same
  for (const double count : fly.column("queries__")) {
    EXPECT_EQ(count, 0.0);
  }
  EXPECT_NE(run({"summary", "fly"}).out.find("no row is looked at again"), std::string::npos);
}

// R's estimates maximise a likelihood with the fixed effects integrated out (REML), which is what a
// posterior is about with flat priors and many levels.
TEST_F(NormalGroupsCli, AgreesWithR) {
  if (!has_r_package("nlme")) {
    GTEST_SKIP() << "no nlme here";
  }
  expect_done(fit_formula(kOne, "out", {"--prior", "flat"}, "2000"));
  const Json found = parameters("out");
  write(
      "lme.R",
      "library(nlme)\nd <- read.csv('" + path("scores.csv").string() +
          "')\nf <- lme(score ~ x, random = ~ 1 + x | school, data = d)\n"
          "cat(fixef(f), as.numeric(VarCorr(f)[, 'StdDev']), as.numeric(VarCorr(f)[2, 'Corr']))\n");
  std::istringstream in_r(output_of_r(path("lme.R").string()));
  double alpha = 0.0, slope = 0.0, sd = 0.0, sd_slope = 0.0, sigma = 0.0, correlation = 0.0;
  in_r >> alpha >> slope >> sd >> sd_slope >> sigma >> correlation;
  ASSERT_FALSE(in_r.fail());
  expect_near(found, "alpha", alpha, 0.1);
  expect_near(found, "beta.1", slope, 0.1);
  expect_near(found, "sd.school", sd, 0.25);
  expect_near(found, "sd.school.x", sd_slope, 0.25);
  expect_near(found, "sigma", sigma, 0.25);
  expect_near(found, "cor.school.1.2", correlation, 0.25);
}

TEST_F(NormalGroupsCli, DrawsAreTheSameForAnyNumberOfThreadsAndAfterAStop) {
  for (const std::string& formula : {kOne, kSeveral}) {
    SCOPED_TRACE(formula);
    expect_same_draws([&](const std::string& out, const Words& more, const std::string& draws) {
      return fit_formula(formula, out, more, draws);
    });
  }
}

// sd of a mean of a known school, of its new response, and of both for a school nobody knows.
TEST_F(NormalGroupsCli, PredictKnowsNoiseAndNewLevels) {
  write("new.csv", "school,item,x\ns3,i1,0\nnowhere,i1,0\n");
  const auto sds = [&](const std::string& folder, const Words& more) {
    const Outcome predicted = run(Words{"predict", folder, "new.csv"} + more);
    EXPECT_EQ(predicted.code, 0) << predicted.err;
    std::vector<double> found;
    const Words lines = lines_of(predicted.out);
    for (std::size_t i = 1; i < lines.size(); ++i) {
      found.push_back(std::stod(lines[i].substr(lines[i].find(',') + 1)));
    }
    found.resize(2);
    return found;
  };
  for (const auto& [formula, more, sigma] :
       {std::tuple{kOne, Words{}, 1.3}, std::tuple{kSeveral, Words{}, 1.26},
        std::tuple{kOne, Words{"--sigma", "2"}, 2.0}}) {
    expect_done(fit_formula(formula, "out", more + Words{"--overwrite"}));
    const auto mean = sds("out", {}), response = sds("out", {"--predictive"});
    EXPECT_LT(mean[0], 0.35);
    EXPECT_NEAR(mean[1], 0.7, 0.15);
    EXPECT_NEAR(response[0], std::hypot(mean[0], sigma), 0.1);
    EXPECT_NEAR(response[1], std::hypot(mean[1], sigma), 0.15);
  }
  expect_done(run({"export", "out", "--to", "npz", "--out", "draws.npz"}));
}

// Residuals are those of each row's own levels, in units of sigma.
TEST_F(NormalGroupsCli, ReportKnowsTheLevelsOfItsRows) {
  expect_done(fit_formula(kOne, "out"));
  expect_done(run({"report", "out", "--out", "page.html"}));
  const std::string page = bytes("page.html"), words = "\"farthest rows\",\"";
  const std::size_t at = page.find(words);
  ASSERT_NE(at, std::string::npos);
  std::istringstream numbers(page.substr(at + words.size()));
  double low = 0.0, high = 0.0;
  std::string between;
  numbers >> low >> between >> high;
  EXPECT_GT(low, -6.0);
  EXPECT_LT(low, -2.5);
  EXPECT_GT(high, 2.5);
  EXPECT_LT(high, 6.0);
}

TEST_F(NormalGroupsCli, AKnownSigmaIsNoParameter) {
  expect_done(fit_formula(kOne, "out", {"--sigma", "1.2", "--levels", "summary"}));
  EXPECT_EQ(json("out/run.json")["parameters"].size(), 2U + 3U);
  expect_near(parameters("out"), "sd.school", 0.7, 4.0);
}

// log y is normal: the same draws but for rounding.
TEST_F(NormalGroupsCli, LognormalIsNormalOfTheLogarithm) {
  std::string normal = "y,g\n", lognormal = "y,g\n";
  Stream stream(34, 0, Purpose::kTest, 0);
  for (int row = 0; row < 300; ++row) {
    const double y = 0.5 * stream.normal() + 0.1 * (row % 10);
    normal += fmt::format("{:.17g},g{}\n", y, row % 10);
    lognormal += fmt::format("{:.17g},g{}\n", std::exp(y), row % 10);
  }
  write("normal.csv", normal);
  write("lognormal.csv", lognormal);
  Json means[2];
  for (int i = 0; i < 2; ++i) {
    const std::string model = i == 0 ? "normal" : "lognormal";
    expect_done(run({"fit", model + ".csv", "--model", model, "--formula", "y ~ 1 + (1 | g)",
                     "--out", model, "--draws", "200"}));
    means[i] = parameters(model);
  }
  ASSERT_EQ(means[0].size(), means[1].size());
  for (std::size_t i = 0; i < means[0].size(); ++i) {
    EXPECT_NEAR(means[0][i]["mean"].get<double>(), means[1][i]["mean"].get<double>(), 1e-6) << i;
  }
}

// In other units the posterior is the same in other units, whatever the prior of these.
TEST_F(NormalGroupsCli, UnitsOfTheResponseDoNotMatter) {
  Stream stream(34, 0, Purpose::kTest, 0);
  const double g[] = {0.8, -1.1, 0.3, 0.4}, h[] = {0.2, -0.6, 0.5};
  std::string ones = "y,x,g,h\n", small = ones;
  for (int row = 0; row < 30; ++row) {
    const auto i = stream.below(4), j = stream.below(3);
    const double x = stream.normal();
    const double y = 1.0 + 0.5 * x + g[i] + h[j] + 0.3 * stream.normal();
    const auto line = [&](double unit) {
      return fmt::format("{:.17g},{:.6f},g{},h{}\n", unit * y, x, i, j);
    };
    ones += line(1.0);
    small += line(1e-9);
  }
  write("ones.csv", ones);
  write("small.csv", small);
  for (const char* formula : {"y ~ x + (1 | g)", "y ~ x + (1 | g) + (1 | h)"}) {
    SCOPED_TRACE(formula);
    for (const char* name : {"ones", "small"}) {
      expect_done(run({"fit", std::string(name) + ".csv", "--model", "normal", "--formula", formula,
                       "--draws", "2500", "--out", name, "--overwrite", "--quiet"}));
    }
    const Json expected = parameters("ones"), found = parameters("small");
    for (std::size_t i = 0; i < 4; ++i) {  // alpha, beta.1, sigma, sd.g
      const double error = std::hypot(expected.at(i)["mcse_mean"].get<double>(),
                                      1e9 * found.at(i)["mcse_mean"].get<double>());
      EXPECT_NEAR(1e9 * found.at(i)["mean"].get<double>(), expected.at(i)["mean"].get<double>(),
                  4.5 * error)
          << i;
      EXPECT_NEAR(1e9 * found.at(i)["sd"].get<double>() / expected.at(i)["sd"].get<double>(), 1.0,
                  0.1)
          << i;
    }
  }
}

// Noise that doubles cannot tell from none is said to be none.
TEST_F(NormalGroupsCli, LevelsThatExplainAllButNothingAreRefused) {
  Stream stream(35, 0, Purpose::kTest, 0);
  std::string text = "y,g,h\n";
  for (int row = 0; row < 40; ++row) {
    const int g = row % 4, h = row % 5;
    text += fmt::format("{:.17g},g{},h{}\n", 1.3 * g * g - 0.7 * h + 1e-8 * stream.normal(), g, h);
  }
  write("exact.csv", text);
  for (const char* formula : {"y ~ factor(h) + (1 | g)", "y ~ 1 + (1 | g) + (1 | h)"}) {
    expect_error(
        run({"fit", "exact.csv", "--model", "normal", "--formula", formula, "--out", "new"}), 65,
        "without noise");
  }
}

TEST_F(NormalGroupsCli, SigmaWithAFormulaIsRefused) {
  expect_error(fit_formula(kOne, "out", {"--formula", "sigma ~ x"}), 64,
               "sigma is the same in every row");
  EXPECT_FALSE(exists("out"));
}

}  // namespace
}  // namespace flymc::testing
