// Text larger than the memory that the program may use becomes a .fly file, and that fits and
// samples all the same. The limit is on anonymous memory, which a mapped file is not.
#include <cstdint>
#include <vector>

#include "cli/cli_data.hpp"
#include "data/format/fly_writer.hpp"
#include "data/format/npy.hpp"
#include "data/load_support.hpp"
#include "family/simulate.hpp"

namespace flymc {
namespace {

using testing::Cli;
using testing::expect_done;
using testing::operator+;
using testing::Words;

class LargerThanMemory : public Cli {
 protected:
  static std::string csv_header(int columns) {
    std::string header = "x0";
    for (int j = 1; j < columns; ++j) {
      header += ",x" + std::to_string(j);
    }
    return header;
  }

  [[nodiscard]] testing::Outcome fit_within(rlim_t bytes, const Words& options) const {
    const Words words{"fit",        "t.fly",   "--out",      "out",       "--warmup",
                      "100",        "--draws", "100",        "--threads", "1",
                      "--progress", "none",    "--overwrite"};
    return run_confined(words + options, {.anonymous_memory = bytes});
  }
};

TEST_F(LargerThanMemory, FitsAFileFourTimesTheMemoryItMayUse) {
  const Table table = simulate({.rows = 300'000, .columns = 60});
  const rlim_t quarter = write_fly(table, {.path = path("t.fly")}).bytes / 4;
  expect_done(fit_within(quarter, {}));
  const std::string within = bytes("out/chain-4.csv");
  expect_done(fit_within(RLIM_INFINITY, {}));
  EXPECT_EQ(bytes("out/chain-4.csv"), within);
  expect_done(fit_within(quarter, {"--drop", "x3,x7"}));  // selected, not copied

  // The limit is one: as many whole numbers, which are turned into memory of the program, do not
  // fit.
  write("X.npy", testing::npy("<i8", "(300000, 60)",
                              testing::bytes_of(std::vector<std::int64_t>(table.x.size()))));
  write_npy(path("y.npy"), table.response.values, {table.rows});
  const auto copied = run_confined({"fit", "X.npy", "--response", "y.npy", "--out", "other"},
                                   {.anonymous_memory = quarter});
  testing::expect_error(copied, 71, "does not fit in memory");
}

TEST_F(LargerThanMemory, ConvertsInMemoryThatDoesNotGrowWithTheFeatures) {
  const Table table = simulate({.rows = 50'000, .columns = 100});
  write_npy(path("X.npy"), table.x, {table.rows, table.columns.size()});
  constexpr rlim_t kBytes = 10'000'000;  // of 40 MB
  expect_done(
      run_confined({"convert", "X.npy", "t8.fly", "--threads", "1"}, {.anonymous_memory = kBytes}));
  expect_done(run_confined({"convert", "t8.fly", "t4.fly", "--float32", "--threads", "1"},
                           {.anonymous_memory = kBytes}));
}

TEST_F(LargerThanMemory, ConvertsTextWhoseFeaturesAreFiveTimesTheMemory) {
  std::string row;
  for (int j = 0; j < 50; ++j) {
    row += std::to_string(0.125 * j) + ",";
  }
  std::string text = csv_header(50) + ",city,y\n";
  constexpr std::size_t kRows = 300'000;
  text.reserve(kRows * (row.size() + 10));
  for (std::size_t n = 0; n < kRows; ++n) {
    text += row + (n % 3 == 0 ? "Rome," : "Oslo,") + (n % 2 == 0 ? "no\n" : "yes\n");
  }
  write("t.csv", text);
  constexpr rlim_t kBytes = 24'000'000;
  static_assert(kRows * 51 * sizeof(double) > 5 * kBytes);
  const Words options{"--response", "y", "--categorical", "city", "--threads", "1"};
  expect_done(
      run_confined(Words{"convert", "t.csv", "t.fly"} + options, {.anonymous_memory = kBytes}));
  EXPECT_GT(bytes("t.fly").size(), 5 * kBytes);

  // The limit is one: to be fitted as it is the table must be read.
  testing::expect_error(
      run_confined(Words{"fit", "t.csv", "--out", "out"} + options, {.anonymous_memory = kBytes}),
      71, "does not fit in memory");
}

}  // namespace
}  // namespace flymc
