// Which engine runs, and what it says of itself: the forecast, explicit choices, merged rows.
#include <fmt/format.h>

#include "cli/cli_data.hpp"

namespace flymc::testing {
namespace {

class EngineChoice : public Cli {
 protected:
  Outcome fit_y(const Words& options) const {
    const Outcome outcome = fit("d.csv", Words{"--response", "y", "--overwrite"} + options);
    expect_done(outcome);
    return outcome;
  }
  [[nodiscard]] Json run_json() const { return json("out/run.json"); }
  [[nodiscard]] Json summary() const { return Json::parse(run({"summary", "out", "--json"}).out); }
};

// Every row twice over, three times every third.
std::string doubled_csv(std::size_t rows) {
  const std::string text = binary_csv(rows);
  const Words lines = lines_of(text);
  std::string result = text;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    result += lines[i] + "\n" + (i % 3 == 0 ? lines[i] + "\n" : "");
  }
  return result;
}

TEST_F(EngineChoice, AutoTakesFlyWhereItPays) {
  write("d.csv", binary_csv(1000));
  const Outcome outcome = fit_y({});
  EXPECT_TRUE(outcome.says("forecast: ")) << outcome.err;
  EXPECT_TRUE(outcome.says(": running FlyMC")) << outcome.err;
  const Json run = run_json();
  EXPECT_EQ(run["engine"], "fly");
  EXPECT_EQ(run["config"]["engine"], "auto");
  EXPECT_EQ(run["config"]["bound"], "local");
  EXPECT_EQ(run["config"]["z"], "weighted");
  EXPECT_EQ(run["config"]["kernel"], "split-hmc");
  EXPECT_EQ(run["forecast"]["fly_pays"], true);
  EXPECT_GT(run["forecast"]["regular"]["queries_per_effective_draw"],
            run["forecast"]["fly"]["queries_per_effective_draw"]);
}

// Not of effective draws: the pilot is too short for that, and short for rows of levels outside.
TEST_F(EngineChoice, WithGroupTermsTheForecastIsOfAnIteration) {
  Stream stream(6, 0, Purpose::kInit, 1);
  std::string rows = "y,x,shop\n";
  for (int n = 0; n < 3000; ++n) {
    const int shop = n % 20;
    const bool bought = stream.uniform() < 0.3 + 0.02 * shop;
    rows += fmt::format("{},{:.4f},s{}\n", bought ? 1 : 0, stream.normal(), shop);
  }
  write("d.csv", rows);
  const Words formula{"--formula", "y ~ x + (1 | shop)", "--overwrite"};
  const Outcome outcome = fit("d.csv", formula);
  expect_done(outcome);
  EXPECT_TRUE(outcome.says(" queries an iteration with FlyMC (")) << outcome.err;
  EXPECT_TRUE(outcome.says(" without: running FlyMC\n")) << outcome.err;
  const Json run = run_json();
  EXPECT_EQ(run["forecast"]["fly_pays"], true);
  const double asked =
      run["sampling"]["queries_theta"].get<double>() + run["sampling"]["queries_z"].get<double>();
  const double an_iteration = asked / run["sampling"]["iterations"].get<double>();
  const double forecast = run["forecast"]["fly"]["queries_per_iteration"];
  EXPECT_GT(forecast, an_iteration / 3.0);
  EXPECT_LT(forecast, an_iteration * 3.0);
  EXPECT_GT(run["forecast"]["regular"]["queries_per_iteration"], 10.0 * forecast);
  const Outcome regular = fit("d.csv", formula + Words{"--engine", "regular"});
  expect_done(regular);
  EXPECT_FALSE(regular.says("forecast"));
  EXPECT_FALSE(run_json().contains("forecast"));
}

TEST_F(EngineChoice, AutoFallsBackWhereItDoesNot) {
  Stream stream(5, 0, Purpose::kInit, 1);
  std::vector<Column> columns;
  for (int j = 0; j < 26; ++j) {
    columns.push_back({j == 0 ? "y" : "x" + std::to_string(j), {}});
    for (int n = 0; n < 30; ++n) {
      columns.back().values.push_back(j == 0 ? n % 2 : stream.normal());
    }
  }
  write("d.csv", csv(columns));
  const Outcome outcome = fit_y({});
  EXPECT_TRUE(outcome.says("running the regular engine")) << outcome.err;
  const Json run = run_json();
  EXPECT_EQ(run["engine"], "regular");
  EXPECT_EQ(run["config"]["engine"], "auto");
  EXPECT_EQ(run["forecast"]["fly_pays"], false);
  EXPECT_EQ(run["setup"]["beacons"], 0);
  EXPECT_EQ(mean("bright__"), 0.0);
  EXPECT_NE(bytes("out/chain-1.csv").find("# engine = regular\n"), std::string::npos);
  for (const Words& choice : {Words{"--engine", "fly"}, Words{"--bound", "local"},
                              Words{"--z", "weighted"}, Words{"--z", "explicit"}}) {
    fit_y(choice);
    EXPECT_EQ(run_json()["engine"], "fly") << choice.front();
    EXPECT_EQ(run_json()["config"]["engine"], "fly") << choice.front();
  }
}

TEST_F(EngineChoice, RegularWithTheDefaultKernelHasNoFireflies) {
  write("d.csv", binary_csv());
  for (const Words& choice : {Words{"--regular"}, Words{"--engine", "regular"}}) {
    fit_y(choice);
    const Json run = run_json();
    EXPECT_EQ(run["engine"], "regular");
    EXPECT_EQ(run["config"]["kernel"], "split-hmc");
    EXPECT_EQ(mean("bright__"), 0.0);
    EXPECT_EQ(run["sampling"]["queries_z"], 0);
    EXPECT_GE(mean("queries__"), 2.0 * 200.0);  // at least two kicks, every row
  }
}

TEST_F(EngineChoice, EqualRowsAreOneRowAndTheCountStays) {
  write("d.csv", doubled_csv(300));
  const Words long_run{"--draws", "3000", "--warmup", "300"};
  const Outcome outcome = fit_y(long_run);
  EXPECT_TRUE(outcome.says("300 distinct rows of 700: equal ones are one row with a weight"));
  EXPECT_EQ(run_json()["n"], 700);
  EXPECT_EQ(run_json()["setup"]["merged_rows"], 400);
  EXPECT_EQ(summary()["n"], 700);
  EXPECT_NE(bytes("out/chain-1.csv").find("# rows = 700\n"), std::string::npos);
  const Json merged = summary()["parameters"];
  const Outcome apart = fit_y(long_run + Words{"--bound", "map"});
  EXPECT_FALSE(apart.says("distinct rows"));
  EXPECT_EQ(run_json()["setup"]["merged_rows"], 0);
  const Json unmerged = summary()["parameters"];
  for (std::size_t j = 0; j < merged.size(); ++j) {
    const double error =
        std::hypot(merged[j]["mcse_mean"].get<double>(), unmerged[j]["mcse_mean"].get<double>());
    EXPECT_NEAR(merged[j]["mean"].get<double>(), unmerged[j]["mean"].get<double>(), 5.0 * error);
    EXPECT_NEAR(merged[j]["sd"].get<double>() / unmerged[j]["sd"].get<double>(), 1.0, 0.15);
  }
  fit_y({"--regular"});
  EXPECT_EQ(run_json()["setup"]["merged_rows"], 0);
}

TEST_F(EngineChoice, ThreadsNeverChangeAByteOfAnyModel) {
  write("d.csv", doubled_csv(200));
  for (const char* model : {"logistic", "softmax", "student-t", "poisson", "probit"}) {
    std::string first;
    for (const char* threads : {"1", "2"}) {
      fit_y({"--model", model, "--threads", threads});
      const std::string now = bytes("out/chain-1.csv") + bytes("out/chain-2.csv");
      first = first.empty() ? now : first;
      EXPECT_EQ(now, first) << model;
    }
  }
}

TEST_F(EngineChoice, WarmupIsKeptOutOfTheCounts) {
  write("d.csv", binary_csv());
  fit_y({"--warmup", "70", "--draws", "30", "--save-warmup"});
  EXPECT_EQ(draws("out/warmup-1.csv").draws(), 70U);
  EXPECT_EQ(draws("out/chain-1.csv").draws(), 30U);
  EXPECT_EQ(run_json()["sampling"]["iterations"], 2 * 30);
  const double total = run_json()["sampling"]["queries_theta"].get<double>() +
                       run_json()["sampling"]["queries_z"].get<double>();
  EXPECT_DOUBLE_EQ(mean("queries__") * 60.0, total);
}

}  // namespace
}  // namespace flymc::testing
