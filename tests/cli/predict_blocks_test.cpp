// `flymc predict` reads its rows in blocks: these never show in what it writes, and bound its
// memory.
#include <fmt/format.h>

#include "cli/predict_support.hpp"
#include "data/fly_support.hpp"
#include "predict/predict.hpp"

namespace flymc::testing {
namespace {

class PredictBlocks : public PredictCli {
 protected:
  // What predict writes when it reads so many rows at a time; 0: as many as it likes.
  [[nodiscard]] std::string predicted_by(std::size_t block_rows, const std::string& data,
                                         bool with_response = true) const {
    PredictOptions options;
    options.folder = path("out");
    options.data.path = path(data);
    options.data.with_response = with_response;
    options.data.block_rows = block_rows;
    options.out = path("pred.csv");
    options.overwrite = true;
    options.quiet = true;
    flymc::predict(options);
    return bytes("pred.csv");
  }

  void expect_no_blocks(const std::string& data) const {
    const std::string whole = predicted_by(1'000'000, data);
    for (const std::size_t rows : {0, 1, 7}) {
      EXPECT_EQ(predicted_by(rows, data), whole) << data << ", " << rows;
    }
  }
};

// Blocks of the predictor are 1,024 rows here, and pieces that are read end anywhere in them.
TEST_F(PredictBlocks, NeverShowInTheOutput) {
  const Simulated s = simulated(3000);
  std::string text = "a,g,y\n";
  for (std::size_t n = 0; n < s.a.size(); ++n) {
    text += std::to_string(s.a[n]) + (n % 3 == 0 ? ",u," : ",\"v\nw\",") +
            (s.binary[n] > 0 ? "yes\n" : "01\n");
  }
  write("new.csv", text);
  write("new.csv.gz", gzip(text));
  write("new.csv.zst", zstd(text));
  expect_done(fit("new.csv", {"--formula", "y ~ a + g + a:g", "--categorical", "g"}));
  for (const char* name : {"new.csv", "new.csv.gz", "new.csv.zst"}) {
    expect_no_blocks(name);
  }
  // A block may hold labels that look like numbers and no others.
  EXPECT_EQ(lines_of(predicted_by(1, write("one.csv", "a,g,y\n1,u,01\n2,u,yes\n"))).size(), 3U);
}

TEST_F(PredictBlocks, RowsOfAFlyComeInBlocksToo) {
  write("train.csv", binary_csv(3000));
  expect_done(run({"convert", "train.csv", "train.fly", "--response", "y"}));
  expect_done(fit("train.fly", {"--response", "y"}));
  expect_no_blocks("train.fly");
  EXPECT_EQ(predicted_by(7, "train.csv"), predicted_by(0, "train.fly"));
}

// Features of an npy stay in their file; columns are x1, x2, ..., by which a table finds them too.
TEST_F(PredictBlocks, RowsOfAnArrayComeInBlocksToo) {
  expect_done(run({"simulate", "-n", "3000", "-d", "2", "--out", "."}));
  expect_done(fit("X.npy", {"--response", "y.npy"}));
  const std::vector<double> x = testing::features_of(load({.path = path("X.npy")}).table);
  std::string text = "x2,x1\n";
  for (std::size_t n = 0; 2 * n < x.size(); ++n) {
    text += fmt::format("{},{}\n", x[2 * n + 1], x[2 * n]);
  }
  write("new.csv", text);
  const std::string whole = predicted_by(0, "new.csv", false);
  EXPECT_EQ(lines_of(whole).size(), 3001U);
  EXPECT_EQ(predicted_by(7, "X.npy", false), whole);
  EXPECT_EQ(predicted_by(0, "X.npy", false), whole);
}

TEST_F(PredictBlocks, AMistakeFarDownLeavesNoFile) {
  expect_done(fit(write("train.csv", binary_csv()), {"--response", "y"}));
  write("new.csv", "a,b,y\n1,2,0\n1,2,1\n1,x,1\n");
  try {
    (void)predicted_by(1, "new.csv");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("new.csv:4: column 'b' holds text"),
              std::string::npos);
  }
  EXPECT_FALSE(exists("pred.csv"));
  EXPECT_FALSE(holds_half_written());
}

TEST_F(PredictBlocks, MemoryDoesNotGrowWithTheRows) {
  constexpr std::size_t kRows = 400'000;
  constexpr std::size_t kColumns = 60;
  constexpr rlim_t kBytes = 80'000'000;  // the features are 192 MB
  Stream stream(3, 0, Purpose::kInit, 1);
  std::string text;
  for (std::size_t j = 0; j < kColumns; ++j) {
    text += "x" + std::to_string(j) + ",";
  }
  text += "y\n";
  for (std::size_t n = 0; n < kRows; ++n) {
    for (std::size_t j = 0; j <= kColumns; ++j) {
      text += stream.uniform() < 0.5 ? '0' : '1';
      text += j < kColumns ? ',' : '\n';
    }
  }
  write("new.csv", text);
  write("new.csv.gz", gzip(text));
  const std::size_t cut = text.find('\n', 50'000);
  expect_done(fit(write("train.csv", text.substr(0, cut)), {"--response", "y", "--draws", "10"}));
  expect_done(run_confined({"predict", "out", "new.csv", "--out", "pred.csv", "--threads", "2"},
                           {.anonymous_memory = kBytes}));
  EXPECT_EQ(lines_of(bytes("pred.csv")).size(), kRows + 1);
  expect_done(
      run_confined({"predict", "out", "new.csv.gz", "--out", "packed.csv", "--threads", "2"},
                   {.anonymous_memory = kBytes}));
  EXPECT_TRUE(bytes("packed.csv") == bytes("pred.csv"));
  // The limit is one: the table as a whole does not fit.
  expect_error(run_confined({"fit", "new.csv.gz", "--response", "y", "--out", "other"},
                            {.anonymous_memory = kBytes}),
               71, "does not fit in memory");
}

}  // namespace
}  // namespace flymc::testing
