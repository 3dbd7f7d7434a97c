// `flymc fit --select-prior`: what is chosen is said, used, and the same for every engine.
#include "cli/cli_data.hpp"

namespace flymc::testing {
namespace {

class SelectPrior : public Cli {
 protected:
  void simulate(const Words& options) const {
    expect_done(run(Words{"simulate", "--out", "sim", "-n", "400", "-d", "20"} + options));
  }
  Outcome choose(const Words& options) const {
    return fit("sim/X.npy",
               Words{"--response", "sim/y.npy", "--select-prior", "--overwrite"} + options);
  }
  // The prior as run.json shows it.
  [[nodiscard]] std::string used(const char* part) const {
    return json("out/run.json")["prior"][part];
  }
  [[nodiscard]] double scale() const { return json("out/run.json")["student_t"]["scale"]; }
};

TEST_F(SelectPrior, ChoosesAScaleForWeakEffects) {
  simulate({"--predictor-sd", "0.5"});
  const Outcome outcome = choose({});
  expect_done(outcome);
  const std::string slopes = used("slopes");
  EXPECT_NE(slopes, "normal(0, 2.5)");
  EXPECT_TRUE(slopes.starts_with("normal(0, 0."));
  EXPECT_TRUE(
      outcome.says("--select-prior: " + slopes + " on held-out rows (mean log likelihood "));
  EXPECT_TRUE(outcome.says(" with normal(0, 2.5); 15 scales tried, 80 rows held out)"));
  EXPECT_TRUE(outcome.says("prior: slopes " + slopes + ", intercept normal(0, 10)"));
  const Json config = json("out/run.json")["config"];
  EXPECT_EQ(config["select-prior"], true);
  EXPECT_EQ(config["prior"], "auto");
}

// Two columns whose coefficients the data determine well: the likelihood of held-out rows is almost
// flat above their size, and shrinking them to the edge of that plateau would be a bias.
TEST_F(SelectPrior, DoesNotShrinkFewColumns) {
  expect_done(fit(write("d.csv", binary_csv(4000)), {"--response", "y"}));
  const double slope = mean("beta.1");
  expect_done(fit("d.csv", {"--response", "y", "--select-prior", "--prior", "normal:1",
                            "--prior-intercept", "normal:10", "--overwrite"}));
  EXPECT_NEAR(mean("beta.1"), slope, 0.02);
}

TEST_F(SelectPrior, KeepsTheKindAndAnInterceptsOwnPrior) {
  simulate({"--predictor-sd", "0.5"});
  expect_done(choose({"--prior", "laplace:2"}));
  EXPECT_TRUE(used("slopes").starts_with("laplace(0, 0."));
  EXPECT_EQ(used("intercept"), used("slopes"));
  expect_done(choose({"--prior", "laplace:2", "--prior-intercept", "normal:5"}));
  EXPECT_TRUE(used("slopes").starts_with("laplace(0, 0."));
  EXPECT_EQ(used("intercept"), "normal(0, 5)");
}

TEST_F(SelectPrior, SaysThatTheRangeEnds) {
  simulate({});
  EXPECT_TRUE(choose({"--prior", "normal:0.003"}).says("; the largest of 15 scales tried, "));
  // Many columns of little effect: as small as can be had.
  expect_done(run({"simulate", "--out", "sim", "-n", "400", "-d", "100", "--predictor-sd", "0.1",
                   "--overwrite"}));
  EXPECT_TRUE(choose({"--prior", "normal:200"}).says("; the smallest of 15 scales tried, "));
}

TEST_F(SelectPrior, ChoosesTheScaleOfStudentTToo) {
  simulate({"--model", "student-t", "--scale", "3", "--predictor-sd", "1"});
  const Outcome outcome = choose({"--model", "student-t", "--scale", "auto"});
  expect_done(outcome);
  EXPECT_GT(scale(), 3.0 / 1.5);
  EXPECT_LT(scale(), 3.0 * 1.5);
  EXPECT_TRUE(outcome.says(used("slopes") + ", scale "));
  EXPECT_EQ(json("out/run.json")["config"]["scale"], "auto");
  expect_done(choose({"--model", "student-t", "--scale", "2"}));
  EXPECT_EQ(scale(), 2.0);
}

// The prior alone is chosen then, beside a scale that is as free in the held-out fits as later.
TEST_F(SelectPrior, LeavesAScaleThatIsSampledAlone) {
  simulate({"--model", "student-t", "--scale", "3", "--predictor-sd", "1"});
  const Outcome outcome = choose({"--model", "student-t"});
  expect_done(outcome);
  EXPECT_TRUE(outcome.says("--select-prior: " + used("slopes") + " on held-out rows"));
  EXPECT_FALSE(outcome.says(", scale "));
  EXPECT_EQ(json("out/run.json")["config"]["scale"], "infer");
  EXPECT_NEAR(mean("sigma"), 3.0, 0.6);
}

TEST_F(SelectPrior, WorksForEveryModel) {
  const std::pair<const char*, Words> models[] = {{"softmax", {}},
                                                  {"poisson", {}},
                                                  {"probit", {}},
                                                  {"negative-binomial", {"--size", "5"}},
                                                  {"binomial", {"--trials", "sim/trials.npy"}}};
  for (const auto& [model, more] : models) {
    simulate({"--model", model, "--overwrite"});
    const Outcome outcome = choose(Words{"--model", model} + more);
    expect_done(outcome);
    EXPECT_TRUE(outcome.says(" scales tried, 80 rows held out)")) << model;
  }
}

// Rows that the default engine merges: the posterior must not depend on that.
TEST_F(SelectPrior, IsTheSameForEveryEngineAndNumberOfThreads) {
  Simulated s = simulated(400);
  for (std::size_t n = 0; n < s.a.size(); ++n) {
    s.a[n] = std::round(s.a[n]);
    s.b[n] = std::round(s.b[n]);
  }
  write("d.csv", csv({{"a", s.a}, {"b", s.b}, {"y", s.binary}}));
  std::vector<Json> priors;
  for (const Words& how : {Words{}, Words{"--regular"}, Words{"--threads", "3"}}) {
    expect_done(fit("d.csv", Words{"--response", "y", "--select-prior", "--overwrite"} + how));
    priors.push_back(json("out/run.json")["prior"]);
  }
  EXPECT_EQ(priors[0], priors[1]);
  EXPECT_EQ(priors[0], priors[2]);
}

TEST_F(SelectPrior, RefusesWhatHasNoScaleOrNoRows) {
  write("d.csv", binary_csv());
  expect_error(fit("d.csv", {"--response", "y", "--select-prior", "--prior", "flat"}), 64,
               "--select-prior: a flat prior has no scale to choose");
  write("few.csv", "a,y\n1,0\n2,1\n3,0\n");
  expect_error(fit("few.csv", {"--response", "y", "--select-prior"}), 65, "3 rows are too few");
  EXPECT_FALSE(exists("out"));
}

}  // namespace
}  // namespace flymc::testing
