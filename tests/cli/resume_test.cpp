// A run that was killed, stopped or ran out of disk goes on, and ends with the bytes of one that
// was never disturbed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <tuple>

#include "cli/cli_data.hpp"
#include "cli/resume_support.hpp"
#include "flymc/random.hpp"

namespace flymc::testing {
namespace {

class Resume : public Resumed {
 protected:
  static inline const Words kOften{"--checkpoint-every", "5ms"};

  Resume() { write("a.csv", binary_csv()); }

  [[nodiscard]] Words words(const std::string& out, const Words& more,
                            const std::string& data = "a.csv") const {
    return Words{"fit",      data, "--response", "y",   "--out",  out,
                 "--chains", "2",  "--warmup",   "100", "--quiet"} +
           kOften + more;
  }

  static std::vector<double> ten_moments_s() {
    Stream stream(20, 0, Purpose::kInit, 1);
    std::vector<double> moments(10);
    for (double& moment : moments) {
      moment = 0.01 + 0.12 * stream.uniform();
    }
    return moments;
  }
};

// A setting of another family is refused where somebody gives it, not where a run has it.
TEST_F(Resume, RunWithASettingOfAnotherFamilyGoesOn) {
  expect_done(run(words("whole", {"--draws", "60"})));
  expect_done(run(words("out", {"--draws", "40"})));
  std::string text = bytes("out/run.json");
  const std::string line = "\"nu\": 4.0";
  ASSERT_NE(text.find(line), std::string::npos);
  write("out/run.json", text.replace(text.find(line), line.size(), "\"nu\": 3.0"));
  expect_done(resume({"--draws", "60"}));
  expect_same_run();
  expect_done(run(words("again", {"--draws", "60", "--nu", "4", "--scale", "auto"})));
}

class ResumeKernel : public Resume, public ::testing::WithParamInterface<Words> {};

TEST_P(ResumeKernel, KilledTenTimesARunEndsWithTheSameBytes) {
  ASSERT_EQ(run(words("whole", GetParam())).code, 0);
  kill_often(words("out", GetParam()), ten_moments_s(), kOften);
  expect_same_run();
}

TEST_F(Resume, KilledTenTimesARunOnAMappedFileEndsWithTheBytesOfTheCsv) {
  const Words options{"--draws", "30000"};
  ASSERT_EQ(run(words("whole", options)).code, 0);
  ASSERT_EQ(run({"convert", "a.csv", "a.fly", "--response", "y"}).code, 0);
  kill_often(words("out", options, "a.fly"), ten_moments_s(), kOften);
  expect_same_run();
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, ResumeKernel,
    ::testing::Values(
        Words{"--kernel", "split-hmc", "--draws", "30000"},
        Words{"--kernel", "hmc", "--draws", "10000"},
        Words{"--kernel", "mala", "--bound", "map", "--draws", "20000"},
        Words{"--kernel", "rwmh", "--bound", "untuned", "--z", "explicit", "--draws", "10000"},
        Words{"--kernel", "slice", "--frame", "plain", "--bound", "map", "--draws", "5000"},
        Words{"--kernel", "elliptical", "--draws", "20000"},
        Words{"--kernel", "independence", "--draws", "20000"},
        Words{"--engine", "regular", "--draws", "5000", "--thin", "3"}),
    [](const auto& test) {
      return std::to_string(test.index) + (test.index < 7 ? "" : "regular");
    });

TEST_F(Resume, StoppedByASignalGoesOn) {
  ASSERT_EQ(run(words("whole", {"--draws", "40000"})).code, 0);
  for (const int signal : {SIGINT, SIGTERM}) {
    std::filesystem::remove_all(path("out"));
    const Running running = start(words("out", {"--draws", "40000"}));
    while (!exists("out/chain-2.ckpt")) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    running.send(signal);
    const Outcome stopped = running.wait();
    if (stopped.code != 0) {  // it may have been faster
      EXPECT_EQ(stopped.code, 128 + signal);
      EXPECT_EQ(json("out/run.json")["status"], "interrupted");
    }
    EXPECT_EQ(resume().code, 0);
    expect_same_run();
  }
}

TEST_F(Resume, MoreDrawsLaterAreTheDrawsOfALongerRun) {
  ASSERT_EQ(run(words("whole", {"--draws", "1200", "--save-warmup"})).code, 0);
  ASSERT_EQ(run(words("out", {"--draws", "150", "--save-warmup"})).code, 0);
  const double before = json("out/run.json")["seconds"];
  EXPECT_EQ(resume({"--draws", "1200"}).code, 0);
  EXPECT_GT(json("out/run.json")["seconds"].get<double>(), before);
  EXPECT_GT(json("out/run.json")["seconds"].get<double>() - before,
            json("out/run.json")["setup"]["seconds"].get<double>());
  expect_same_run();
  EXPECT_TRUE(bytes("out/warmup-1.csv") == bytes("whole/warmup-1.csv"));
  EXPECT_EQ(json("out/run.json")["config"]["draws"], 1200);
  EXPECT_EQ(json("out/run.json")["sampling"]["queries_z"],
            json("whole/run.json")["sampling"]["queries_z"]);
  EXPECT_EQ(json("out/run.json")["brightest"], json("whole/run.json")["brightest"]);
  expect_error(resume({"--draws", "300"}), 64, "--draws 300: out/ already holds 1,200 draws");
}

TEST_F(Resume, CompleteRunHasNothingLeftToDo) {
  ASSERT_EQ(run(words("out", {"--draws", "100"})).code, 0);
  const std::string before = bytes("out/chain-1.csv") + bytes("out/run.json");
  const Outcome again = run({"fit", "--resume", "out"});
  EXPECT_EQ(again.code, 0);
  EXPECT_TRUE(again.says("out/ is complete")) << again.err;
  EXPECT_EQ(resume({"--draws", "100"}).code, 0);
  EXPECT_TRUE(bytes("out/chain-1.csv") + bytes("out/run.json") == before);
}

TEST_F(Resume, TimeThatIsUpCanBeAddedTo) {
  ASSERT_EQ(run(words("whole", {"--draws", "30000"})).code, 0);
  Outcome outcome = run(words("out", {"--draws", "30000", "--max-time", "60ms"}));
  for (int i = 0; i < 1000 && outcome.code != 0; ++i) {
    ASSERT_EQ(outcome.code, 75) << outcome.err;
    ASSERT_EQ(json("out/run.json")["status"], "interrupted");
    outcome = resume({"--max-time", fmt::format("{}ms", 60 + 20 * i)});
  }
  expect_same_run();
}

TEST_F(Resume, TimeThatIsUpShowsWhatThereIs) {
  const Words small{"fit", "a.csv", "--response", "y", "--chains", "2", "--out"};
  const Outcome drawn = run(small + Words{"out", "--draws", "100000000", "--max-time", "1s"});
  EXPECT_EQ(drawn.code, 75);
  EXPECT_TRUE(drawn.says("stopped by --max-time at draw ")) << drawn.err;
  EXPECT_TRUE(drawn.shows("interrupted") && drawn.shows("lp__")) << drawn.out;
  const Outcome warm =
      run(small + Words{"warm", "--warmup", "100000000", "--draws", "20", "--max-time", "300ms"});
  EXPECT_EQ(warm.code, 75);
  EXPECT_TRUE(
      warm.says("stopped by --max-time in warm-up, before draw 1 of 20; go on with: flymc "
                "fit --resume warm"))
      << warm.err;
  EXPECT_EQ(warm.out, "");
  expect_error(run({"summary", "warm"}), 66,
               "warm/ holds no draws yet; wait, go on with --resume where it was stopped, or");
}

TEST_F(Resume, EffectiveSampleIsReachedAtTheSameDrawHoweverOftenStopped) {
  ASSERT_EQ(run(words("whole", {"--ess", "3000"})).code, 0);
  const std::size_t draws = Cli::draws("whole/chain-1.csv").draws();
  EXPECT_NE(bytes("whole/chain-1.csv").find(fmt::format("num_samples = {}\n", draws)),
            std::string::npos);
  ASSERT_EQ(run(words("out", {"--ess", "500"})).code, 0);
  EXPECT_LT(Cli::draws("out/chain-1.csv").draws(), draws);
  ASSERT_EQ(resume({"--ess", "3000"}).code, 0);
  expect_same_run();
  const Json summary = Json::parse(run({"summary", "out", "--json"}).out);
  for (const auto& parameter : summary["parameters"]) {
    EXPECT_GE(parameter["ess_bulk"], 3000.0);
  }
}

// EFBIG in place of ENOSPC, but a write that fails half way all the same.
TEST_F(Resume, DiskThatFillsUpLosesNothing) {
  ASSERT_EQ(run(words("whole", {"--draws", "8000"})).code, 0);
  const Outcome full = run_confined(words("out", {"--draws", "8000"}), {.largest_file = 400'000});
  expect_error(full, 74, "out/chain-");
  EXPECT_TRUE(full.says("the checkpoint of draw ")) << full.err;
  EXPECT_TRUE(full.says("then flymc fit --resume out/")) << full.err;
  EXPECT_EQ(resume().code, 0);
  expect_same_run();
}

TEST_F(Resume, OptionOfTheRunItselfIsRefused) {
  ASSERT_EQ(run(words("out", {"--draws", "50"})).code, 0);
  expect_error(resume({"--kernel", "hmc"}), 64, "--kernel: --resume goes on with");
  expect_error(resume({"--out", "other"}), 64, "--out: --resume");
  expect_error(run({"fit", "a.csv", "--resume", "out"}), 64, "DATA: --resume");
  expect_error(resume({"--max-time", "5"}), 64, "--max-time 5: must be a positive number plus");
  expect_error(resume({"--checkpoint-every", "0s"}), 64, "--checkpoint-every 0s");
  expect_error(resume({"--ess", "-1"}), 64, "--ess -1: must be positive");
}

TEST_F(Resume, DataThatChangedOrAreGoneAreRefused) {
  ASSERT_EQ(run(words("out", {"--draws", "50"})).code, 0);
  const std::string before = bytes("out/run.json");
  const std::string csv = bytes("a.csv");
  write("a.csv", csv + "1,1,1\n");
  expect_error(resume({"--draws", "60"}), 65, "has changed since out/ began");
  std::filesystem::remove(path("a.csv"));
  expect_error(resume({"--draws", "60"}), 66, "a.csv");
  EXPECT_EQ(bytes("out/run.json"), before);
  write("a.csv", csv);
  EXPECT_EQ(resume({"--draws", "60"}).code, 0);
}

TEST_F(Resume, DamagedFilesOfTheRunAreNamed) {
  ASSERT_EQ(run(words("out", {"--draws", "50"})).code, 0);
  const std::string checkpoint = bytes("out/chain-2.ckpt");
  write("out/chain-2.ckpt", checkpoint.substr(0, checkpoint.size() / 2));
  expect_error(resume({"--draws", "60"}), 65, "out/chain-2.ckpt: damaged");
  write("out/chain-2.ckpt", bytes("out/chain-1.ckpt"));
  expect_error(resume({"--draws", "60"}), 65, "out/chain-2.ckpt is of another run");
  write("out/chain-2.ckpt", checkpoint);
  const std::string chain = bytes("out/chain-1.csv");
  write("out/chain-1.csv", chain.substr(0, chain.size() - 100));
  expect_error(resume({"--draws", "60"}), 65, "out/chain-1.csv is shorter than its checkpoint");
}

TEST_F(Resume, ChainWithoutACheckpointStartsOver) {
  ASSERT_EQ(run(words("whole", {"--draws", "80"})).code, 0);
  ASSERT_EQ(run(words("out", {"--draws", "50"})).code, 0);
  std::filesystem::remove(path("out/chain-2.ckpt"));
  EXPECT_EQ(resume({"--draws", "80"}).code, 0);
  expect_same_run();
}

TEST_F(Resume, FolderThatIsBeingWrittenIsLeftAlone) {
  const Running running = start(words("out", {"--draws", "100000000"}));
  while (!exists("out/chain-1.ckpt")) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  expect_error(resume(), 73, "out/ is being written by another flymc");
  expect_error(run(words("out", {"--overwrite"})), 73, "out/ is being written by another flymc");
  running.send(SIGKILL);
  std::ignore = running.wait();
}

TEST_F(Resume, FolderThatHoldsNoRunIsSaid) {
  expect_error(resume(), 66, "no run folder 'out/'");
  ASSERT_EQ(run({"demo", "--out", "out"}).code, 0);
  expect_error(resume({"--draws", "50000"}), 65, "there is no file to resume with");
}

}  // namespace
}  // namespace flymc::testing
