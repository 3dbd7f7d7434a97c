// Ranks that fail, one or all: one line says so, nobody waits, and a run outlives it.
#include <csignal>

#include "cli/mpi_support.hpp"
#include "data/format/npy.hpp"

namespace flymc {
namespace {

using testing::expect_done;
using testing::kRows;
using testing::operator+;
using testing::Outcome;
using testing::Running;
using testing::Words;

class MpiFailure : public testing::MpiCli {};

INSTANTIATE_TEST_SUITE_P(Launchers, MpiFailure, ::testing::Values("openmpi", "mpich"),
                         [](const auto& launcher) { return std::string(launcher.param); });

void expect_said_once(const Outcome& outcome, int code, const std::string& line) {
  EXPECT_EQ(outcome.code, code) << outcome.err;
  const Words lines = testing::lines_of(outcome.err);
  EXPECT_EQ(std::ranges::count_if(lines, [](const auto& l) { return l.starts_with("flymc: "); }), 1)
      << outcome.err;
  EXPECT_TRUE(outcome.says(line)) << outcome.err;
}

// Whoever is wrong, one line says so, once, and nothing is left behind.
TEST_P(MpiFailure, AnErrorIsSaidOnce) {
  make_data({});
  expect_said_once(run_ranks(2, short_fit("out") + Words{"--drop", "x9"}), 65, "no column 'x9'");
  EXPECT_FALSE(exists("out"));
  write("t.svm", "1 1:2\n");
  expect_said_once(run_ranks(2, {"fit", "t.svm", "--out", "out"}), 64, "flymc convert");
  write("part-1.csv", testing::binary_csv());
  write("part-2.csv", testing::binary_csv() + "1,2,3,4,5,6,7,8,9\n");
  expect_said_once(run_ranks(2, {"fit", "part-*.csv", "--response", "y", "--out", "out"}), 65,
                   "part-2.csv:");
  expect_said_once(run_ranks(2, {"fit", "gone.fly", "--out", "out"}), 66, "gone.fly");
  expect_said_once(run_ranks(2, {"fit", "t.fly", "--draws", "-5"}), 64, "--draws");
  expect_said_once(run_ranks(2, {"fit", "t.fly", "--regular", "--kernel", "split-hmc"}), 64,
                   "--kernel hmc");
  expect_said_once(run_ranks(2, {"summary", "nothing"}), 66, "nothing");
  EXPECT_FALSE(exists("out"));
}

// Only the first rank touches the folder: before the others sample, and while they do.
TEST_P(MpiFailure, AFailureOfTheFirstRankAloneIsSaidOnce) {
  make_data({});
  write("file", "");
  expect_said_once(run_ranks(3, short_fit("file/run")), 73, "file");
  expect_done(run(short_fit("out") + Words{"--engine", "fly"}));
  write("out/chain-2.csv", bytes("out/chain-2.csv").substr(0, 900));
  expect_said_once(run_ranks(3, {"fit", "--resume", "out", "--draws", "90"}), 65,
                   "out/chain-2.csv is shorter than its checkpoint says");
}

// Ranks that run in other folders see other files.
TEST_P(MpiFailure, CopiesThatDifferAreNoticed) {
  make_data({});
  std::filesystem::create_directory(path("other"));
  const auto run_apart = [&](const Words& words) {
    const Words there = words + Words{":", "-n", "1", "-wdir", path("other"), FLYMC_BINARY} + words;
    return start_with(launcher(1), there).wait();
  };
  std::ignore =
      write_fly(simulate({.rows = kRows, .columns = 3, .seed = 9}), {.path = path("other/t.fly")});
  const std::string out = path("out");
  expect_said_once(run_apart(short_fit(out)), 65, "t.fly is not the same at rank 1 as at rank 0");
  const Table table = simulate({.rows = 100, .columns = 2});
  for (const char* const folder : {"", "other/"}) {
    write_npy(path(folder + std::string("X.npy")), table.x, {100, 2});
  }
  write_npy(path("y.npy"), table.response.values, {100});
  expect_said_once(run_apart({"fit", "X.npy", "--response", "y.npy", "--out", out}), 66, "y.npy");
  EXPECT_FALSE(exists("out"));
}

TEST_P(MpiFailure, ARunOfSplitHmcOverAllRowsIsNotResumedByRanks) {
  std::ignore = write_fly(simulate({.rows = 30, .columns = 5}), {.path = path("t.fly")});
  expect_done(run(short_fit("out")));
  ASSERT_EQ(json("out/run.json").at("engine"), "regular");
  expect_said_once(run_ranks(2, {"fit", "--resume", "out", "--draws", "90"}), 64,
                   "resume it without mpirun");
}

TEST_P(MpiFailure, ARunOutlivesARankThatIsKilled) {
  make_data({});
  const Words longer{"--draws", "200000", "--checkpoint-every", "0.1s"};
  Words words{"fit", "t.fly",    "--out", "out",        "--warmup",
              "60",  "--chains", "1",     "--progress", "none"};
  const Running running = start_ranks(3, words + longer);
  const std::string folder = std::filesystem::canonical(path("."));
  while (!exists("out/chain-1.ckpt")) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  const pid_t victim = process_of(folder, 1);
  ASSERT_GT(victim, 0);
  ::kill(victim, SIGKILL);
  const Outcome ended = running.wait();
  EXPECT_TRUE(ended.in_time);
  EXPECT_NE(ended.code, 0);
  if (kind() == "openmpi") {  // the other kills all ranks at once, and nobody can speak
    EXPECT_TRUE(ended.says("rank 1 (process " + std::to_string(victim))) << ended.err;
    EXPECT_TRUE(ended.says("flymc fit --resume out")) << ended.err;
  }
  // What is left goes on with another number of ranks, to the same draws.
  const std::uint64_t so_far = draws("out/chain-1.csv").column("lp__").size();
  const Words total{"--draws", std::to_string(so_far + 300)};
  expect_done(run_ranks(2, Words{"fit", "--resume", "out", "--progress", "none"} + total));
  words[3] = "whole";
  expect_done(run(words + total));
  const auto tail = [&](const char* file) {
    const std::string all = bytes(file);
    return all.substr(all.find("lp__"));
  };
  EXPECT_EQ(tail("out/chain-1.csv"), tail("whole/chain-1.csv"));
}

TEST_P(MpiFailure, CtrlCEndsAllRanksWithARunToResume) {
  make_data({});
  const Words words{"fit",     "t.fly",  "--out",      "out",  "--chains",           "1",
                    "--draws", "500000", "--progress", "none", "--checkpoint-every", "0.1s"};
  const Running running = start_ranks(2, words);
  while (!exists("out/chain-1.ckpt")) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  const std::string folder = std::filesystem::canonical(path("."));
  ::kill(process_of(folder, 1), SIGINT);  // as a launcher passes it on
  const Outcome ended = running.wait();
  EXPECT_TRUE(ended.in_time);
  EXPECT_EQ(ended.code, 130) << ended.err;
  EXPECT_TRUE(ended.says("stopped by Ctrl-C at draw")) << ended.err;
  EXPECT_EQ(json("out/run.json").at("status"), "interrupted");
}

}  // namespace
}  // namespace flymc
