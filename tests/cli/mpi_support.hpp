// flymc under a real launcher, of each kind that is here.
#pragma once

#include <filesystem>
#include <fstream>

#include "cli/cli_data.hpp"
#include "data/format/fly_writer.hpp"
#include "family/simulate.hpp"

namespace flymc::testing {

inline constexpr std::size_t kRows = 3 * 65'536 + 1000;  // four ranks hold some

class MpiCli : public Cli, public ::testing::WithParamInterface<const char*> {
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

}  // namespace flymc::testing
