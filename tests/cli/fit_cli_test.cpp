// `flymc fit` end to end: every model, input format and engine choice runs and lands near the truth
// (loosely: exactness is tested where the kernels are).
#include "cli/cli_data.hpp"

namespace flymc::testing {
namespace {

class FitCli : public Cli {
 protected:
  void fits(const std::string& data, const Words& options) const {
    expect_done(fit(data, Words{"--overwrite", "--response", "y"} + options));
    for (int k = 1; k <= 2; ++k) {
      const ChainDraws chain = draws("out/chain-" + std::to_string(k) + ".csv");
      EXPECT_GT(chain.draws(), 0U);
      for (const double value : chain.column("lp__")) {
        EXPECT_TRUE(std::isfinite(value));
      }
    }
    EXPECT_EQ(json("out/run.json")["status"], "complete");
  }
};

const Words kLong{"--draws", "1000", "--warmup", "500"};

TEST_F(FitCli, LogisticFindsTheTruth) {
  write("d.csv", binary_csv(4000));
  for (const char* engine : {"fly", "regular"}) {
    fits("d.csv", kLong + Words{"--engine", engine});
    EXPECT_NEAR(mean("alpha"), 0.5, 0.2);
    EXPECT_NEAR(mean("beta.1"), 1.0, 0.2);
    EXPECT_NEAR(mean("beta.2"), -0.5, 0.2);
    EXPECT_EQ(json("out/run.json")["engine"], engine);
  }
}

TEST_F(FitCli, StudentTFindsTheTruth) {
  write("d.csv", numbers_csv(2000));
  for (const char* engine : {"fly", "regular"}) {
    fits("d.csv", kLong + Words{"--model", "student-t", "--engine", engine});
    EXPECT_NEAR(mean("alpha"), 0.5, 0.1);
    EXPECT_NEAR(mean("beta.1"), 1.0, 0.1);
    EXPECT_NEAR(mean("beta.2"), -0.5, 0.1);
  }
  EXPECT_EQ(json("out/run.json")["config"]["scale"], "infer");
  fits("d.csv", {"--model", "student-t", "--nu", "7", "--scale", "0.5"});
  EXPECT_EQ(json("out/run.json")["student_t"], (Json{{"nu", 7.0}, {"scale", 0.5}}));
}

TEST_F(FitCli, SoftmaxFindsTheTruth) {
  write("d.csv", classes_csv(3000));
  for (const char* engine : {"fly", "regular"}) {
    fits("d.csv", kLong + Words{"--model", "softmax", "--engine", engine});
    EXPECT_NEAR(mean("beta.2.1") - mean("beta.1.1"), 1.0, 0.25);
    EXPECT_NEAR(mean("beta.3.2") - mean("beta.1.2"), 1.0, 0.25);
    EXPECT_NEAR(mean("alpha.2") - mean("alpha.1"), 0.0, 0.25);
  }
  const Words columns{"lp__",     "accept_stat__", "bright__", "queries__", "alpha.1",
                      "alpha.2",  "alpha.3",       "beta.1.1", "beta.1.2",  "beta.2.1",
                      "beta.2.2", "beta.3.1",      "beta.3.2"};
  EXPECT_EQ(draws("out/chain-1.csv").columns, columns);
  EXPECT_EQ(json("out/run.json")["parameters"][5],
            (Json{{"column", "beta.2.1"}, {"label", "1: a"}}));
}

TEST_F(FitCli, LabelsOfLogistic) {
  const Simulated s = simulated(300);
  const std::pair<const char*, const char*> words[] = {
      {"0", "1"}, {"-1", "1"}, {"false", "true"}, {"ham", "spam"}};
  std::string first;
  for (const auto& [negative, positive] : words) {
    std::string text = "a,y\n";
    for (std::size_t n = 0; n < s.a.size(); ++n) {
      text += std::to_string(s.a[n]) + "," + (s.binary[n] > 0.0 ? positive : negative) + "\n";
    }
    write("d.csv", text);
    fits("d.csv", {});
    EXPECT_EQ(json("out/run.json")["classes"], (Words{negative, positive}));
    first = first.empty() ? bytes("out/chain-1.csv") : first;
    EXPECT_EQ(bytes("out/chain-1.csv"), first) << positive;
  }
}

TEST_F(FitCli, EveryFormatGivesTheSameDraws) {
  const Simulated s = simulated(200);
  write("d.csv", binary_csv());
  fits("d.csv", {});
  const std::string expected = bytes("out/chain-1.csv");
  std::string tabs = binary_csv();
  std::ranges::replace(tabs, ',', '\t');
  std::vector<double> x;
  for (std::size_t n = 0; n < s.a.size(); ++n) {
    x.insert(x.end(), {s.a[n], s.b[n]});
  }
  write("d.tsv", tabs);
  write("d.csv.gz", gzip(binary_csv()));
  write("noname", tabs);
  write("X.npy", npy_f8("(200, 2)", x));
  write("y.npy", npy_f8("(200,)", s.binary));
  write("d.npz", npz({{"X", npy_f8("(200, 2)", x)}, {"y", npy_f8("(200,)", s.binary)}}, true));
  for (const char* data : {"d.tsv", "d.csv.gz", "noname", "d.npz"}) {
    fits(data, {});
    EXPECT_EQ(bytes("out/chain-1.csv"), expected) << data;
  }
  expect_done(fit("X.npy", {"--response", "y.npy", "--overwrite"}));
  EXPECT_EQ(bytes("out/chain-1.csv"), expected);
  expect_done(fit("d.npz", {"--overwrite"}));
  EXPECT_EQ(bytes("out/chain-1.csv"), expected);
}

TEST_F(FitCli, FeaturesComeInTheOrderAskedFor) {
  write("d.csv", binary_csv());
  fits("d.csv", {"--features", "b,a"});
  const Json parameters = json("out/run.json")["parameters"];
  EXPECT_EQ(parameters[1], (Json{{"column", "beta.1"}, {"label", "b"}}));
  EXPECT_EQ(parameters[2], (Json{{"column", "beta.2"}, {"label", "a"}}));
  EXPECT_LT(mean("beta.1"), mean("beta.2"));
  fits("d.csv", {"--drop", "a"});
  EXPECT_EQ(json("out/run.json")["parameters"][1]["label"], "b");
  EXPECT_EQ(json("out/run.json")["d"], 1);
}

TEST_F(FitCli, CategoricalColumnsHaveOneIndicatorPerLevelButTheFirst) {
  const Simulated s = simulated(300);
  std::string text = "city,a,y\n";
  const char* cities[] = {"Rome", "Bonn", "Oslo"};
  for (std::size_t n = 0; n < s.a.size(); ++n) {
    text += std::string(cities[n % 3]) + "," + std::to_string(s.a[n]) + "," +
            std::to_string(s.binary[n]) + "\n";
  }
  write("d.csv", text);
  fits("d.csv", {"--categorical", "city"});
  const std::string labels = json("out/run.json")["parameters"].dump();
  EXPECT_EQ(json("out/run.json")["d"], 3);
  EXPECT_NE(labels.find("Oslo"), std::string::npos);
  EXPECT_NE(labels.find("Rome"), std::string::npos);
  EXPECT_EQ(labels.find("Bonn"), std::string::npos);
}

TEST_F(FitCli, NoInterceptLeavesAlphaOut) {
  write("d.csv", binary_csv());
  fits("d.csv", {"--no-intercept"});
  const Words columns{"lp__", "accept_stat__", "bright__", "queries__", "beta.1", "beta.2"};
  EXPECT_EQ(draws("out/chain-1.csv").columns, columns);
  EXPECT_FALSE(json("out/run.json")["prior"].contains("intercept"));
}

TEST_F(FitCli, OffsetIsAddedToThePredictor) {
  const Simulated s = simulated(4000);
  write("d.csv", csv({{"a", s.a}, {"o", scaled(s.b, -0.5)}, {"y", s.binary}}));
  fits("d.csv", Words{"--offset", "o"} + kLong);
  EXPECT_NEAR(mean("alpha"), 0.5, 0.2);
  EXPECT_NEAR(mean("beta.1"), 1.0, 0.2);
  write("d.csv", csv({{"a", s.a}, {"o", constant(4000, 3.0)}, {"y", s.binary}}));
  fits("d.csv", Words{"--offset", "o"} + kLong);
  EXPECT_NEAR(mean("alpha"), -2.5, 0.3);
}

TEST_F(FitCli, WeightTwoIsTheSameAsTheRowTwice) {
  const Simulated s = simulated(150);
  const std::string once =
      csv({{"a", s.a}, {"b", s.b}, {"w", constant(150, 2.0)}, {"y", s.binary}});
  const std::string rows = binary_csv(150);
  write("twice.csv", rows + rows.substr(rows.find('\n') + 1));
  write("once.csv", once);
  const Words options{"--prior", "normal:2", "--draws", "3000", "--warmup", "500"};
  fits("once.csv", options + Words{"--weights", "w"});
  const double weighted[] = {mean("alpha"), mean("beta.1"), mean("beta.2")};
  fits("twice.csv", options);
  // Posterior sd about 0.15; 6000 draws with ESS > 1000 give a standard error below 0.005.
  EXPECT_NEAR(mean("alpha"), weighted[0], 0.03);
  EXPECT_NEAR(mean("beta.1"), weighted[1], 0.03);
  EXPECT_NEAR(mean("beta.2"), weighted[2], 0.03);
}

TEST_F(FitCli, ExplicitPriorsApplyToCoefficientsAsReported) {
  // A column of sd 100: a prior sd of 1e-4 shrinks its slope (truth 0.01) although a prior on the
  // standardised column would not.
  const Simulated s = simulated(500);
  write("d.csv", csv({{"a", scaled(s.a, 100.0)}, {"b", s.b}, {"y", s.binary}}));
  fits("d.csv", {"--prior", "normal:0.0001", "--prior-intercept", "normal:10"});
  EXPECT_LT(mean("beta.1"), 0.005);
  EXPECT_NEAR(mean("beta.2"), 0.0, 0.001);
  EXPECT_GT(mean("alpha"), 0.2);
  EXPECT_EQ(json("out/run.json")["prior"], (Json{{"slopes", "normal(0, 0.0001)"},
                                                 {"intercept", "normal(0, 10)"},
                                                 {"standardised", false}}));
}

TEST_F(FitCli, EveryEngineChoiceRuns) {
  write("d.csv", binary_csv(100));
  const std::vector<Words> choices = {
      {"--kernel", "split-hmc"},
      {"--kernel", "elliptical"},
      {"--kernel", "hmc"},
      {"--kernel", "mala"},
      {"--kernel", "rwmh"},
      {"--kernel", "slice"},
      {"--kernel", "independence"},
      {"--z", "implicit"},
      {"--z", "implicit", "--q", "0.05"},
      {"--z", "weighted"},
      {"--z", "implicit", "--q", "0.3", "--q-bright-to-dark", "0.5"},
      {"--bound", "map", "--q", "0.3"},
      {"--bound", "local"},
      {"--z", "explicit"},
      {"--z", "explicit", "--z-fraction", "0.5", "--z-order", "shuffled"},
      {"--z", "explicit", "--z-order", "sequential"},
      {"--bound", "map"},
      {"--bound", "untuned"},
      {"--bound", "untuned", "--xi", "2"},
      {"--frame", "whitened"},
      {"--frame", "plain"},
      {"--init", "laplace"},
      {"--init", "prior"},
      {"--init", "map"},
      {"--anchor", "newton"},
      {"--anchor", "sgd"},
      {"--prior", "normal:2"},
      {"--prior", "laplace:1"},
      {"--prior", "flat"},
      {"--warmup", "0"},
      {"--regular", "--kernel", "slice", "--frame", "plain"}};
  for (const Words& choice : choices) {
    SCOPED_TRACE(choice.front() + " " + choice.back());
    fits("d.csv", choice);
    const std::string name = choice[0].substr(2);
    const Json config = json("out/run.json")["config"];
    if (choice.size() == 2 && config.contains(name) && config[name].is_string()) {
      EXPECT_EQ(config[name], choice[1]);
    }
  }
}

TEST_F(FitCli, EveryKernelRunsWithEveryModel) {
  write("c.csv", classes_csv(80));
  write("n.csv", numbers_csv(80));
  for (const char* kernel :
       {"split-hmc", "hmc", "mala", "rwmh", "slice", "elliptical", "independence"}) {
    for (const char* bound : {"local", "map", "untuned"}) {
      fits("c.csv", {"--model", "softmax", "--kernel", kernel, "--bound", bound});
      fits("n.csv",
           {"--model", "student-t", "--scale", "auto", "--kernel", kernel, "--bound", bound});
    }
  }
}

}  // namespace
}  // namespace flymc::testing
