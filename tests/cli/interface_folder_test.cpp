// What a run leaves in its folder when it cannot go on: the folder as it was, or a run that can be
// resumed.
#include <sys/mount.h>

#include <functional>

#include "cli/unchanged.hpp"

namespace flymc::testing {
namespace {

class InterfaceFolder : public Unchanged {
 protected:
  void SetUp() override { write("d.csv", binary_csv()); }
  [[nodiscard]] static Words words(const Words& more, const std::string& data = "d.csv") {
    const bool chains = std::ranges::count(more, "--chains") > 0;
    return Words{"fit", data, "--response", "y", "--out", "run/", "--warmup", "100"} + more +
           (chains ? Words{} : Words{"--chains", "2"});
  }
  // No noise, and a mode out of the reach of a search with so small a scale.
  void write_noise_free() const {
    write("line.csv", "a,y\n0,1\n1,3\n2,5\n3,7\n4,9\n5,11\n6,13\n7,15\n8,17\n9,19\n");
  }
};

const std::string kNoiseFree =
    "the columns explain response 'y' without noise, and --scale auto is only 5.74e-06, a "
    "millionth of its spread: the search for the posterior mode does not end; give --scale.";

TEST_F(InterfaceFolder, SetUpThatFailsLeavesNothing) {
  write_noise_free();
  refuses(words({"--model", "student-t", "--scale", "auto"}, "line.csv"), 65, kNoiseFree);
  refuses(words({"--model", "student-t"}, "line.csv"), 65,
          "most rows of response 'y' have no noise, so that a scale that is sampled falls without "
          "end: the posterior is too narrow in some direction and too wide in another for double "
          "precision; give --scale.");
  expect_done(run(words({"--model", "student-t", "--scale", "0.1"}, "line.csv")));
}

TEST_F(InterfaceFolder, SetUpThatFailsLeavesTheRunItWasToReplace) {
  write_noise_free();
  expect_done(run(words({"--draws", "50"})));
  expect_done(run({"report", "run"}));
  write("run/notes.txt", "mine");
  refuses(words({"--overwrite", "--model", "student-t", "--scale", "auto"}, "line.csv"), 65,
          kNoiseFree);
  refuses(words({"--overwrite", "--draws", "0"}), 64, "--draws 0: must be positive.");
  refuses(words({"--overwrite"}, "none.csv"), 66, "none.csv: no such file.");
  expect_done(run({"summary", "run"}));
  expect_done(run({"fit", "--resume", "run", "--draws", "60"}));
}

TEST_F(InterfaceFolder, ReplacedRunGoesWithItsReportAndNothingElse) {
  expect_done(run(words({"--draws", "50", "--chains", "3"})));
  expect_done(run({"report", "run"}));
  write("run/notes.txt", "mine");
  expect_done(run({"predict", "run", "d.csv", "--out", "run/pred.csv"}));
  expect_done(run(words({"--draws", "50", "--overwrite"})));
  for (const char* gone : {"run/report.html", "run/chain-3.csv", "run/.flymc-next"}) {
    EXPECT_FALSE(exists(gone)) << gone;
  }
  EXPECT_EQ(bytes("run/notes.txt"), "mine");
  EXPECT_TRUE(exists("run/pred.csv"));  // named by the user: the user's
  write("run/report.html", "<!DOCTYPE html><title>mine</title>");
  expect_done(run(words({"--draws", "50", "--overwrite"})));
  EXPECT_EQ(bytes("run/report.html"), "<!DOCTYPE html><title>mine</title>");
}

TEST_F(InterfaceFolder, FolderThatIsReadOnlyStaysAsItIs) {
  using std::filesystem::perms;
  if (!can_be_nobody()) {
    GTEST_SKIP() << "root may do everything, and nobody may not run " << FLYMC_BINARY;
  }
  expect_done(run(words({"--draws", "50"})));
  std::filesystem::create_directory(path("empty"));
  const perms read_only = perms::owner_read | perms::owner_exec | perms::others_read |
                          perms::others_exec | perms::group_read | perms::group_exec;
  for (const char* folder : {"run", "empty", ""}) {
    std::filesystem::permissions(path(folder), read_only);
  }
  const Confined nobody{.unprivileged = true};
  refuses(words({"--overwrite"}), 77,
          "cannot create 'run/.flymc-next': Permission denied; choose another --out.", nobody);
  refuses({"fit", "d.csv", "--response", "y", "--out", "empty"}, 77,
          "cannot create 'empty/run.json': Permission denied; choose another place.", nobody);
  refuses({"fit", "d.csv", "--response", "y", "--out", "new/deep"}, 77,
          "cannot create 'new/deep': Permission denied; choose another --out.", nobody);
  refuses({"report", "run"}, 77,
          "cannot create 'run/report.html': Permission denied; choose another place.", nobody);
  std::filesystem::permissions(path("d.csv"), perms::none);
  refuses({"inspect", "d.csv"}, 77, "d.csv: permission denied.", nobody);
  std::filesystem::permissions(path(""), perms::owner_all);
}

TEST_F(InterfaceFolder, TooLittleMemoryLeavesNothing) {
  const Simulated s = simulated(300'000);
  write("big.csv", csv({{"a", s.a}, {"b", s.b}, {"y", s.binary}}));
  refuses(words({"--threads", "1"}, "big.csv"), 71,
          "big.csv: the table does not fit in memory; read fewer columns (--features, --drop), or "
          "a .fly file (flymc convert), which stays on the disk.",
          {.anonymous_memory = 4'000'000});
}

// The last run.json is longer than the first: a disk may be full just then.
TEST_F(InterfaceFolder, DrawsAreKeptWhereTheLastRecordCannotBeWritten) {
  const Words few{"fit",      "d.csv", "--response", "y", "--chains", "1",
                  "--warmup", "20",    "--draws",    "3", "--quiet",  "--out"};
  expect_done(run(few + Words{"whole/"}));
  const rlim_t less = bytes("whole/run.json").size() - 100;
  ASSERT_LT(bytes("whole/chain-1.csv").size(), less);
  const Outcome full = run_confined(few + Words{"run/"}, {.largest_file = less});
  expect_error(full, 74,
               "no space left writing 'run/run.json'; the checkpoints are intact; free space, then "
               "flymc fit --resume run/");
  EXPECT_EQ(bytes("run/chain-1.csv"), bytes("whole/chain-1.csv"));
  expect_done(run({"fit", "--resume", "run/"}));
  EXPECT_EQ(json("run/run.json")["status"], "complete");
  EXPECT_EQ(bytes("run/chain-1.csv"), bytes("whole/chain-1.csv"));
}

// A file system of a few megabytes, where the test may mount one.
class FullDisk : public InterfaceFolder {
 protected:
  void SetUp() override {
    InterfaceFolder::SetUp();
    std::filesystem::create_directory(path("disk"));
    mounted_ = ::mount("tmpfs", path("disk").c_str(), "tmpfs", 0, "size=1m") == 0;
    if (!mounted_) {
      GTEST_SKIP() << "only root may mount a small disk";
    }
  }
  void TearDown() override {
    if (mounted_) {
      ::umount2(path("disk").c_str(), MNT_DETACH);
    }
  }
  void fill(std::size_t bytes_left) const {
    const auto space = std::filesystem::space(path("disk"));
    write("disk/filler", std::string(space.available - bytes_left, 'x'));
  }
  [[nodiscard]] static Words run_of(const std::string& draws, const std::string& out) {
    return {"fit",      "d.csv", "--response", "y",   "--out",   out,
            "--chains", "2",     "--warmup",   "100", "--draws", draws};
  }

 private:
  bool mounted_ = false;
};

TEST_F(FullDisk, LosesNothingAndIsResumed) {
  expect_done(run(run_of("8000", "whole")));
  expect_done(run(run_of("1000", "disk/run/")));
  // No checkpoint falls due on the way, so what hits the end of the disk is always a chain's file.
  const Words more{"fit", "--resume", "disk/run/", "--draws", "8000", "--checkpoint-every", "1h"};
  const Outcome full = run(more);
  expect_error(full, 74, "no space left writing disk/run/chain-");
  EXPECT_TRUE(
      full.says("; the checkpoint of draw 1,000 is intact; free space, then flymc fit "
                "--resume disk/run/\n"))
      << full.err;
  ::mount("tmpfs", path("disk").c_str(), "tmpfs", MS_REMOUNT, "size=64m");
  expect_done(run(more));
  EXPECT_TRUE(bytes("disk/run/chain-1.csv") == bytes("whole/chain-1.csv"));
  EXPECT_TRUE(bytes("disk/run/chain-2.csv") == bytes("whole/chain-2.csv"));
}

TEST_F(FullDisk, WithNoRoomAtAllNothingIsMade) {
  fill(0);
  refuses(run_of("8000", "disk/run"), 74,
          "no space left writing 'disk/run/run.json'; free space or choose another place.");
}

}  // namespace
}  // namespace flymc::testing
