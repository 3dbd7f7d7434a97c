// Degrees of freedom that are sampled: --nu infer.
#include "cli/cli.hpp"

namespace flymc::testing {
namespace {

class InferNu : public Cli {
 protected:
  void SetUp() override {
    expect_done(run({"simulate", "--model", "student-t", "-n", "1500", "-d", "2", "--nu", "3",
                     "--seed", "5", "--out", "sim"}));
  }
  [[nodiscard]] Outcome fit(const Words& more, const std::string& out) const {
    return run(Words{"fit", "sim/X.npy", "--response", "sim/y.npy", "--model", "student-t", "--nu",
                     "infer", "--draws", "400", "--warmup", "300", "--out", out} +
               more);
  }
  [[nodiscard]] Json parameter(const std::string& folder, const std::string& column) const {
    const Json summary = Json::parse(run({"summary", folder, "--json"}).out);
    for (const Json& one : summary["parameters"]) {
      if (one["column"] == column) {
        return one;
      }
    }
    ADD_FAILURE() << column;
    return {};
  }
};

TEST_F(InferNu, FindsTheTruthWithEitherEngine) {
  for (const char* engine : {"fly", "regular"}) {
    SCOPED_TRACE(engine);
    expect_done(fit({"--engine", engine}, engine));
    for (const auto& [column, truth] : {std::pair{"nu", 3.0}, {"sigma", 1.0}}) {
      const Json found = parameter(engine, column);
      EXPECT_NEAR(found["mean"].get<double>(), truth, 4.0 * found["sd"].get<double>()) << column;
      EXPECT_LT(found["rhat"].get<double>(), 1.05) << column;
    }
  }
  const Json fly = parameter("fly", "nu");
  const Json regular = parameter("regular", "nu");
  const double error =
      std::hypot(fly["mcse_mean"].get<double>(), regular["mcse_mean"].get<double>());
  EXPECT_NEAR(fly["mean"].get<double>(), regular["mean"].get<double>(), 4.5 * error);
}

TEST_F(InferNu, TakesAPriorAFixedSigmaAndGoesOn) {
  expect_done(fit({"--sigma", "1", "--prior-aux", "nu ~ exponential(0.1)"}, "out"));
  EXPECT_EQ(json("out/run.json")["config"]["nu"], "infer");
  EXPECT_EQ(parameter("out", "nu")["column"], "nu");
  expect_done(run({"fit", "--resume", "out", "--draws", "450", "--quiet"}));
  expect_done(run({"predict", "out", "sim/X.npy", "--out", "p.csv", "--predictive"}));
  expect_done(run({"report", "out", "--out", "page.html"}));
}

TEST_F(InferNu, NumbersForWhatIsSampledAreRefused) {
  expect_error(fit({"--scale", "2"}, "new"), 64, "--scale 2: it is sampled");
  expect_error(fit({"--prior-aux", "nu ~ flat"}, "new"), 65, "no proper posterior");
  expect_error(run({"fit", "sim/X.npy", "--response", "sim/y.npy", "--model", "student-t",
                    "--scale", "infer", "--sigma", "2", "--out", "new"}),
               64, "--sigma 2: it is sampled");
  expect_error(run({"fit", "sim/X.npy", "--response", "sim/y.npy", "--model", "student-t", "--nu",
                    "many", "--out", "new"}),
               64, "--nu many: must be a number or infer.");
}

}  // namespace
}  // namespace flymc::testing
