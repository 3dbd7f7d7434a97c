// Under a real launcher, of each kind that is here: the same bytes for any number of ranks.
#include <fmt/format.h>

#include <cmath>

#include "cli/mpi_support.hpp"
#include "data/format/npy.hpp"
#include "data/load_support.hpp"

namespace flymc {
namespace {

using testing::expect_done;
using testing::kRows;
using testing::operator+;
using testing::Words;

class Mpi : public testing::MpiCli {};

INSTANTIATE_TEST_SUITE_P(Launchers, Mpi, ::testing::Values("openmpi", "mpich"),
                         [](const auto& launcher) { return std::string(launcher.param); });

TEST_P(Mpi, DrawsAreTheSameForOneTwoAndFourRanksAndAlone) {
  const std::pair<const char*, SimulateOptions> cases[] = {{"logistic", {.family = "logistic"}},
                                                           {"softmax", {.family = "softmax"}},
                                                           {"student-t", {.family = "student-t"}}};
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

// Rows carry one number to a likelihood; where one reads two, their codes are the same everywhere.
TEST_P(Mpi, RowsOfTwoNumbersHaveTheSameDraws) {
  Table table = simulate({.family = "beta-binomial", .rows = kRows, .columns = 3});
  for (std::size_t n = 0; n < kRows; ++n) {  // ranks see other pairs first
    table.trials.push_back(static_cast<double>(10 + n / 1000 % 7));
  }
  std::ignore = write_fly(table, {.path = path("t.fly"), .trials = "trials"});
  for (const Words& model : {Words{"--model", "beta-binomial", "--trials", "trials"},
                             Words{"--predictors", "mu", "--likelihood",
                                   "y*mu - trials*softplus(mu)", "--data-columns", "y,trials"}}) {
    const Words options = model + Words{"--overwrite"};
    expect_done(run(short_fit("alone") + options));
    expect_done(run_ranks(3, short_fit("ranks") + options));
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

// Rows go to the rank of their level, and are called by their numbers in the table still.
TEST_P(Mpi, GroupEffectsHaveTheSameDraws) {
  const Table table = simulate({.family = "poisson", .rows = kRows, .columns = 2, .groups = {300}});
  Table with_levels = table;  // a column of numbers names them
  with_levels.columns.emplace_back("g");
  with_levels.x.resize(kRows * 3);
  std::string lines = "x1,x2,g,y\n";
  for (std::size_t n = 0; n < kRows; ++n) {
    const double* const x = table.x.data() + 2 * n;
    const std::uint32_t level = table.factors[0].codes[n];
    std::copy_n(x, 2, with_levels.x.data() + 3 * n);
    with_levels.x[3 * n + 2] = level;
    lines += fmt::format("{},{},shop {},{}\n", x[0], x[1], level, table.response.values[n]);
  }
  with_levels.factors.clear();
  std::ignore = write_fly(with_levels, {.path = path("t.fly")});
  write("t.csv", lines);
  const Words common{"--warmup", "40",         "--draws", "40",         "--chains",
                     "2",        "--progress", "none",    "--overwrite"};
  for (const Words& model :
       {Words{"t.fly", "--model", "poisson", "--formula", "y ~ x1 + x2 + (1 | g)"},
        Words{"t.csv", "--model", "negative-binomial", "--formula", "y ~ x1 + (1 + x1 | g)",
              "--offset", "x2", "--levels", "summary"},
        Words{"t.csv", "--model", "normal", "--formula", "y ~ x1 + (1 | g)"}}) {
    expect_done(run(Words{"fit"} + model + common + Words{"--out", "alone"}));
    expect_done(run_ranks(4, Words{"fit"} + model + common + Words{"--out", "ranks"}));
    expect_same_run("alone", "ranks");
    expect_done(run_ranks(3, {"fit", "--resume", "ranks", "--draws", "60", "--progress", "none"}));
    expect_done(run({"fit", "--resume", "alone", "--draws", "60", "--progress", "none"}));
    expect_same_run("alone", "ranks");
  }
  expect_done(run({"summary", "ranks"}));
  const Outcome crossed = run_ranks(
      2, Words{"fit", "t.fly", "--formula", "y ~ x1 + (1 | g) + (1 | x2)", "--out", "no"});
  EXPECT_EQ(crossed.code, 64);
  EXPECT_TRUE(crossed.says("one group term"));
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

}  // namespace
}  // namespace flymc
