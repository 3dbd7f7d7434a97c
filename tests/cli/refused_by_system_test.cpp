// What the system refuses: the right code and one line, or the work done without it.
#include <filesystem>

#include "cli/cli.hpp"
#include "cli/cli_data.hpp"

namespace flymc::cli {
namespace {

using namespace flymc::testing;

class RefusedBySystem : public Cli {
 protected:
  [[nodiscard]] Words fit_words(const std::string& out) const {
    return {"fit",        write("t.csv", binary_csv()),
            "--response", "y",
            "--out",      out,
            "--warmup",   "50",
            "--draws",    "50",
            "--quiet"};
  }
};

TEST_F(RefusedBySystem, AFileAtItsLimitIsAFullDiskAndTheRunGoesOn) {
  const Words words = {"fit",
                       write("t.csv", binary_csv()),
                       "--response",
                       "y",
                       "--out",
                       "out",
                       "--warmup",
                       "50",
                       "--draws",
                       "20000",
                       "--chains",
                       "1",
                       "--checkpoint-every",
                       "0.01s",
                       "--progress",
                       "none"};
  expect_error(run_confined(words, {.largest_file = 200'000}), 74, "no space left writing out/");
  expect_done(run({"fit", "--resume", "out", "--quiet"}));
}

TEST_F(RefusedBySystem, WithoutThreadsCommandsDoTheirWorkOrSayWhy) {
  const Confined alone{.no_threads = true};
  expect_done(run(fit_words("out")));
  expect_error(run_confined(fit_words("other"), alone), 71, "starts no thread");
  expect_done(run_confined({"inspect", "t.csv", "--response", "y"}, alone));
  expect_done(run_confined({"summary", "out"}, alone));
  expect_done(run_confined({"report", "out"}, alone));
  expect_done(run_confined({"predict", "out", "t.csv", "--out", "p.csv"}, alone));
  expect_done(run_confined({"convert", "t.csv", "t.fly", "--response", "y"}, alone));
  expect_done(run_confined(
      {"simulate", "--model", "logistic", "-n", "1000", "-d", "3", "--out", "sim"}, alone));
}

TEST_F(RefusedBySystem, AnUnreadableRunFolderIsNamed) {
  namespace fs = std::filesystem;
  expect_done(run(fit_words("out")));
  fs::permissions(path("."), fs::perms::all);
  const auto none = fs::perms::none;
  const auto pass_through = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
  const std::vector<Words> commands = {{"summary", "out"},
                                       {"report", "out", "--out", "r.html"},
                                       {"predict", "out", "t.csv", "--out", "p.csv"},
                                       {"export", "out", "--to", "npz", "--out", "o.npz"}};
  for (const auto permissions : {none, pass_through}) {
    fs::permissions(path("out"), permissions);
    for (const Words& words : commands) {
      expect_error(run_unprivileged(words), 77, "out/");
    }
  }
  fs::permissions(path("out"), none);
  expect_error(run_unprivileged({"fit", "--resume", "out"}), 77, "cannot read out/");
  fs::permissions(path("out"), fs::perms::owner_all);
}

}  // namespace
}  // namespace flymc::cli
