// `flymc convert`, and what the other commands do with the file it makes.
#include "cli/cli_data.hpp"
#include "data/format/fly_writer.hpp"

namespace flymc {
namespace {

using testing::Cli;
using testing::csv;
using testing::expect_done;
using testing::expect_error;
using testing::Outcome;
using testing::scaled;
using testing::simulated;
using testing::Simulated;
using testing::operator+;
using testing::Words;

class Convert : public Cli {
 protected:
  static std::string without(std::string text, const std::string& part) {
    for (std::size_t at = 0; (at = text.find(part)) != std::string::npos;) {
      text.erase(at, part.size());
    }
    return text;
  }

  // Text is converted in blocks: the file is that of the whole table.
  void expect_as_whole(const LoadSpec& spec, const Words& options) const {
    LoadSpec in_folder = spec;
    in_folder.path = path(spec.path);
    const Loaded loaded = load(in_folder);
    ASSERT_TRUE(write_fly(loaded.table, {.path = path("whole.fly"),
                                         .weights = spec.weights,
                                         .offset = spec.offset,
                                         .trials = spec.trials})
                    .complete);
    const Outcome outcome = run(Words{"convert", spec.path, "t.fly", "--overwrite"} + options);
    expect_done(outcome);
    EXPECT_TRUE(bytes("t.fly") == bytes("whole.fly")) << spec.path << spec.response;
    std::string warnings;
    for (const std::string& warning : loaded.warnings) {
      warnings += "warning: " + warning + "\n";
    }
    EXPECT_EQ(outcome.err, without(warnings, path("")));
  }

