// One file and one line (toy.hpp, families.txt) are all that the program was given: every command
// knows the family.
#include "flymc/family/toy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cli/cli.hpp"

namespace flymc::testing {
namespace {

using ::testing::HasSubstr;

TEST(ToyFamily, BoundLiesBelowTheLikelihood) {
  const Toy toy(0.7);
  for (double anchor = -6.0; anchor <= 6.0; anchor += 0.37) {
    for (double u = -4.0; u <= 4.0; u += 0.11) {
      double slope = 0.0;
      const double remainder = toy.remainder(anchor, u, 0.4, slope);
      const double bend = toy.local_curvature(anchor, 0.4, std::abs(u));
      EXPECT_GE(remainder + 0.5 * bend * u * u, 0.0);
      double at = 0.0;
      const double direct =
          toy.log_likelihood(anchor + u, 0.4) - toy.log_likelihood(anchor, 0.4, at) - at * u;
      EXPECT_NEAR(remainder, direct, 1e-12);
    }
  }
}

class ToyProgram : public Cli {
 protected:
  void SetUp() override {
    const Outcome made = run({"simulate", "--model", "toy", "-n", "2000", "-d", "3", "--width",
                              "0.8", "--seed", "5", "--out", "sim"});
    expect_done(made);
    EXPECT_THAT(made.out, HasSubstr("--model toy --width 0.8 --out run/"));
  }
  [[nodiscard]] Outcome fit_toy(const Words& options = {}) const {
    return fit(
        "sim/X.npy",
        Words{"--response", "sim/y.npy", "--model", "toy", "--width", "0.8", "--quiet"} + options);
  }
};

TEST_F(ToyProgram, HelpNamesIt) {
  EXPECT_THAT(run({"fit", "--help"}).out, HasSubstr("scale of the noise, default 0.5"));
  EXPECT_THAT(run({"fit", "--help"}).out, HasSubstr(", toy]"));
  EXPECT_THAT(run({"simulate", "--help"}).out, HasSubstr("toy"));
}

// 200 draws of a posterior whose sd is about 0.03: ten of these.
TEST_F(ToyProgram, FitFindsTheTruth) {
  expect_done(fit_toy());
  const Json truth = json("sim/truth.json");
  EXPECT_EQ(truth["width"], 0.8);
  EXPECT_NEAR(mean("alpha"), truth["alpha"].get<double>(), 0.3);
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_NEAR(mean("beta." + std::to_string(j + 1)), truth["beta"][j].get<double>(), 0.3);
  }
  EXPECT_EQ(json("out/run.json")["toy"]["width"], 0.8);
  EXPECT_EQ(json("out/run.json")["config"]["width"], 0.8);
  EXPECT_EQ(json("out/run.json")["config"]["model"], "toy");
}

// Its own bounds: the same posterior from every row and from a few.
TEST_F(ToyProgram, BothEnginesAgree) {
  expect_done(fit_toy({"--regular", "--draws", "400"}));
  const double regular = mean("beta.1");
  expect_done(fit_toy({"--engine", "fly", "--draws", "400", "--overwrite"}));
  EXPECT_NEAR(mean("beta.1"), regular, 0.02);
}

TEST_F(ToyProgram, PredictsAndReports) {
  expect_done(fit_toy());
  expect_done(run({"predict", "out", "sim/X.npy", "--response", "sim/y.npy", "--log-lik", "--out",
                   "p.csv", "--quiet"}));
  EXPECT_THAT(bytes("p.csv"), ::testing::StartsWith("mean,sd,q5,q95,log_lik\n"));
  expect_done(run({"report", "out"}));
  EXPECT_THAT(bytes("out/report.html"), HasSubstr("logistic with width 0.8"));
  EXPECT_THAT(bytes("out/report.html"), HasSubstr("residual / scale"));
}

TEST_F(ToyProgram, ItsSettingIsChecked) {
  expect_error(fit("sim/X.npy", {"--response", "sim/y.npy", "--model", "toy", "--width", "-1"}), 64,
               "--width -1: must be positive.");
}

TEST_F(ToyProgram, OtherFamiliesAreAsTheyWere) {
  expect_done(fit("sim/X.npy", {"--response", "sim/y.npy", "--model", "student-t", "--quiet"}));
  EXPECT_EQ(json("out/run.json")["model"], "student-t");
}

}  // namespace
}  // namespace flymc::testing
