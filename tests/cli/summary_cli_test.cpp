// `flymc summary`, what is printed and not printed, and what a signal leaves behind.
#include "cli/cli_data.hpp"

namespace flymc::testing {
namespace {

class SummaryCli : public Cli {
 protected:
  void SetUp() override { write("d.csv", binary_csv()); }
  Outcome fit_here(const Words& options) const {
    return fit("d.csv", Words{"--response", "y"} + options);
  }
  // Of all chains.
  std::vector<double> all_draws(const std::string& column) const {
    std::vector<double> values;
    for (int k = 1; exists(fmt::format("out/chain-{}.csv", k)); ++k) {
      const ChainDraws chain = draws(fmt::format("out/chain-{}.csv", k));
      const auto of_chain = chain.column(column);
      values.insert(values.end(), of_chain.begin(), of_chain.end());
    }
    return values;
  }
};

// K vectors of which only the prior says where they lie together spanned zero, every one.
TEST_F(SummaryCli, SoftmaxAnswersClassAgainstClass) {
  write("c.csv", classes_csv(600));
  expect_done(fit("c.csv", {"--response", "y", "--model", "softmax", "--quiet"}));
  const Outcome outcome = run({"summary", "out", "--answers"});
  expect_done(outcome);
  const Json summary = Json::parse(run({"summary", "out", "--json"}).out);
  const Json rows = json("out/run.json")["class_rows"];
  const auto most = std::max_element(rows.begin(), rows.end()) - rows.begin();
  const std::string reference = json("out/run.json")["classes"][static_cast<std::size_t>(most)];
  EXPECT_EQ(summary["reference_class"], reference);
  EXPECT_EQ(summary["parameters"].size(), 9U);  // as in the chain files
  ASSERT_EQ(summary["class_contrasts"].size(), 6U);
  double smallest = std::numeric_limits<double>::infinity();
  for (const Json& contrast : summary["class_contrasts"]) {
    EXPECT_GT(contrast["ess_tail"], 10.0);
    EXPECT_NEAR(contrast["rhat"].get<double>(), 1.0, 0.2);
    smallest = std::min(smallest, contrast["ess_bulk"].get<double>());
  }
  EXPECT_TRUE(outcome.shows(fmt::format("has {:.0f}", smallest))) << outcome.out;  // of 200 draws
  EXPECT_TRUE(outcome.shows(" vs " + reference + ": (intercept)"));
  EXPECT_FALSE(outcome.shows("\n" + reference + ": (intercept)"));
  const std::string other = reference == "0" ? "1" : "0";
  const Outcome asked = run({"summary", "out", "--answers", "--reference", other});
  EXPECT_TRUE(asked.shows(reference + " vs " + other + ": (intercept)"));
  // What is shown can be asked about, whatever the reference.
  const Json zeros = Json::parse(
      run({"summary", "out", "--json", "--contrast", "2 vs 0: a - 2 vs 1: a - 1 vs 0: a",
           "--contrast", "0 vs 1: a - 0: a + 1: a"})
          .out)["contrasts"];
  ASSERT_EQ(zeros.size(), 2U);
  for (const Json& zero : zeros) {
    EXPECT_NEAR(zero["lower"].get<double>(), 0.0, 1e-9);
    EXPECT_NEAR(zero["upper"].get<double>(), 0.0, 1e-9);
  }
  expect_error(run({"summary", "out", "--reference", "9"}), 64,
               "--reference 9: there is no such class; classes are 0, 1, 2.");
  expect_done(fit_here({"--quiet", "--overwrite"}));
  expect_error(run({"summary", "out", "--reference", "1"}), 64,
               "--reference 1: the run has one vector of coefficients, not one for every class.");
}

TEST_F(SummaryCli, JsonHasTheKeysOfTheContract) {
  expect_done(fit_here({"--quiet"}));
  const Outcome outcome = run({"summary", "out", "--json"});
  expect_done(outcome);
  EXPECT_EQ(outcome.err, "");
  const Json summary = Json::parse(outcome.out);
  for (const char* key : {"n", "d", "exact", "engine", "seconds_setup", "seconds_sampling",
                          "queries_per_iteration", "mean_bright", "parameters"}) {
    EXPECT_TRUE(summary.contains(key)) << key;
  }
  ASSERT_EQ(summary["parameters"].size(), 3U);
  for (const char* key : {"column", "label", "mean", "sd", "mcse_mean", "q5", "q50", "q95",
                          "ess_bulk", "ess_tail", "ess_coda", "rhat"}) {
    EXPECT_TRUE(summary["parameters"][1].contains(key)) << key;
    EXPECT_TRUE(summary["lp__"].contains(key)) << key;
  }
  EXPECT_EQ(summary["lp__"]["column"], "lp__");
  EXPECT_NEAR(summary["lp__"]["mean"].get<double>(), mean("lp__"), 1e-9);
  EXPECT_NEAR(summary["parameters"][1]["mean"].get<double>(), mean("beta.1"), 1e-12);
}

TEST_F(SummaryCli, AnswersAreIntervalsAndProbabilitiesOfTheDraws) {
  expect_done(fit_here({"--quiet"}));
  const Json summary = Json::parse(run({"summary", "out", "--json", "--prob", "0.8"}).out);
  std::vector<double> beta = all_draws("beta.1");
  std::sort(beta.begin(), beta.end());
  const auto quantile = [&](double prob) {  // type 7
    const double place = prob * static_cast<double>(beta.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    return beta[below] + (place - std::floor(place)) * (beta[below + 1] - beta[below]);
  };
  const Json& answer = summary["parameters"][1];
  EXPECT_NEAR(answer["lower"].get<double>(), quantile(0.1), 1e-12);
  EXPECT_NEAR(answer["upper"].get<double>(), quantile(0.9), 1e-12);
  const auto positive = std::count_if(beta.begin(), beta.end(), [](double b) { return b > 0.0; });
  EXPECT_EQ(answer["prob_positive"].get<double>() * static_cast<double>(beta.size()), positive);
  EXPECT_EQ(summary["prob"], 0.8);
  const Json ratios = Json::parse(run({"summary", "out", "--json", "--exp", "--per-sd"}).out);
  const double sd = json("out/run.json")["column_sd"]["beta.1"];
  EXPECT_NEAR(ratios["parameters"][1]["answer"]["median"].get<double>(),
              std::exp(sd * quantile(0.5)), 1e-3);  // between two draws a ratio is not linear
  EXPECT_NEAR(ratios["parameters"][1]["mean"].get<double>(), mean("beta.1"), 1e-12);
  const Outcome units = run({"summary", "out", "--per-sd", "--contrast", "(beta.1 + beta.1)/2"});
  EXPECT_TRUE(units.shows("mean per sd")) << units.out;
  const Json contrast = Json::parse(
      run({"summary", "out", "--json", "--per-sd", "--contrast", "(beta.1 + beta.1)/2"}).out);
  EXPECT_NEAR(contrast["contrasts"][0]["mean"].get<double>(), sd * mean("beta.1"), 1e-9);
}

TEST_F(SummaryCli, AnswersComeFirstAndEachPartAlone) {
  expect_done(fit_here({"--quiet"}));
  const std::string both = run({"summary", "out"}).out;
  const std::string answers = run({"summary", "out", "--answers"}).out;
  const std::string engine = run({"summary", "out", "--engine"}).out;
  EXPECT_LT(both.find("97.5 %"), both.find("mcse_mean"));
  EXPECT_NE(both.find("bright points"), std::string::npos);
  EXPECT_EQ(answers.find("mcse_mean"), std::string::npos);
  EXPECT_EQ(answers.find("bright points"), std::string::npos);
  EXPECT_NE(answers.find("checks"), std::string::npos);
  EXPECT_EQ(engine.find("97.5 %"), std::string::npos);
  EXPECT_NE(engine.find("bright points"), std::string::npos);
  EXPECT_NE(run({"summary", "out", "--prob", "0.5"}).out.find("  25 %"), std::string::npos);
  EXPECT_NE(run({"summary", "out", "--exp"}).out.find("odds ratio"), std::string::npos);
}

TEST_F(SummaryCli, ContrastsAreOfTheDrawsAndLevelsOthersAreComparedWithAreNamed) {
  const Simulated s = simulated(120);
  std::string text = "x,city,y\n";
  const char* const cities[] = {"Oslo", "Paris", "Rome"};
  for (std::size_t n = 0; n < 120; ++n) {
    text += fmt::format("{},{},{}\n", s.a[n], cities[n % 3], s.binary[n] > 0.0 ? 1 : 0);
  }
  write("c.csv", text);
  expect_done(fit("c.csv", {"--response", "y", "--categorical", "city"}));
  const Outcome outcome = run({"summary", "out", "--json", "--contrast", "city=Rome - city=Paris",
                               "--contrast", "city=Rome - city=Oslo"});
  expect_done(outcome);
  const Json summary = Json::parse(outcome.out);
  EXPECT_EQ(summary["references"], Json{"city=Oslo"});
  ASSERT_EQ(summary["contrasts"].size(), 2U);
  EXPECT_NEAR(summary["contrasts"][0]["mean"].get<double>(), mean("beta.3") - mean("beta.2"),
              1e-12);
  EXPECT_NEAR(summary["contrasts"][1]["mean"].get<double>(), mean("beta.3"), 1e-12);
  EXPECT_TRUE(run({"summary", "out"}).shows("compared with city=Oslo"));
}

TEST_F(SummaryCli, QuestionsWithoutAnAnswerAreRefused) {
  expect_done(fit_here({"--quiet"}));
  expect_error(run({"summary", "out", "--prob", "95"}), 64, "--prob 95: must be between 0 and 1.");
  expect_error(run({"summary", "out", "--prob", "0"}), 64, "--prob 0: must be between 0 and 1.");
  expect_error(run({"summary", "out", "--contrast", "a - c"}), 64,
               "--contrast 'a - c': no coefficient 'c'");
  expect_error(run({"summary", "out", "--answers", "--engine"}), 64, "contradict each other");
  expect_done(fit("d.csv", {"--response", "a", "--model", "normal", "--overwrite"}));
  expect_error(run({"summary", "out", "--exp"}), 64,
               "--exp: the coefficients of a normal regression are no logarithms");
}

TEST_F(SummaryCli, FitPrintsTheSameTable) {
  const Outcome outcome = fit_here({});
  const Outcome summary = run({"summary", "out/"});
  EXPECT_EQ(outcome.out, summary.out);
  EXPECT_TRUE(summary.shows("beta.2"));
  EXPECT_EQ(lines_of(outcome.err).back(), "the run is in out/; look at it with: flymc report out");
}

TEST_F(SummaryCli, StrictExitsWithTwoWhenACheckFails) {
  EXPECT_EQ(fit_here({"--draws", "10", "--strict"}).code, 2);
  EXPECT_TRUE(exists("out/run.json"));
  EXPECT_EQ(run({"summary", "out"}).code, 0);
  EXPECT_EQ(run({"summary", "out", "--strict"}).code, 2);
  expect_done(fit_here({"--draws", "4000", "--warmup", "500", "--strict", "--overwrite"}));
  expect_done(run({"summary", "out", "--strict"}));
}

TEST_F(SummaryCli, QuietPrintsNothingButErrors) {
  const Outcome outcome = fit_here({"--quiet"});
  expect_done(outcome);
  EXPECT_EQ(outcome.out + outcome.err, "");
  const Outcome again = fit_here({"--quiet"});
  expect_error(again, 73, "already holds");
  EXPECT_EQ(lines_of(again.err).size(), 1U);
}

TEST_F(SummaryCli, HelpAndVersionExitWithZero) {
  for (const Words& words :
       {Words{"--help"}, Words{"fit", "--help"}, Words{"inspect", "--help"},
        Words{"summary", "--help"}, Words{"simulate", "--help"}, Words{"demo", "--help"}}) {
    const Outcome outcome = run(words);
    expect_done(outcome);
    EXPECT_TRUE(outcome.shows("--help")) << words.front();
    EXPECT_EQ(outcome.err, "");
  }
  EXPECT_TRUE(run({"--version"}).out.starts_with("flymc 0."));
}

TEST_F(SummaryCli, StandardOutputThatIsFullIsAnError) {
  expect_done(fit_here({}));
  Running to_full({path("").string()}, path("log").string(), {"summary", "out"}, {});
  EXPECT_EQ(to_full.wait().code, 0);
  std::filesystem::remove(path("log.out"));
  std::filesystem::create_symlink("/dev/full", path("log.out"));
  EXPECT_EQ(Running(path("").string(), path("log").string(), {"summary", "out"}, {}).wait().code,
            74);
}

class Signals : public SummaryCli {
 protected:
  // Sends the signal once the chain files hold draws.
  Outcome interrupted(int signal) const {
    const Running program = start({"fit", "d.csv", "--response", "y", "--out", "out", "--warmup",
                                   "50", "--draws", "1000000000", "--chains", "2"});
    for (int i = 0; i < 5000 && !holds_draws("out/chain-1.csv"); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    EXPECT_EQ(json("out/run.json")["status"], "running");
    program.send(signal);
    return program.wait();
  }

 private:
  [[nodiscard]] bool holds_draws(const std::string& name) const {
    std::error_code ignored;
    constexpr std::size_t kMoreThanTheHead = 10000;
    const auto size = std::filesystem::file_size(path(name), ignored);
    return !ignored && size > kMoreThanTheHead;
  }
};

TEST_F(Signals, CtrlCLeavesAReadableRun) {
  const Outcome outcome = interrupted(SIGINT);
  EXPECT_EQ(outcome.code, 130);
  EXPECT_TRUE(outcome.says("stopped by Ctrl-C at draw ")) << outcome.err;
  EXPECT_TRUE(outcome.says("; go on with: flymc fit --resume out"));
  EXPECT_FALSE(outcome.says("flymc: "));
  EXPECT_EQ(json("out/run.json")["status"], "interrupted");
  EXPECT_GT(json("out/run.json")["sampling"]["iterations"], 0);
  EXPECT_GT(draws("out/chain-1.csv").draws(), 50U);
  const Outcome summary = run({"summary", "out"});
  expect_done(summary);
  EXPECT_TRUE(summary.shows("interrupted"));
  EXPECT_FALSE(summary.shows("--overwrite")) << summary.out;
  expect_error(fit_here({}), 73, "out/ already holds a run that did not finish");
  expect_done(fit_here({"--overwrite"}));
}

TEST_F(Signals, TerminationLeavesAReadableRun) {
  EXPECT_EQ(interrupted(SIGTERM).code, 143);
  EXPECT_EQ(json("out/run.json")["status"], "interrupted");
  expect_done(run({"summary", "out", "--json"}));
}

}  // namespace
}  // namespace flymc::testing
