// Words from files (@args.txt, --config run.toml), and the command that looks at the machine.
#include "cli/cli_data.hpp"

namespace flymc::testing {
namespace {

class ArgumentFiles : public Cli {
 protected:
  void SetUp() override {
    write("d.csv", binary_csv());
    expect_done(fit("d.csv", {"--response", "y", "--prior", "normal:2", "--seed", "9"}));
    expected_ = chains();
    std::filesystem::remove_all(path("out"));
  }
  [[nodiscard]] std::string chains() const {
    return read_bytes(path("out/chain-1.csv")) + read_bytes(path("out/chain-2.csv"));
  }
  // One line on standard error that names the file.
  void expect_refused(const std::string& config, const std::string& words) {
    write("run.toml", config);
    expect_error(run({"fit", "d.csv", "--config", "run.toml", "--out", "out"}), 64, words);
  }

  std::string expected_;
};

TEST_F(ArgumentFiles, WordsOfAFileAreAsIfTyped) {
  write("args.txt", "--response y   # the class\n\n--prior 'normal:2'\n\"--seed\" 9\n");
  expect_done(fit("d.csv", {"@args.txt"}));
  EXPECT_EQ(chains(), expected_);
  expect_error(run({"fit", "d.csv", "@gone.txt"}), 66, "gone.txt");
  write("open.txt", "--response 'y");
  expect_error(run({"fit", "d.csv", "@open.txt"}), 64, "not closed");
}

TEST_F(ArgumentFiles, AConfigurationIsTheRunThatItsOptionsAre) {
  write("run.toml",
        "# a run\ndata = \"d.csv\"\nresponse = 'y'\nprior = \"normal:2\"  # a comment\nseed = 9\n"
        "features = [\"a\", \"b\"]\nselect-prior = false\nout = \"out\"\nquiet = true\n");
  const Outcome outcome = run({"fit", "--config", "run.toml"});
  expect_done(outcome);
  EXPECT_EQ(outcome.out + outcome.err, "");
  EXPECT_EQ(Json::parse(read_bytes(path("out/run.json")))["config"]["prior"], "normal:2");
  EXPECT_EQ(Json::parse(read_bytes(path("out/run.json")))["config"]["seed"], 9);
}

TEST_F(ArgumentFiles, WhatIsTypedWinsOverAConfiguration) {
  write("run.toml",
        "data = \"gone.csv\"\nresponse = \"y\"\nprior = \"flat\"\nseed = 1\nmodel = \"poisson\"\n");
  expect_done(run({"fit", "d.csv", "--config=run.toml", "--prior", "normal:2", "--seed=9",
                   "--family", "logistic", "--out", "out"}));
  EXPECT_EQ(Json::parse(read_bytes(path("out/run.json")))["config"]["model"], "logistic");
  std::filesystem::remove_all(path("out"));
  expect_done(fit("d.csv", {"--config", "run.toml", "--prior", "normal:2", "--seed", "9", "--model",
                            "logistic"}));
  EXPECT_EQ(chains(), expected_);
}

TEST_F(ArgumentFiles, AConfigurationThatIsWrongIsRefusedWithItsLine) {
  expect_refused("respons = \"y\"\n", "run.toml:1: no setting 'respons'; did you mean 'response'?");
  expect_refused("\nresponse = y\n", "run.toml:2");
  expect_refused("[fit]\nresponse = \"y\"\n", "run.toml:1: sections");
  expect_refused("response \"y\"\n", "run.toml:1");
  expect_refused("quiet = 1\n", "run.toml:1: 'quiet' is true or false");
  expect_refused("response = true\n", "run.toml:1: 'response' takes text or a number");
  expect_refused("seed = 1\nseed = 2\n", "run.toml:2: 'seed' is set a second time");
  expect_refused("drop = [\"a\" \"b\"]\n", "run.toml:1: a list is not closed");
  expect_refused("response = \"y\" z\n", "run.toml:1: there is more");
  expect_refused("draws = -5\nresponse = \"y\"\n", "--draws -5");
  expect_error(run({"fit", "d.csv", "--config", "gone.toml"}), 66, "gone.toml");
  write("run.toml", "draws = 5\n");
  expect_error(run({"fit", "--resume", "out", "--config", "run.toml"}), 64, "--resume");
}

TEST_F(ArgumentFiles, NothingIsPrintedInColour) {
  for (const Outcome& outcome :
       {run({"--help"}), run({"doctor"}), fit("d.csv", {"--response", "y"})}) {
    EXPECT_EQ((outcome.out + outcome.err).find("\x1b["), std::string::npos);
  }
}

TEST_F(ArgumentFiles, DoctorSaysWhatIsHereAndTestsItself) {
  const Outcome outcome = run({"doctor"});
  expect_done(outcome);
  for (const char* word : {"version    flymc 0.", "processor", "memory", "MPI", "DuckDB",
                           "self-test  passed: posterior mean"}) {
    EXPECT_TRUE(outcome.shows(word)) << word << " in\n" << outcome.out;
  }
}

}  // namespace
}  // namespace flymc::testing
