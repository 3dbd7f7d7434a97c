// Every way into `fit` and `inspect` that is not one plain file: pipes, parts, formulas.
#include "cli/cli_data.hpp"
#include "data/load/checksum.hpp"

namespace flymc::testing {
namespace {

class InputCli : public Cli {
 protected:
  // Rows [first, last) of the table, with its header.
  static std::string rows(const std::string& text, std::size_t first, std::size_t last) {
    const Words lines = lines_of(text);
    std::string part = lines[0] + "\n";
    for (std::size_t i = first; i < std::min(last, lines.size() - 1); ++i) {
      part += lines[i + 1] + "\n";
    }
    return part;
  }
};

TEST_F(InputCli, AFitFromAPipeIsTheFitOfTheFile) {
  write("d.csv", binary_csv());
  write("d.csv.zst", zstd(binary_csv()));
  expect_done(fit("d.csv", {"--response", "y"}));
  const std::string chain = bytes("out/chain-1.csv");
  {
    const PipedInput piped(path("d.csv.zst").string());
    expect_done(fit("-", {"--response", "y", "--overwrite"}));
  }
  EXPECT_EQ(bytes("out/chain-1.csv"), chain);
  const Json data = json("out/run.json")["data"];
  EXPECT_EQ(data["path"], "-");
  EXPECT_EQ(data["checksum"], fingerprint_of_file(path("d.csv.zst").string()));
}

TEST_F(InputCli, AFitOfPartsIsTheFitOfTheFile) {
  const std::string text = binary_csv();
  write("d.csv", text);
  expect_done(fit("d.csv", {"--response", "y"}));
  const std::string chain = bytes("out/chain-1.csv");
  std::filesystem::create_directory(path("parts"));
  write("parts/b.csv", rows(text, 70, 1000));
  write("parts/a.csv", rows(text, 0, 70));
  for (const std::string name : {"parts", "parts/", "parts/*.csv"}) {
    const Outcome outcome = fit(name, {"--response", "y", "--overwrite"});
    expect_done(outcome);
    EXPECT_TRUE(outcome.says(": csv, 2 files, 200 rows x 2 features")) << outcome.err;
    EXPECT_EQ(bytes("out/chain-1.csv"), chain);
  }
  EXPECT_EQ(json("out/run.json")["data"]["path"], path("parts/*.csv").string());
  for (const std::string out : {"parts", "parts/run"}) {
    expect_error(run({"fit", "parts", "--response", "y", "--out", out}), 73,
                 "parts/ holds the part files of the data; choose an --out outside.");
  }
}

TEST_F(InputCli, ARunDoesNotGoAmongTheParts) {
  write("d.csv", binary_csv());
  expect_error(fit(".", {"--response", "y"}), 73, "holds the part files of the data");
  EXPECT_FALSE(exists("out"));
}

TEST_F(InputCli, AFormulaIsTheSameFitWithTheColumnInTheFile) {
  const Simulated s = simulated(200);
  std::vector<double> product = s.a;
  for (std::size_t n = 0; n < product.size(); ++n) {
    product[n] *= s.b[n];
  }
  write("made.csv", csv({{"b", s.b}, {"a:b", product}, {"y", s.binary}}));
  write("d.csv", csv({{"a", s.a}, {"b", s.b}, {"y", s.binary}}));
  expect_done(fit("made.csv", {"--response", "y", "--no-intercept"}));
  const std::string made = bytes("out/chain-1.csv");
  const Outcome outcome = fit("d.csv", {"--formula", "y ~ b + a:b - 1", "--overwrite"});
  expect_done(outcome);
  EXPECT_EQ(bytes("out/chain-1.csv"), made);
  const Json run_json = json("out/run.json");
  EXPECT_EQ(run_json["config"]["formula"], "y ~ b + a:b - 1");
  EXPECT_EQ(run_json["config"]["response"], "y");
  EXPECT_EQ(run_json["config"]["no-intercept"], true);
  EXPECT_EQ(run_json["parameters"][1]["label"], "a:b");
}

TEST_F(InputCli, FormulaMistakesAreUsageErrors) {
  write("d.csv", binary_csv());
  expect_error(fit("d.csv", {"--formula", "y ~ a/b"}), 64,
               "/ is not read between terms, write a + a:b; at character 6 ('/b').");
  expect_error(fit("d.csv", {"--formula", "y ~ a", "--no-intercept"}), 64,
               "write - 1 in the formula");
  expect_error(fit("d.csv", {"--formula", "y ~ a", "--response", "b"}), 64,
               "contradict each other");
  expect_error(fit("d.csv", {"--formula", "y ~ a", "--features", "b"}), 64,
               "contradict each other");
  expect_error(fit("d.csv", {"--formula", "y ~ a", "--drop", "b"}), 64, "contradict each other");
  expect_error(run({"inspect", "d.csv", "--formula", "y ~ lag(a)"}), 64, "no function 'lag'");
  expect_error(fit("d.csv", {"--formula", "y ~ log(a)"}), 65, "column 'log(a)' is not a number");
  expect_error(fit("d.csv", {"--formula", "y ~ bs(a, 2)"}), 64,
               "bs is cubic and has from 3 to 100 degrees of freedom");
  expect_error(fit("d.csv", {"--formula", "y ~ bs(a, many)"}), 64, "expected a number");
  expect_error(
      fit(write("few.csv", "a,y\n1,0\n2,1\n3,1\n1,0\n"), {"--formula", "y ~ bs(a, 3)"}), 65,
      "'bs(a, 3)': there are only 3 different values; the degrees of freedom must be less.");
  expect_error(fit("d.csv", {"--formula", "y ~ a", "--reference", "a=1"}), 64,
               "--reference a=1: there is no such categorical column");
  expect_error(run({"convert", "d.csv", "d.fly", "--formula", "y ~ scale(a)"}), 64,
               "the constants of scale, poly, bs and s belong to a run");
  EXPECT_FALSE(exists("out"));
  EXPECT_FALSE(exists("d.fly"));
}

TEST_F(InputCli, InspectTakesAFormulaAndHandsItOn) {
  write("d.csv", binary_csv());
  const Outcome outcome = run({"inspect", "d.csv", "--formula", "y ~ a:b + a"});
  expect_done(outcome);
  EXPECT_TRUE(outcome.shows("a:b ")) << outcome.out;
  EXPECT_TRUE(outcome.shows("flymc fit d.csv --formula 'y ~ a:b + a' --model logistic --out run/"))
      << outcome.out;
}

TEST_F(InputCli, FilesWithoutHeader) {
  write("d.csv", "1,2,0\n2,1,1\n3,3,0\n5,2,1\n");
  expect_error(run({"inspect", "d.csv", "--response", "y"}), 65, "the header is missing");
  const Outcome outcome = run({"inspect", "d.csv", "--header", "no", "--response", "x3"});
  expect_done(outcome);
  EXPECT_TRUE(outcome.shows("4 rows x 2 features"));
  EXPECT_TRUE(outcome.shows("flymc fit d.csv --response x3 --header no --model logistic"));
}

}  // namespace
}  // namespace flymc::testing
