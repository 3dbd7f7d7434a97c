// The warning of separable classes: on every table that is separable, completely or in part, and on
// no other. (The tables of three hundred random draws were compared with a linear program.)
#include "cli/cli.hpp"
#include "cli/cli_data.hpp"

namespace flymc::cli {
namespace {

using namespace flymc::testing;

class Separation : public Cli {
 protected:
  [[nodiscard]] bool warns(const std::string& table, const std::string& model,
                           const Words& more = {}) const {
    const Outcome outcome = run(Words{"fit", write("t.csv", table), "--response", "y", "--model",
                                      model, "--out", "out", "--overwrite", "--warmup", "20",
                                      "--draws", "20", "--chains", "1", "--progress", "none"} +
                                more);
    expect_done(outcome);
    return outcome.says("warning: the classes are separable");
  }
  // A response that `y` gives the rows of `a`, `b` and a fair coin.
  template <class F>
  [[nodiscard]] std::string table(const F& y) const {
    Simulated s = simulated(200);
    Stream stream(3, 0, Purpose::kTest, 1);
    std::vector<double> response;
    for (std::size_t n = 0; n < s.a.size(); ++n) {
      response.push_back(y(s.a[n], s.b[n], stream.uniform() < 0.5));
      s.eta[n] = s.b[n] > 1.0 ? 1.0 : 0.0;
    }
    return testing::csv({{"a", s.a}, {"b", s.b}, {"q", s.eta}, {"y", response}});
  }
};

TEST_F(Separation, InPartByALevelOfOneClass) {
  const auto by_level = table([](double, double b, bool coin) { return b > 1.0 || coin; });
  const auto by_none = table([](double, double, bool coin) { return coin; });
  for (const std::string model : {"logistic", "probit", "softmax"}) {
    EXPECT_TRUE(warns(by_level, model)) << model;
    EXPECT_TRUE(warns(by_level, model, {"--prior", "normal:0.1"})) << model;
    EXPECT_TRUE(warns(by_level, model, {"--prior", "laplace:0.1"})) << model;
    EXPECT_TRUE(warns(by_level, model, {"--kernel", "mala", "--bound", "map"})) << model;
    EXPECT_FALSE(warns(by_none, model)) << model;
    EXPECT_FALSE(warns(by_none, model, {"--prior", "normal:0.01"})) << model;
  }
}

TEST_F(Separation, WhateverOffsetsAndWeightsSay) {
  const auto complete = table([](double a, double, bool) { return a > 0.0; });
  for (const std::string model : {"logistic", "probit"}) {
    EXPECT_TRUE(warns(complete, model));
    EXPECT_TRUE(warns(complete, model, {"--no-intercept"}));
    EXPECT_TRUE(warns(complete, model, {"--offset", "b"}));
    EXPECT_TRUE(warns(complete, model, {"--weights", "q"})) << "rows of weight 0 do not count";
  }
}

TEST_F(Separation, OfOneClassFromTheOthers) {
  EXPECT_TRUE(
      warns(table([](double a, double, bool coin) { return a > 1.0 ? 2.0 : coin; }), "softmax"));
  EXPECT_TRUE(warns(table([](double a, double, bool) { return a < -0.5  ? 0
                                                              : a < 0.5 ? 1
                                                                        : 2; }),
                    "softmax"));
  EXPECT_FALSE(
      warns(table([](double a, double, bool coin) { return coin ? 2.0 : a > 0.0; }), "softmax"));
}

TEST_F(Separation, OfTrialsThatAllSucceed) {
  const Simulated s = simulated(200);
  std::vector<double> level, trials, successes;
  for (std::size_t n = 0; n < s.b.size(); ++n) {
    level.push_back(s.b[n] > 1.0 ? 1.0 : 0.0);
    trials.push_back(10.0);
    successes.push_back(s.b[n] > 1.0 ? 10.0 : 1.0 + std::floor(4.0 * std::abs(std::sin(s.a[n]))));
  }
  const Words with_trials{"--trials", "n"};
  EXPECT_TRUE(warns(testing::csv({{"a", s.a}, {"q", level}, {"n", trials}, {"y", successes}}),
                    "binomial", with_trials));
  EXPECT_FALSE(
      warns(testing::csv({{"a", s.a}, {"n", trials}, {"y", successes}}), "binomial", with_trials));
}

// More rows than are searched at once; the level is on one in a thousand.
TEST_F(Separation, ByARareLevelOfATallTable) {
  Simulated s = simulated(60'000);
  for (std::size_t n = 0; n < s.a.size(); ++n) {
    s.b[n] = n % 1000 == 7 ? 1.0 : 0.0;
    s.binary[n] = n % 1000 == 7 ? 1.0 : s.binary[n];
  }
  EXPECT_TRUE(warns(testing::csv({{"a", s.a}, {"b", s.b}, {"y", s.binary}}), "logistic"));
  s.binary[7] = 0.0;
  EXPECT_FALSE(warns(testing::csv({{"a", s.a}, {"b", s.b}, {"y", s.binary}}), "logistic"));
}

}  // namespace
}  // namespace flymc::cli
