// The scale of student-t is sampled unless something else is asked; --scale auto is a plug-in.
#include "cli/cli_data.hpp"

namespace flymc::testing {
namespace {

class DefaultScale : public Cli {
 protected:
  void SetUp() override { write("d.csv", numbers_csv(400)); }

  [[nodiscard]] std::string drawn(const Words& more, const std::string& data = "d.csv") const {
    const Words response = data == "d.csv" ? Words{"--response", "y"} : Words{};
    expect_done(fit(data, response + Words{"--model", "student-t", "--overwrite"} + more));
    return bytes("out/chain-1.csv") + bytes("out/chain-2.csv");
  }
  // As the program of before would have left it.
  void without_scale() const {
    Json run = json("out/run.json");
    run["config"].erase("scale");
    write("out/run.json", run.dump());
  }
  [[nodiscard]] std::string gone_on() const {
    expect_done(run({"fit", "--resume", "out", "--draws", "150", "--quiet"}));
    return bytes("out/chain-1.csv");
  }
};

TEST_F(DefaultScale, IsSampled) {
  for (const Words& more : {Words{}, Words{"--engine", "regular"}, Words{"--engine", "fly"},
                            Words{"--nu", "7"}, Words{"--select-prior"}}) {
    const std::string by_default = drawn(more);
    EXPECT_EQ(json("out/run.json")["config"]["scale"], "infer");
    EXPECT_EQ(by_default, drawn(more + Words{"--scale", "infer"}));
    EXPECT_NE(by_default, drawn(more + Words{"--scale", "auto"}));
  }
}

TEST_F(DefaultScale, IsSampledFromAFlyFile) {
  expect_done(run({"convert", "d.csv", "d.fly", "--response", "y"}));
  EXPECT_EQ(drawn({}, "d.fly"), drawn({"--scale", "infer"}));
}

TEST_F(DefaultScale, IsInTheChainsAndFindsTheTruth) {
  write("d.csv", numbers_csv(4000));
  (void)drawn({"--draws", "400"});
  const double sampled = mean("sigma");
  (void)drawn({"--scale", "auto"});
  EXPECT_NEAR(json("out/run.json")["student_t"]["scale"].get<double>(), sampled, 0.05);
}

TEST_F(DefaultScale, OlderRunsGoOnWithWhatWasChosen) {
  (void)drawn({"--scale", "auto", "--draws", "100"});
  EXPECT_EQ(json("out/run.json")["config"]["scale"], "auto");
  const std::string expected = gone_on();
  (void)drawn({"--scale", "auto", "--draws", "100"});
  without_scale();
  EXPECT_EQ(gone_on(), expected);
  expect_done(run({"predict", "out", "d.csv", "--out", "p.csv"}));
}

}  // namespace
}  // namespace flymc::testing
