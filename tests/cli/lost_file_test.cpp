// Files cut short while they are mapped: one line that names them, 74, and a run that can go on.
#include "cli/lost_file.hpp"

#include <filesystem>
#include <functional>

#include "cli/cli.hpp"
#include "cli/cli_data.hpp"
#include "data/input/content.hpp"

namespace flymc::cli {
namespace {

using namespace flymc::testing;
namespace fs = std::filesystem;

TEST(LostFileDeathTest, AReadBeyondTheEndIsSaidAndEnds) {
  const TempDir dir;
  const std::string path = dir.write("a.csv", std::string(100'000, 'x'));
  const auto read_on = [&] {
    exit_on_lost_files();
    const FileMap file(path);
    fs::resize_file(path, 10);
    const volatile char last = file.bytes().back();
    (void)last;
  };
  EXPECT_EXIT(read_on(), ::testing::ExitedWithCode(74),
              "^flymc: .*a.csv was cut short, or its disk failed, while it was being read; put it "
              "back as it was, and start again.\n$");
  dir.write("a.csv", std::string(100'000, 'x'));
  const auto with_remedy = [&] {
    const LostFileRemedy remedy("do this.");
    read_on();
  };
  EXPECT_EXIT(with_remedy(), ::testing::ExitedWithCode(74), "being read; do this.\n$");
}

TEST(LostFileDeathTest, AnyOtherBusErrorIsACrashAsEver) {
  const auto crash = [] {
    exit_on_lost_files();
    std::raise(SIGBUS);
    std::raise(SIGBUS);
  };
  EXPECT_EXIT(crash(), ::testing::KilledBySignal(SIGBUS), "");
}

class LostFile : public Cli {
 protected:
  static constexpr const char* kFly = "t.fly";

  [[nodiscard]] Words words(const std::string& out) const {
    return {"fit",
            kFly,
            "--model",
            "logistic",
            "--out",
            out,
            "--chains",
            "2",
            "--warmup",
            "100",
            "--draws",
            "100000",
            "--checkpoint-every",
            "0.05s",
            "--progress",
            "none"};
  }
  void wait_for(const std::string& name) const {
    for (int i = 0; i < 10'000 && !exists(name); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ASSERT_TRUE(exists(name));
  }
  // Cuts the table of a running fit to so many bytes, puts it back, and goes on.
  void cut_and_go_on(const std::function<std::uintmax_t(std::uintmax_t)>& size) const {
    const std::string table = bytes(kFly);
    const Running running = start(words("out"));
    wait_for("out/chain-2.ckpt");
    fs::resize_file(path(kFly), size(table.size()));
    expect_error(running.wait(), 74, kFly);
    write(kFly, table);
    expect_done(run({"fit", "--resume", "out", "--progress", "none", "--quiet"}));
    expect_done(run(words("whole")));
    for (const std::string chain : {"chain-1.csv", "chain-2.csv"}) {
      EXPECT_TRUE(bytes("out/" + chain) == bytes("whole/" + chain)) << chain;
    }
  }
};

TEST_F(LostFile, AFitOfATableCutShortCanGoOn) {
  expect_done(run({"convert", write("t.csv", binary_csv(20'000)), kFly, "--response", "y"}));
  cut_and_go_on([](std::uintmax_t) { return 4096; });
}

TEST_F(LostFile, AFitOfATableCutByAByteCanGoOn) {
  expect_done(run({"convert", write("t.csv", binary_csv(20'000)), kFly, "--response", "y"}));
  cut_and_go_on([](std::uintmax_t size) { return size - 1; });
}

}  // namespace
}  // namespace flymc::cli
