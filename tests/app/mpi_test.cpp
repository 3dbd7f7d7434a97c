// Under a real launcher, of each kind that is here: the same bytes for any number of ranks, one
// error line, and a run that outlives one of them.
#include <fmt/format.h>

#include <cmath>
#include <csignal>
#include <set>

#include "app/cli_data.hpp"
#include "data/load_support.hpp"
#include "flymc/data/fly_writer.hpp"
#include "flymc/data/npy.hpp"
#include "flymc/data/simulate.hpp"

namespace flymc {
namespace {

using testing::expect_done;
using testing::Outcome;
using testing::operator+;
using testing::Running;
using testing::Words;

constexpr std::size_t kRows = 3 * 65'536 + 1000;  // four ranks hold some

class Mpi : public testing::Cli, public ::testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    if (std::system(("command -v mpirun." + kind() + " >/dev/null").c_str()) != 0) {
      GTEST_SKIP() << "no mpirun." << kind() << " here";
    }
  }
  [[nodiscard]] static std::string kind() { return GetParam(); }

  [[nodiscard]] static Words launcher(int ranks) {
    const Words asked{"mpirun." + kind(), "-n", std::to_string(ranks)};
    return kind() == "openmpi" ? asked + Words{"--allow-run-as-root", "--oversubscribe"} : asked;
  }
  [[nodiscard]] Running start_ranks(int ranks, const Words& words) const {
    return start_with(launcher(ranks), words);
  }
  [[nodiscard]] Outcome run_ranks(int ranks, const Words& words) const {
    return start_ranks(ranks, words).wait();
  }

  void make_data(SimulateOptions what) const {
    what.rows = kRows;
    what.columns = 3;
    std::ignore = write_fly(simulate(what), {.path = path("t.fly")});
  }

  [[nodiscard]] static Words short_fit(const std::string& out) {
    return {"fit",     "t.fly", "--out",    out, "--warmup",   "60",
            "--draws", "60",    "--chains", "2", "--progress", "none"};
  }

  void expect_same_run(const std::string& a, const std::string& b) const {
    for (const char* const file : {"/chain-1.csv", "/chain-2.csv"}) {
      EXPECT_FALSE(bytes(a + file).empty());
      EXPECT_EQ(bytes(a + file), bytes(b + file)) << b << file;
    }
  }

  // The process of a rank.
  [[nodiscard]] static pid_t process_of(const std::string& folder, int rank) {
    const std::string word =
        std::string(kind() == "openmpi" ? "OMPI_COMM_WORLD_RANK=" : "PMI_RANK=") +
        std::to_string(rank);
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      const pid_t pid = std::atoi(entry.path().filename().c_str());
      std::error_code ignored;
      if (pid <= 0 ||
          std::filesystem::read_symlink(entry.path() / "exe", ignored) !=
              std::filesystem::canonical(FLYMC_BINARY) ||
          std::filesystem::read_symlink(entry.path() / "cwd", ignored) != folder) {
        continue;
      }
      std::ifstream file(entry.path() / "environ", std::ios::binary);
      const std::string environment{std::istreambuf_iterator<char>(file), {}};
      if (("\0" + environment).find(word + '\0') != std::string::npos) {
        return pid;
      }
    }
    return 0;
  }
};

INSTANTIATE_TEST_SUITE_P(Launchers, Mpi, ::testing::Values("openmpi", "mpich"),
                         [](const auto& launcher) { return std::string(launcher.param); });

TEST_P(Mpi, DrawsAreTheSameForOneTwoAndFourRanksAndAlone) {
  const std::pair<const char*, SimulateOptions> cases[] = {
      {"logistic", {.model = SimulatedModel::kLogistic}},
      {"softmax", {.model = SimulatedModel::kSoftmax}},
      {"student-t", {.model = SimulatedModel::kStudentT}}};
  for (const auto& [model, what] : cases) {
    make_data(what);
    const Words options{"--model", model, "--overwrite"};
    expect_done(run(short_fit("alone") + options));
    for (const int ranks : {1, 2, 4}) {
      expect_done(run_ranks(ranks, short_fit("ranks") + options));
      expect_same_run("alone", "ranks");
    }
  }
}

TEST_P(Mpi, ThePapersUpdatesAndTheRegularEngineWorkToo) {
  make_data({});
  for (const Words& options : {Words{"--bound", "map"}, Words{"--bound", "map", "--z", "explicit"},
                               Words{"--regular", "--kernel", "rwmh"}}) {
    const Words all = Words{"--overwrite", "--warmup", "20", "--draws", "20"} + options;
    Words words{"fit", "t.fly", "--chains", "2", "--progress", "none"};
    expect_done(run(words + all + Words{"--out", "alone"}));
    expect_done(run_ranks(2, words + all + Words{"--out", "ranks"}));
    expect_same_run("alone", "ranks");
  }
}