  // The draws of one fit, every chain file in one text.
  std::string fit_bytes(const std::string& data, const Words& options) const {
    std::filesystem::remove_all(path("out"));
    expect_done(fit(data, options));
    return bytes("out/chain-1.csv") + bytes("out/chain-2.csv");
  }
};

TEST_F(Convert, SaysWhatItWrote) {
  write("t.csv", testing::binary_csv(300));
  const Outcome outcome = run({"convert", "t.csv", "t.fly", "--response", "y"});
  expect_done(outcome);
  EXPECT_TRUE(outcome.shows("wrote t.fly: 300 rows x 2 features, float64, response 'y', "))
      << outcome.out;
  EXPECT_EQ(outcome.err, "");
  EXPECT_FALSE(holds_half_written());
}

// Every model reads another kind of response; --drop and a constant column are selected, not
// copied.
TEST_F(Convert, DrawsAreThoseOfTheCsvToTheByte) {
  const Simulated s = simulated(400);
  const std::vector<double> fives = testing::constant(400, 5.0);
  const std::vector<testing::Column> columns{
      {"a", s.a},           {"id", s.numbers},    {"five", fives},      {"b", s.b},
      {"binary", s.binary}, {"class", s.classes}, {"number", s.numbers}};
  write("t.csv", csv(columns));
  const std::pair<std::string, std::string> models[] = {
      {"logistic", "binary"}, {"softmax", "class"}, {"student-t", "number"}, {"poisson", "class"}};
  for (const auto& [model, response] : models) {
    const Words all{"binary", "class", "number", "id"};
    std::string drop;
    for (const std::string& name : all) {
      drop += name == response ? "" : (drop.empty() ? "" : ",") + name;
    }
    const Words options{"--model", model, "--response", response, "--drop", drop};
    expect_done(run(
        {"convert", "t.csv", "some.fly", "--response", response, "--drop", drop, "--overwrite"}));
    expect_done(run({"convert", "t.csv", "all.fly", "--response", response, "--overwrite"}));
    const std::string expected = fit_bytes("t.csv", options);
    EXPECT_EQ(fit_bytes("some.fly", {"--model", model}), expected) << model;
    EXPECT_EQ(fit_bytes("all.fly", options), expected) << model;
  }
}

TEST_F(Convert, DrawsAreTheSameWithEqualRowsWeightsAndText) {
  std::string text = "x,city,w,o,y\n";
  for (int n = 0; n < 500; ++n) {  // a handful of different rows: merged
    text += std::to_string(n % 3) + "," + (n % 2 == 0 ? "Rome" : "Oslo") + "," +
            std::to_string(n % 4) + "," + (n % 5 == 0 ? "0.5" : "0") + "," +
            (n * n % 7 < 3 ? "yes" : "no") + "\n";
  }
  write("t.csv", text);
  const Words options{"--response", "y", "--categorical", "city",
                      "--weights",  "w", "--offset",      "o"};
  expect_done(run(Words{"convert", "t.csv", "t.fly"} + options));
  const std::string expected = fit_bytes("t.csv", options);
  EXPECT_EQ(fit_bytes("t.fly", {}), expected);
  EXPECT_EQ(fit_bytes("t.fly", {"--threads", "1"}), expected);
  expect_error(fit("t.fly", {"--categorical", "city=Rome", "--overwrite"}), 64, "convert encodes");
}

// Of several megabytes: many blocks. Only the last row shows that `late` is text; some cities occur
// only in rows that are left out.
TEST_F(Convert, TextInBlocksIsTheFileOfTheWholeTable) {
  constexpr std::size_t kRows = 120'000;
  const Simulated s = simulated(kRows);
  std::string text = "a,b,city,,w,y,late\n";
  for (std::size_t n = 0; n < kRows; ++n) {
    const char* const city = n % 11 == 0 ? "Ghost" : n % 97 == 5 ? "Lost" : n % 3 ? "Rome" : "Oslo";
    text += (n % 97 == 5 ? "NA" : std::to_string(1e3 * s.a[n])) + "," + std::to_string(s.b[n]) +
            "," + city + ",no name," + (n % 11 == 0 ? "0" : "0.5") + "," + std::to_string(n % 2) +
            "," +
            (n + 1 == kRows ? "text"
             : n % 2 == 0   ? "1"
                            : "1.0") +
            "\n";
  }
  ASSERT_GT(text.size(), 4'500'000U);
  write("t.csv", text);
  expect_as_whole({.path = "t.csv", .response = "y", .features = {"b", "w"}},
                  {"--response", "y", "--features", "b,w"});
  const Words drop{"--missing", "drop", "--categorical", "city", "--weights", "w"};
  expect_as_whole({.path = "t.csv",
                   .response = "late",
                   .drop = {"y"},
                   .categorical = {"city"},
                   .weights = "w",
                   .missing = Missing::kDrop},
                  Words{"--response", "late", "--drop", "y"} + drop);
  expect_as_whole({.path = "t.csv",
                   .formula = "y ~ a + city:b",
                   .categorical = {"city"},
                   .weights = "w",
                   .missing = Missing::kDrop},
                  Words{"--formula", "y ~ a + city:b"} + drop);
}

TEST_F(Convert, AMistakeInALaterBlockHasItsLineAndLeavesNothing) {
  std::string text = "a,y\n";
  for (int n = 0; n < 500'000; ++n) {
    text += "123456789,1\n";
  }
  write("t.csv", text + "oops,0\n");
  expect_error(run({"convert", "t.csv", "t.fly", "--response", "y"}), 65,
               "t.csv:500002: column 'a' holds text ('oops')");
  write("big.csv", text + "1e300,0\n");
  expect_error(run({"convert", "big.csv", "t.fly", "--response", "y", "--float32"}), 65,
               "column 'a' holds 1e+300, too large for --float32");
  EXPECT_FALSE(exists("t.fly"));
  EXPECT_FALSE(holds_half_written());
}

TEST_F(Convert, DrawsOfASelectedPriorAreTheSame) {
  write("t.csv", testing::numbers_csv(300));
  expect_done(run({"convert", "t.csv", "t.fly", "--response", "y"}));
  for (const char* scale : {"auto", "infer"}) {
    const Words options{"--model", "student-t", "--select-prior", "--scale", scale};
    EXPECT_EQ(fit_bytes("t.fly", options), fit_bytes("t.csv", options + Words{"--response", "y"}));
  }
}

TEST_F(Convert, BinomialNamesItsTrials) {
  std::string text = "x,m,y\n";
  for (int n = 0; n < 200; ++n) {
    text += std::to_string(0.01 * n) + "," + std::to_string(3 + n % 4) + "," +
            std::to_string(n % 4) + "\n";
  }
  write("t.csv", text);
  const Words options{"--response", "y", "--trials", "m"};
  expect_done(run(Words{"convert", "t.csv", "t.fly"} + options));
  const Words model{"--model", "binomial"};
  const std::string expected = fit_bytes("t.csv", options + model);
  EXPECT_EQ(fit_bytes("t.fly", model + Words{"--trials", "m"}), expected);
  EXPECT_FALSE(fit_bytes("t.fly", {"--model", "poisson"}).empty());  // trials stay behind
}

TEST_F(Convert, Float32HalvesTheFileAndSaysThatItRounds) {
  const Simulated s = simulated(3000);
  write("t.csv", csv({{"a", s.a}, {"b", s.b}, {"c", s.a}, {"d", s.b}, {"y", s.binary}}));
  write("whole.csv", csv({{"a", s.classes}, {"y", s.binary}}));
  expect_done(run({"convert", "t.csv", "t8.fly", "--response", "y"}));
  const Outcome small = run({"convert", "t.csv", "t4.fly", "--response", "y", "--float32"});
  expect_done(small);
  EXPECT_TRUE(small.says("warning: --float32 rounded 12,000 of 12,000 numbers to 7 digits."))
      << small.err;
  EXPECT_LT(bytes("t4.fly").size(), 0.65 * static_cast<double>(bytes("t8.fly").size()));
  EXPECT_EQ(run({"convert", "whole.csv", "w.fly", "--response", "y", "--float32"}).err, "");
  expect_done(fit("t4.fly", {}));
  EXPECT_NEAR(mean("beta.1") + mean("beta.3"), 1.0, 0.3);
}

TEST_F(Convert, InspectReadsWhatItMade) {
  write("t.csv", testing::classes_csv(300));
  expect_done(run({"convert", "t.csv", "t.fly", "--response", "y"}));
  const Outcome from_csv = run({"inspect", "t.csv", "--response", "y", "--json"});
  const Outcome from_fly = run({"inspect", "t.fly", "--json"});
  expect_done(from_fly);
  auto a = testing::Json::parse(from_csv.out);
  auto b = testing::Json::parse(from_fly.out);
  for (const char* const key :
       {"rows", "columns", "response", "dependent", "equal_rows", "model"}) {
    EXPECT_EQ(a[key], b[key]) << key;
  }
  EXPECT_EQ(b["format"], "fly");
  EXPECT_LT(b["memory_bytes"], a["memory_bytes"]);
}

TEST_F(Convert, RefusesToReplaceAFile) {
  write("t.csv", testing::binary_csv(50));
  write("old.fly", "precious");
  expect_error(run({"convert", "t.csv", "old.fly", "--response", "y"}), 73,
               "'old.fly' is there already; use --overwrite");
  EXPECT_EQ(bytes("old.fly"), "precious");
  expect_error(run({"convert", "t.csv", "t.bin", "--response", "y"}), 64, "something.fly");
  expect_error(run({"convert", "t.csv", "none/t.fly"}), 73, "cannot create 'none/t.fly'");
  expect_error(run({"convert", "none.csv", "t.fly"}), 66, "none.csv: no such file");
  expect_done(run({"convert", "t.csv", "old.fly", "--response", "y", "--overwrite"}));
  expect_done(run({"convert", "old.fly", "old.fly", "--drop", "a", "--overwrite"}));
  expect_done(run({"inspect", "old.fly"}));
}

TEST_F(Convert, SaysThatAFolderIsNotWritable) {
  write("t.csv", testing::binary_csv(50));
  std::filesystem::permissions(path("."), std::filesystem::perms::owner_all |
                                              std::filesystem::perms::others_read |
                                              std::filesystem::perms::others_exec);
  expect_error(run_unprivileged({"convert", "t.csv", "t.fly"}), 77, "Permission denied");
}

TEST_F(Convert, AFullDiskLeavesNothing) {
  write("t.csv", testing::binary_csv(3000));
  for (const rlim_t most : {rlim_t{1000}, rlim_t{20'000}}) {
    expect_error(
        run_confined({"convert", "t.csv", "t.fly", "--response", "y"}, {.largest_file = most}), 74,
        "no space left writing 't.fly'");
    EXPECT_FALSE(exists("t.fly"));
    EXPECT_FALSE(holds_half_written());
  }
}

TEST_F(Convert, DamageEndsEveryCommandInOneLine) {
  write("t.csv", testing::binary_csv(300));
  expect_done(run({"convert", "t.csv", "t.fly", "--response", "y"}));
  std::string damaged = bytes("t.fly");
  damaged[damaged.size() / 2] ^= 1;
  write("bad.fly", damaged);
  write("cut.fly", damaged.substr(0, damaged.size() / 2));
  expect_error(fit("bad.fly", {}), 65, "bad.fly: bytes");
  expect_error(fit("cut.fly", {}), 65, "cut.fly: the file has");
  expect_error(run({"inspect", "cut.fly"}), 65, "cut short");
  expect_error(run({"convert", "bad.fly", "new.fly"}), 65, "are damaged");
  EXPECT_FALSE(exists("new.fly"));
}

TEST_F(Convert, TheRunRemembersTheFilesOwnChecksum) {
  write("t.csv", testing::binary_csv(100));
  expect_done(run({"convert", "t.csv", "t.fly", "--response", "y"}));
  expect_done(fit("t.fly", {}));
  EXPECT_NE(bytes("out/run.json").find("xxh64:"), std::string::npos);
}

}  // namespace
}  // namespace flymc
