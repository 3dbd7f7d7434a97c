// One run takes the place of another: stopped after any step, one of the two is whole, and never
// are two mixed.
#include "run/run_files.hpp"

#include <sys/stat.h>

#include <map>
#include <new>

#include "run/run_fixture.hpp"
#include "run/run_folder.hpp"
#include "run/run_writer.hpp"

namespace flymc {
namespace {

namespace fs = std::filesystem;

class RunFiles : public RunFolderTest {
 protected:
  using Tree = std::map<std::string, std::string>;

  [[nodiscard]] static std::string record(int chains, bool warmup = false) {
    return R"({"version": "1", "exact": true, "status": "complete", "config": {"chains": )" +
           std::to_string(chains) + (warmup ? R"(, "save-warmup": true}})" : "}}");
  }
  void write_run(const std::string& where, const std::string& who, int chains) const {
    fs::create_directories(folder_ / where);
    for (int k = 1; k <= chains; ++k) {
      write(where + "chain-" + std::to_string(k) + ".csv", who);
      write(where + "chain-" + std::to_string(k) + ".ckpt", who);
    }
    write(where + "run.json", record(chains));
  }
  [[nodiscard]] Tree tree() const {
    Tree files;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      std::ifstream file(entry.path(), std::ios::binary);
      files[entry.path().filename().string()] = {std::istreambuf_iterator<char>(file), {}};
    }
    return files;
  }
};

struct Killed {};

TEST_F(RunFiles, StoppedAfterAnyStepTheNewRunIsPutInPlaceByTheNext) {
  write("notes.txt", "mine");
  write_run("", "new", 2);
  const Tree expected = tree();
  bool through = false;
  for (int last = 1; !through; ++last) {
    ASSERT_LT(last, 50);
    fs::remove_all(folder_);
    fs::create_directory(folder_);
    write("notes.txt", "mine");
    write_run("", "old", 3);
    write("report.html", std::string(kPageMark));
    write_run(std::string(kNextRun) + "/", "new", 2);
    int step = 0;
    try {
      put_in_place(folder_, [&] {
        if (++step == last) {
          throw Killed{};
        }
      });
      through = true;
    } catch (const Killed&) {
      EXPECT_EQ(resumable_folder(folder_), folder_);
    }
    EXPECT_EQ(tree(), expected) << "stopped after step " << last;
  }
}

TEST_F(RunFiles, OldFileThatCannotBeRemovedStopsItWhereItCanGoOn) {
  write_run("", "old", 2);
  write_run(std::string(kNextRun) + "/", "new", 2);
  fs::remove(folder_ / "chain-2.csv");
  fs::create_directories(folder_ / "chain-2.csv/mine");
  EXPECT_TRUE(error_of([&] { put_in_place(folder_); }).starts_with("73 cannot replace the run"));
  EXPECT_TRUE(fs::exists(folder_ / "run.json"));
  fs::remove_all(folder_ / "chain-2.csv");
  EXPECT_EQ(resumable_folder(folder_), folder_);
  EXPECT_EQ(tree().at("chain-1.csv") + tree().at("chain-2.csv"), "newnew");
}

TEST_F(RunFiles, WhoReadsMeanwhileIsTold) {
  write_run("", "old", 1);
  write_run(std::string(kNextRun) + "/", "new", 1);
  try {
    put_in_place(folder_, [] { throw Killed{}; });
  } catch (const Killed&) {
  }
  EXPECT_EQ(error_of([&] { (void)read_run_record(folder_); }),
            "66 RUN/: the run that replaces this one is not in its place yet; put it there with "
            "flymc fit (resume = RUN/)");
}

TEST_F(RunFiles, OnlyWhatTheManifestNamesIsReplaced) {
  const auto refusal = [&] { return error_of([&] { (void)folder_for_next(folder_); }); };
  const auto not_ours = [](const std::string& name) {
    return "73 RUN/" + name +
           " is not of a run that a fit made in RUN/ and is not overwritten; move it or choose "
           "another out.";
  };
  write("chain-1.csv", "mine");
  EXPECT_EQ(refusal(), not_ours("chain-1.csv"));
  for (const std::string stranger :
       {R"({"name": "my job"})", "", "[]", R"({"version": "1", "exact": true, "config": {}})"}) {
    write("run.json", stranger);
    EXPECT_TRUE(refusal().starts_with("73 ")) << stranger;
  }
  write("run.json", record(1));
  EXPECT_EQ(refusal(), "no error");
  for (const std::string other : {"chain-2.csv", "warmup-1.csv", "chain-2.ckpt", "levels.csv"}) {
    write(other, "mine");
    EXPECT_EQ(refusal(), not_ours(other));
    fs::remove(folder_ / other);
  }
  write("chain-01.csv", "mine");  // not a name that a run makes
  EXPECT_EQ(refusal(), "no error");
  fs::rename(folder_ / "run.json", folder_ / "elsewhere");
  fs::create_symlink("elsewhere", folder_ / "run.json");
  EXPECT_TRUE(refusal().starts_with("73 "));
}

TEST_F(RunFiles, LinkInTheWayIsNeitherFollowedNorRemoved) {
  write_run("", "old", 1);
  fs::create_directory(folder_ / "other");
  write("other/chain-1.csv", "mine");
  fs::create_symlink("other", folder_ / kNextRun);
  EXPECT_TRUE(error_of([&] { (void)folder_for_next(folder_); }).starts_with("73 "));
  EXPECT_EQ(resumable_folder(folder_), folder_);
  EXPECT_TRUE(fs::exists(folder_ / "other/chain-1.csv"));
  EXPECT_TRUE(fs::is_symlink(folder_ / kNextRun));
}

TEST_F(RunFiles, WhatAKilledWriterLeftIsClearedByTheNext) {
  write(".run.json.0123456789abcdef.flymc", "{");
  write(".report.html.0123456789abcdef.flymc", "somebody else's work");
  write(".run.json.tmp", "mine");
  RunWriter(folder_, OldRun::kRefuse).keep();
  EXPECT_FALSE(fs::exists(folder_ / ".run.json.0123456789abcdef.flymc"));
  EXPECT_TRUE(fs::exists(folder_ / ".report.html.0123456789abcdef.flymc"));
  EXPECT_TRUE(fs::exists(folder_ / ".run.json.tmp"));
}

// Whatever is thrown, from wherever.
TEST_F(RunFiles, WhatWasCheckpointedStays) {
  const auto run = [&](bool checkpointed) {
    try {
      RunWriter writer(folder_ / "run", OldRun::kReplace);
      writer.write_json(record(1));
      std::ofstream(writer.chain_file(0)) << "draws";
      if (checkpointed) {
        std::ofstream(writer.checkpoint_file(0)) << "state";
      }
      throw std::bad_alloc();
    } catch (const std::bad_alloc&) {
    }
  };
  run(false);
  EXPECT_FALSE(fs::exists(folder_ / "run"));
  run(true);
  for (const char* name : {"run.json", "chain-1.csv", "chain-1.ckpt"}) {
    EXPECT_TRUE(fs::exists(folder_ / "run" / name)) << name;
  }
  run(false);  // a run that replaces it and fails leaves it alone
  EXPECT_EQ(resumable_folder(folder_ / "run"), folder_ / "run");
  EXPECT_TRUE(fs::exists(folder_ / "run/chain-1.ckpt"));
  EXPECT_FALSE(fs::exists(folder_ / "run" / kNextRun));
  run(true);
  EXPECT_EQ(resumable_folder(folder_ / "run"), folder_ / "run" / kNextRun);
  EXPECT_TRUE(fs::exists(folder_ / "run/chain-1.ckpt"));
}

}  // namespace
}  // namespace flymc
