// What a user has is safe: draws that were checkpointed, a run that is to be replaced, files and
// links that are not ours; and a run whose data have changed is not mixed with another.
#include <sys/file.h>
#include <sys/resource.h>

#include <map>
#include <tuple>

#include "cli/cli_data.hpp"
#include "flymc/random.hpp"
#include "run/run_files.hpp"

namespace flymc::testing {
namespace {

namespace fs = std::filesystem;

class RunSafety : public Cli {
 protected:
  RunSafety() { write("a.csv", binary_csv()); }

  [[nodiscard]] static Words words(const Words& more, const std::string& data = "a.csv") {
    return Words{"fit",      data,  "--response",         "y",   "--out",  "out", "--chains", "2",
                 "--warmup", "100", "--checkpoint-every", "5ms", "--quiet"} +
           more;
  }
  [[nodiscard]] Outcome resume(const Words& more = {}) const {
    return run(Words{"fit", "--resume", "out", "--quiet"} + more);
  }
  void wait_for(const std::string& name) const {
    while (!exists(name)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  // The files of a folder itself, with their bytes.
  [[nodiscard]] std::map<std::string, std::string> files(const std::string& folder = "out") const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::directory_iterator(path(folder))) {
      if (entry.is_regular_file()) {
        all[entry.path().filename().string()] = read_bytes(entry.path());
      }
    }
    return all;
  }
};

const Words kEndless{"--draws", "100000000"};
const std::string kNext = "out/" + std::string(kNextRun) + "/";
const std::string kComplete = "out/" + std::string(kCompleteRun) + "/";

// Too many open files: neither a full disk nor a signal.
TEST_F(RunSafety, WhatWasCheckpointedStaysWhateverIsThrown) {
  const Running running = start(words(kEndless));
  wait_for("out/chain-1.ckpt");
  wait_for("out/chain-2.ckpt");
  const rlimit none{3, 3};
  ASSERT_EQ(::prlimit(running.process(), RLIMIT_NOFILE, &none, nullptr), 0);
  const Outcome failed = running.wait();
  expect_error(failed, 73, "the checkpoint of draw ");
  EXPECT_TRUE(failed.says("is intact; repair that, then flymc fit --resume out/")) << failed.err;
  for (const char* kept : {"out/run.json", "out/chain-1.csv", "out/chain-1.ckpt"}) {
    EXPECT_TRUE(exists(kept)) << kept;
  }
  EXPECT_EQ(resume({"--max-time", "50ms"}).code, 75);
}

TEST_F(RunSafety, RunThatIsToBeReplacedIsWholeUntilTheNewOneIsComplete) {
  expect_done(run(words({"--draws", "50"})));
  const auto old = files();
  const std::string summary = run({"summary", "out"}).out;
  for (const int signal : {SIGTERM, SIGKILL}) {
    const Running running = start(words(kEndless + Words{"--overwrite"}));
    wait_for(kNext + "chain-2.ckpt");
    running.send(signal);
    std::ignore = running.wait();
    EXPECT_EQ(files(), old) << signal;
    EXPECT_EQ(run({"summary", "out"}).out, summary) << signal;
  }
  EXPECT_EQ(run(words(kEndless + Words{"--overwrite", "--max-time", "50ms"})).code, 75);
  EXPECT_EQ(files(), old);
  expect_done(run(words({"--draws", "60", "--overwrite"})));
  EXPECT_EQ(draws("out/chain-1.csv").draws(), 60U);
  EXPECT_FALSE(exists(kNext));
}

TEST_F(RunSafety, NewRunThatWasStoppedIsResumedAndThenTakesThePlace) {
  expect_done(run(words({"--draws", "200000"})));
  fs::rename(path("out"), path("whole"));
  expect_done(run(words({"--draws", "50", "--seed", "9"})));
  const auto old = files();
  const Words again = words({"--draws", "200000", "--overwrite"});
  ASSERT_EQ(run(again + Words{"--max-time", "60ms"}).code, 75);
  EXPECT_EQ(files(), old);
  const Outcome outcome = run({"fit", "--resume", "out"});
  expect_done(outcome);
  EXPECT_TRUE(outcome.says("the run that is to replace the one in out/")) << outcome.err;
  EXPECT_EQ(bytes("out/chain-1.csv"), bytes("whole/chain-1.csv"));
  EXPECT_EQ(bytes("out/chain-2.csv"), bytes("whole/chain-2.csv"));
  EXPECT_FALSE(exists(kNext));
}

TEST_F(RunSafety, NewRunThatFailsLeavesTheOldOne) {
  expect_done(run(words({"--draws", "50"})));
  const auto old = files();
  const Running running = start(words(kEndless + Words{"--overwrite"}));
  wait_for(kNext + "chain-1.ckpt");
  wait_for(kNext + "chain-2.ckpt");
  const rlimit none{3, 3};
  ASSERT_EQ(::prlimit(running.process(), RLIMIT_NOFILE, &none, nullptr), 0);
  expect_error(running.wait(), 73, "then flymc fit --resume out/");
  EXPECT_EQ(files(), old);
  EXPECT_TRUE(exists(kNext + "chain-1.ckpt"));
}

// At any moment: from before the first file to the last rename. Between the last old file removed
// and the first new one moved up, the run that is there is the complete one.
TEST_F(RunSafety, KilledAtRandomARunFolderIsTakenByTheNextCommand) {
  Stream stream(4, 0, Purpose::kInit, 1);
  for (int kill = 0; kill < 40; ++kill) {
    const Running running = start(words({"--draws", "200", "--overwrite"}));
    std::this_thread::sleep_for(std::chrono::duration<double>(0.05 * stream.uniform()));
    running.send(SIGKILL);
    std::ignore = running.wait();
    if (exists("out/run.json") || exists(kComplete + "run.json")) {
      ASSERT_EQ(resume().code, 0);
      ASSERT_EQ(run({"summary", "out"}).code, 0);
      fs::remove_all(path(kill % 2 == 0 ? "out" : "none"));
    } else {
      ASSERT_EQ(run(words({"--draws", "50"})).code, 0) << "neither resumed nor fitted";
    }
  }
}

TEST_F(RunSafety, FolderWhereTheFirstRecordWasNeverFinishedIsTaken) {
  fs::create_directory(path("out"));
  write("out/.run.json.0123456789abcdef.flymc", "{\"ver");
  expect_done(run(words({"--draws", "50"})));
  EXPECT_FALSE(exists("out/.run.json.0123456789abcdef.flymc"));
}

TEST_F(RunSafety, OnlyFilesOfARunAreOverwritten) {
  fs::create_directory(path("out"));
  write("out/run.json", R"({"name": "my job", "chains": 2})");
  write("out/chain-1.csv", "mine");
  const auto mine = files();
  expect_error(run(words({"--overwrite"})), 73, "is not of a run that a fit made in out/");
  EXPECT_EQ(files(), mine);
  fs::remove_all(path("out"));
  expect_done(run(words({"--draws", "50"})));
  write("out/chain-3.csv", "mine");
  expect_error(run(words({"--overwrite"})), 73, "out/chain-3.csv is not of a run");
  EXPECT_EQ(bytes("out/chain-3.csv"), "mine");
}

TEST_F(RunSafety, PlantedLinksAreNotFollowed) {
  write("target", "mine");
  fs::create_directory(path("out"));
  for (const char* name : {"run.json.tmp", "chain-1.csv.tmp", "chain-1.ckpt.tmp"}) {
    fs::create_symlink("../target", path("out") / name);
  }
  expect_done(run(words({"--draws", "50"})));
  EXPECT_EQ(bytes("target"), "mine");
  write("target", bytes("out/chain-1.csv") + "1,1,1,1,1,1,1\n");
  const std::string before = bytes("target");
  fs::remove(path("out/chain-1.csv"));
  fs::create_symlink("../target", path("out/chain-1.csv"));
  expect_error(resume({"--draws", "60"}), 65, "out/chain-1.csv is a link");
  EXPECT_EQ(bytes("target"), before);
}

TEST_F(RunSafety, FolderThatMayNotBeReadIsSaid) {
  if (run_unprivileged({"--version"}).code == Running::kCannotRun) {
    GTEST_SKIP() << "root may do everything, and nobody may not run " << FLYMC_BINARY;
  }
  expect_done(run(words({"--draws", "50"})));
  fs::permissions(path(""), fs::perms::all);
  for (const auto closed : {fs::perms::none, fs::perms::all & ~fs::perms::others_read}) {
    fs::permissions(path("out"), closed);
    expect_error(run_unprivileged({"summary", "out"}), 77, "cannot read out/");
    expect_error(run_unprivileged(words({"--overwrite"})), 77, "cannot read out/");
    expect_error(run_unprivileged(words({})), 77, "cannot read out/");
  }
  fs::permissions(path("out"), fs::perms::none);
  expect_error(run_unprivileged({"fit", "--resume", "out"}), 77, "cannot read out/");
  fs::permissions(path("out"), fs::perms::owner_all);
}

TEST_F(RunSafety, OutThatIsALinkToNothingStays) {
  fs::create_symlink("nowhere", path("out"));
  expect_error(run(words({})), 73, "'out': it is a link that leads nowhere");
  EXPECT_TRUE(fs::is_symlink(path("out")));
  EXPECT_FALSE(exists("nowhere"));
}

// Before anything is read, so that what is read cannot be behind what is written.
TEST_F(RunSafety, ResumeLocksBeforeItReads) {
  expect_done(run(words({"--draws", "50"})));
  write("out/chain-1.ckpt", "half of");
  const int folder = ::open(path("out").c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(::flock(folder, LOCK_EX | LOCK_NB), 0);
  expect_error(resume({"--draws", "60"}), 73, "out/ is being written by another flymc");
  ::close(folder);
  expect_error(resume({"--draws", "60"}), 65, "out/chain-1.ckpt: not a checkpoint");
}

TEST_F(RunSafety, CompleteRunThatLacksDrawsIsNotSummarised) {
  expect_done(run(words({"--draws", "50"})));
  const std::string chain = bytes("out/chain-2.csv");
  const auto expect_said = [&](const std::string& what) {
    const std::string line = "out/chain-2.csv " + what +
                             ", but the run is complete with 2 chains of 50 draws; put the "
                             "file back, or fit again with --overwrite.";
    expect_error(run({"summary", "out"}), 65, line);
    expect_error(run({"report", "out"}), 65, line);
    expect_error(run({"predict", "out", "a.csv"}), 65, line);
    expect_error(run({"export", "out", "--to", "npz", "--out", "x.npz"}), 65, line);
  };
  write("out/chain-2.csv", chain.substr(0, chain.rfind('\n', chain.size() - 2) + 1));
  expect_said("holds 49 draws");
  fs::remove(path("out/chain-2.csv"));
  expect_said("is missing");
  write("out/chain-2.csv", chain);
  expect_done(run({"summary", "out"}));
}

TEST_F(RunSafety, RunOfAnotherVersionIsResumedOnlyWhenAsked) {
  expect_done(run(words({"--draws", "50"})));
  Json record = json("out/run.json");
  record["version"] = "0.0.1";
  write("out/run.json", record.dump());
  expect_done(resume());  // complete: nothing is drawn
  expect_error(resume({"--draws", "60"}), 65, "out/ was begun by flymc 0.0.1, and this is ");
  EXPECT_EQ(draws("out/chain-1.csv").draws(), 50U);
  expect_done(resume({"--draws", "60", "--other-version"}));
  EXPECT_EQ(draws("out/chain-1.csv").draws(), 60U);
  expect_done(resume({"--draws", "70"}));
  expect_error(run(words({"--other-version"})), 64, "--other-version: goes with --resume only.");
}

// Every file that feeds the posterior.
class ChangedFile : public RunSafety {
 protected:
  static constexpr std::size_t kRows = 100;

  ChangedFile() {
    const Simulated s = simulated(kRows);
    std::vector<double> x;
    for (std::size_t n = 0; n < kRows; ++n) {
      x.insert(x.end(), {s.a[n], s.b[n]});
    }
    write("X.npy", npy_f8("(100, 2)", x));
    write("y.npy", npy_f8("(100,)", s.binary));
    write("w.npy", npy_f8("(100,)", constant(kRows, 2.0)));
    write("o.npy", npy_f8("(100,)", s.b));
    write("t.npy", npy_f8("(100,)", constant(kRows, 3.0)));
  }
  void fit_all() const {
    expect_done(run({"fit", "X.npy", "--response", "y.npy", "--weights", "w.npy", "--offset",
                     "o.npy", "--trials", "t.npy", "--model", "binomial", "--out", "out",
                     "--chains", "2", "--draws", "50", "--quiet"}));
  }
  // The last number.
  void change(const std::string& name, double value) const {
    std::string text = bytes(name);
    text.replace(text.size() - sizeof value, sizeof value, bytes_of(std::vector<double>{value}));
    write(name, text);
  }
};

TEST_F(ChangedFile, IsNoticedOnResume) {
  fit_all();
  for (const std::string name : {"X.npy", "y.npy", "w.npy", "o.npy", "t.npy"}) {
    const std::string before = bytes(name);
    change(name, name == "y.npy" ? 3.0 : 5.0);
    expect_error(resume({"--draws", "60"}), 65,
                 path(name).string() + " has changed since out/ began");
    write(name, "no array");
    expect_error(resume({"--draws", "60"}), 65, name + " has changed since out/ began");
    write(name, before);
  }
  expect_done(resume({"--draws", "60"}));
}

TEST_F(ChangedFile, IsNoticedByReportAndPredict) {
  fit_all();
  const Words predict{"predict", "out", "X.npy", "--offset", "o.npy"};
  EXPECT_FALSE(run(predict).says("has changed"));
  change("y.npy", 3.0);
  expect_done(run({"report", "out"}));
  EXPECT_NE(bytes("out/report.html").find("y.npy has changed since the run."), std::string::npos);
  const Outcome predicted = run(predict);
  expect_done(predicted);
  EXPECT_TRUE(predicted.says("y.npy has changed since the run")) << predicted.err;
  fs::remove(path("y.npy"));
  EXPECT_FALSE(run(predict).says("y.npy"));
}

// Part files of one table.
TEST_F(RunSafety, ChangedPartIsNoticedOnResume) {
  fs::create_directory(path("parts"));
  write("parts/1.csv", binary_csv(100));
  write("parts/2.csv", binary_csv(50));
  expect_done(run(words({"--draws", "50"}, "parts")));
  write("parts/2.csv", binary_csv(51));
  expect_error(resume({"--draws", "60"}), 65, "parts has changed since out/ began");
  write("parts/2.csv", binary_csv(50));
  expect_done(resume({"--draws", "60"}));
}

TEST_F(RunSafety, ReportReplacesItsOwnPagesOnly) {
  expect_done(run(words({"--draws", "50"})));
  write("mine.html", "<!DOCTYPE html><title>mine</title>");
  write("out/report.html", "mine");
  expect_error(run({"report", "out", "--out", "mine.html"}), 73,
               "'mine.html' was not written by flymc report and is not overwritten; choose another "
               "--out.");
  expect_error(run({"report", "out"}), 73, "'out/report.html' was not written by flymc report");
  EXPECT_EQ(bytes("mine.html"), "<!DOCTYPE html><title>mine</title>");
  EXPECT_EQ(bytes("out/report.html"), "mine");
  write("empty.html", "");
  for (int twice = 0; twice < 2; ++twice) {
    expect_done(run({"report", "out", "--out", "page.html"}));
    expect_done(run({"report", "out", "--out", "empty.html"}));
  }
  expect_done(run({"report", "out", "--out", "mine.html", "--overwrite"}));
  EXPECT_EQ(bytes("mine.html"), bytes("page.html"));
}

TEST_F(RunSafety, ReportNeverReplacesWhatItIsMadeOf) {
  expect_done(run(words({"--draws", "50"})));
  for (const std::string name : {"out/run.json", "out/chain-1.csv", "out/chain-1.ckpt"}) {
    const std::string before = bytes(name);
    expect_error(run({"report", "out", "--out", name, "--overwrite"}), 73, "belongs to the run");
    EXPECT_EQ(bytes(name), before);
  }
  const std::string data = json("out/run.json")["data"]["path"];
  expect_error(run({"report", "out", "--out", data, "--overwrite"}), 73, "holds the data of out/");
}

TEST_F(RunSafety, TwoWritersOfOneFileLeaveItWhole) {
  write("b.csv", binary_csv(3000));
  expect_done(run(words({"--draws", "50"})));
  const std::string one = run({"predict", "out", "b.csv", "--quiet"}).out;
  const std::string other = run({"predict", "out", "b.csv", "--draws", "7", "--quiet"}).out;
  for (int i = 0; i < 8; ++i) {
    const Words to{"predict", "out", "b.csv", "--out", "p.csv", "--overwrite", "--quiet"};
    const Running first = start(to);
    const Running second = start(to + Words{"--draws", "7"});
    EXPECT_EQ(first.wait().code, 0);
    EXPECT_EQ(second.wait().code, 0);
    EXPECT_TRUE(bytes("p.csv") == one || bytes("p.csv") == other);
  }
}

}  // namespace
}  // namespace flymc::testing