// Split HMC would need every row everywhere: where nothing is asked for, it is plain HMC.
TEST_P(Mpi, TheRegularEngineIsPlainHmcUnlessAskedOtherwise) {
  make_data({});
  const Words words{"fit", "t.fly",   "--regular", "--chains",   "2",    "--warmup",
                    "10",  "--draws", "10",        "--progress", "none", "--overwrite"};
  expect_done(run(words + Words{"--kernel", "hmc", "--out", "alone"}));
  expect_done(run_ranks(2, words + Words{"--out", "ranks"}));
  expect_same_run("alone", "ranks");
}

// Every format that ranks can share: each reads its part of the bytes. One of four holds no rows.
TEST_P(Mpi, TextPartsAndArraysAreShared) {
  const Table table = simulate({.rows = 140'000, .columns = 3});
  const auto text = [&](std::size_t first, std::size_t last) {
    std::string lines = "x1,x2,x3,y\n";
    for (std::size_t n = first; n < last; ++n) {
      const double* const x = table.x.data() + 3 * n;
      lines += fmt::format("{},{},{},{}\n", x[0], x[1], x[2], table.response.values[n]);
    }
    return lines;
  };
  write("t.csv", text(0, 140'000));
  std::filesystem::create_directory(path("parts"));
  write("parts/1.csv", text(0, 90'000));
  write("parts/2.csv.gz", testing::gzip(text(90'000, 100'000)));
  write("parts/3.csv", text(100'000, 140'000));
  write_npy(path("X.npy"), table.x, {140'000, 3});
  write_npy(path("y.npy"), table.response.values, {140'000});
  const Words common{"--warmup", "40",         "--draws", "40",         "--chains",
                     "2",        "--progress", "none",    "--overwrite"};
  for (const Words& data : {Words{"t.csv", "--response", "y"}, Words{"parts", "--response", "y"},
                            Words{"X.npy", "--response", "y.npy"},
                            Words{"t.csv", "--formula", "y ~ x1 + x1:x2", "--offset", "x3"}}) {
    expect_done(run(Words{"fit"} + data + common + Words{"--out", "alone"}));
    for (const int ranks : {2, 4}) {
      expect_done(run_ranks(ranks, Words{"fit"} + data + common + Words{"--out", "ranks"}));
      expect_same_run("alone", "ranks");
      EXPECT_EQ(json("alone/run.json").at("data"), json("ranks/run.json").at("data"));
    }
    expect_done(run_ranks(3, {"fit", "--resume", "ranks", "--draws", "60", "--progress", "none"}));
    expect_done(run({"fit", "--resume", "alone", "--draws", "60", "--progress", "none"}));
    expect_same_run("alone", "ranks");
  }
}

// Equal rows are merged where they lie; run.json names all the same.
TEST_P(Mpi, BrightestRowsAreNamedWhereverTheyLie) {
  Table table = simulate({.rows = kRows, .columns = 2});
  for (double& x : table.x) {
    x = std::round(4.0 * x);
  }
  std::ignore = write_fly(table, {.path = path("t.fly")});
  expect_done(run(short_fit("alone")));
  expect_done(run_ranks(3, short_fit("ranks")));
  const auto alone_says = json("alone/run.json");
  const auto ranks_say = json("ranks/run.json");
  EXPECT_GT(alone_says.at("setup").at("merged_rows"), 0);
  EXPECT_FALSE(alone_says.at("brightest").empty());
  EXPECT_EQ(alone_says.at("brightest"), ranks_say.at("brightest"));
  EXPECT_EQ(alone_says.at("beacon_rows"), ranks_say.at("beacon_rows"));
  EXPECT_FALSE(alone_says.contains("ranks"));
  EXPECT_EQ(ranks_say.at("ranks").at("count"), 3);
}

void expect_said_once(const Outcome& outcome, int code, const std::string& line) {
  EXPECT_EQ(outcome.code, code) << outcome.err;
  const Words lines = testing::lines_of(outcome.err);
  EXPECT_EQ(std::ranges::count_if(lines, [](const auto& l) { return l.starts_with("flymc: "); }), 1)
      << outcome.err;
  EXPECT_TRUE(outcome.says(line)) << outcome.err;
}

// Whoever is wrong, one line says so, once, and nothing is left behind.
TEST_P(Mpi, AnErrorIsSaidOnce) {
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

TEST_P(Mpi, ARunOutlivesARankThatIsKilled) {
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

TEST_P(Mpi, CtrlCEndsAllRanksWithARunToResume) {
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
