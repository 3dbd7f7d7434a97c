// What `fit` does with input it cannot use: one line that helps, the exit code of the contract, and
// nothing left behind.
#include "cli/cli_data.hpp"

namespace flymc::testing {
namespace {

class BadInput : public Cli {
 protected:
  // Refused with this code and text, no run folder.
  void refused(const std::string& data, const Words& options, int code,
               const std::string& text) const {
    expect_error(fit(data, options), code, text);
    EXPECT_FALSE(exists("out"));
  }
  // The same for the text of a csv file, response y.
  void csv_refused(const std::string& text, int code, const std::string& says) const {
    write("d.csv", text);
    refused("d.csv", {"--response", "y"}, code, says);
  }
  void option_refused(const Words& options, const std::string& text) const {
    write("d.csv", binary_csv(20));
    refused("d.csv", Words{"--response", "y"} + options, 64, text);
  }
};

TEST_F(BadInput, ValuesThatAreNotNumbersAreNamedWithTheirLine) {
  csv_refused("x,y\n1,0\nnan,1\n2,1\n3,0\n", 65,
              "d.csv:3: column 'x' is missing ('nan'). 1 row has missing values (25.0 %). Use "
              "--missing drop or fill them first.");
  csv_refused("x,y\n1,0\n,1\n", 65, "d.csv:3: column 'x' is empty.");
  csv_refused("x,y\n1,0\n1e999,1\n", 65, "d.csv:3: column 'x' is inf after parsing '1e999'.");
  csv_refused("x,y\n1,0\n-inf,1\n", 65, "d.csv:3: column 'x' is -inf");
  csv_refused("city,y\n1,0\nParis,1\n", 65,
              "d.csv:3: column 'city' holds text ('Paris'); drop it (--drop city) or encode it "
              "(--categorical city).");
}

TEST_F(BadInput, RawTablesPointToTheCommandThatLooksAtAllColumns) {
  const std::string pointer = "all columns at once: flymc inspect d.csv --response y\nflymc: ";
  for (const char* const text :
       {"city,y\nOslo,0\nParis,1\n", "x,y\n1,0\n,1\n", "when,y\n2024-01-31,0\n2024-02-01,1\n"}) {
    write("d.csv", text);
    for (const Words& what : {Words{"--response", "y"}, Words{"--formula", "y ~ ."}}) {
      const Outcome outcome = run(Words{"fit", "d.csv", "--out", "out"} + what);
      EXPECT_TRUE(outcome.err.starts_with(pointer)) << outcome.err;
    }
  }
  EXPECT_FALSE(run({"fit", "d.csv", "--response", "y", "--quiet"}).says("inspect"));
  write("d.csv", "x,y\n1,0\n1,0,5\n");
  EXPECT_FALSE(run({"fit", "d.csv", "--response", "y"}).says("inspect"));
}

TEST_F(BadInput, ShapesThatAreNotTables) {
  csv_refused("x,y\n1,0\n1,0,5\n", 65, "d.csv:3: 3 fields, the header has 2.");
  csv_refused("x,y\n1,0\n1\n", 65, "d.csv:3: 1 field, the header has 2.");
  csv_refused("", 65, "d.csv: the file is empty.");
  csv_refused("x,y\n", 65, "d.csv: there are no rows.");
}

TEST_F(BadInput, ResponsesTheModelCannotUse) {
  csv_refused("x,y\n1,0\n2,1\n3,2\n4,3\n5,7\n", 65,
              "response 'y' has 5 values (0,1,2,3,7); logistic needs 2: did you mean --model "
              "softmax?");
  std::string counts = "x,y\n";
  for (int n = 0; n < 12; ++n) {
    counts += "1," + std::to_string(n) + "\n";
  }
  csv_refused(counts, 65, "logistic needs 2: did you mean --model poisson?");
  csv_refused("x,y\n1,1\n2,1\n", 65, "response 'y' is always 1: nothing to learn.");
  csv_refused("x,y\n1,0.5\n2,1\n", 65, "did you mean --model student-t?");
  write("d.csv", "x,y\n1,red\n2,green\n");
  refused("d.csv", {"--response", "y", "--model", "student-t"}, 65,
          "response 'y' holds text ('green'); student-t needs numbers");
  write("d.csv", "x,y\n1,3\n2,3\n3,3\n");
  refused("d.csv", {"--response", "y", "--model", "student-t"}, 65, "give --scale.");
}

TEST_F(BadInput, UnknownColumnsComeWithTheNearestName) {
  write("d.csv", "y,age\n1,30\n0,40\n");
  refused("d.csv", {"--response", "Y"}, 65, "no column 'Y'; columns are y, age; did you mean 'y'?");
  refused("d.csv", {"--response", "y", "--features", "agee"}, 65, "did you mean 'age'?");
  refused("d.csv", {"--response", "y", "--weights", "w"}, 65, "no column 'w'");
  refused("d.csv", {"--response", "y", "--weights", "y"}, 64, "asked for twice");
}

TEST_F(BadInput, FilesThatCannotBeRead) {
  refused("absent.csv", {"--response", "y"}, 66, "absent.csv: no such file.");
  refused(".", {"--response", "y"}, 66, ".: the directory holds no part files");
  write("X.npy", npy_f8("(2, 1)", {1, 2}));
  refused("X.npy", {"--response", "absent.npy"}, 66, "absent.npy: no such file.");
  write("bad.npy", "\x93NUMPY\x01");
  refused("bad.npy", {"--response", "X.npy"}, 65, "bad.npy");
  write("bad.csv.gz", gzip(binary_csv()).substr(0, 100));
  refused("bad.csv.gz", {"--response", "y"}, 65, "bad.csv.gz");
}

TEST_F(BadInput, FilesWithoutPermission) {
  using std::filesystem::perms;
  const Words words{"fit", "d.csv", "--response", "y", "--out", "locked/out"};
  write("d.csv", binary_csv(20));
  std::filesystem::create_directory(path("locked"));
  std::filesystem::permissions(path("locked"), perms::owner_read | perms::owner_exec);
  const Outcome outcome = run_unprivileged(words);
  if (outcome.code == Running::kCannotRun) {
    GTEST_SKIP() << "root may do everything, and nobody may not run " << FLYMC_BINARY;
  }
  expect_error(outcome, 77, "cannot create 'locked/out'");
  std::filesystem::permissions(path("d.csv"), perms::none);
  expect_error(run_unprivileged(words), 77, "d.csv");
}

TEST_F(BadInput, MissingResponseIsAUsageError) {
  write("d.csv", binary_csv(20));
  refused("d.csv", {}, 64, "--response is missing: name the column to explain");
  write("X.npy", npy_f8("(2, 1)", {1, 2}));
  refused("X.npy", {}, 64, "--response is missing");
  write("d.npz", npz({{"X", npy_f8("(2, 1)", {1, 2})}}, false));
  refused("d.npz", {}, 65, "d.npz: no array 'y'");
}

TEST_F(BadInput, CountsOutOfRange) {
  option_refused({"--draws", "-5"}, "--draws -5: must be positive.");
  option_refused({"--draws", "0"}, "--draws 0: must be positive.");
  option_refused({"--draws", "1e3"}, "--draws 1e3: must be a whole number.");
  option_refused({"--draws", "99999999999999999999"}, "must be a smaller number.");
  option_refused({"--draws", "5000000000"}, "--draws 5000000000: must be at most 1000000000.");
  option_refused({"--thin", "0"}, "--thin 0: must be positive.");
  option_refused({"--warmup", "-1"}, "--warmup -1: must be 0 or more.");
  option_refused({"--chains", "0"}, "--chains 0: must be positive.");
  option_refused({"--chains", "5000"}, "--chains 5000: must be between 1 and 1000.");
  option_refused({"--threads", "-2"}, "--threads -2: must be 0 or more.");
  option_refused({"--seed", "-1"}, "--seed -1: must be 0 or more.");
}

TEST_F(BadInput, NumbersOutOfRange) {
  option_refused({"--q", "2"}, "--q 2: must be in (0, 1], or auto.");
  option_refused({"--q", "x"}, "--q x: must be a number or auto.");
  option_refused({"--nu", "0"}, "--nu 0: must be positive.");
  option_refused({"--nu", "x"}, "--nu x: must be a number or infer.");
  option_refused({"--scale", "-1"}, "--scale -1: must be positive, auto or infer.");
  option_refused({"--z-fraction", "nan"}, "--z-fraction nan: must be in (0, 1].");
  option_refused({"--bound", "untuned", "--xi", "inf"}, "--xi inf: must be finite.");
}

TEST_F(BadInput, WordsNobodyKnows) {
  option_refused(
      {"--model", "poison"},
      "--model poison: must be one of beta, beta-binomial, binomial, cloglog, exponential, gamma, "
      "hurdle-poisson, "
      "log-logistic, logistic, lognormal, negative-binomial, normal, ordinal, poisson, probit, "
      "softmax, student-t, weibull, zinb, zip.");
  option_refused({"--kernel", "nuts"}, "--kernel nuts: must be one of ");
  option_refused({"--draw", "5"}, "no option '--draw'; did you mean '--draws'?");
  option_refused({"more.csv"}, "'more.csv' is one argument too many.");
  option_refused({"--seed", "1", "--seed", "2"}, "--seed is given more than once.");
  expect_error(run({"fot"}), 64, "no command 'fot'; did you mean 'fit'?");
  expect_error(run({"fit", "--response", "y"}), 64, "DATA is required.");
  expect_error(run({"fit", "d.csv", "--response", "y", "--out", ""}), 64, "--out: must name");
  expect_error(run({"fit", "d.csv", "--response"}), 64, "--response needs a value.");
  expect_error(run({"fit", "d.csv", "--bad\x1b[2J\xff"}), 64, "no option '--bad\\x1b[2J\\xff'");
}

TEST_F(BadInput, PriorsThatAreNotPriors) {
  for (const char* text : {"normal", "normal:", "normal:-1", "normal:0", "normal:inf", "normal:1x",
                           "gauss:1", "", "flat:1"}) {
    option_refused({"--prior", text}, "must be auto, flat, normal:S or laplace:S");
  }
  option_refused({"--prior-intercept", "normal:1"}, "--prior-intercept needs an explicit --prior");
  option_refused({"--prior", "normal:1", "--prior-intercept", "auto"}, "--prior-intercept auto");
  option_refused({"--prior", "flat", "--init", "prior"}, "a flat prior has no draws");
}

TEST_F(BadInput, OptionsThatContradictEachOther) {
  option_refused({"--regular", "--engine", "fly"}, "contradict");
  option_refused({"--xi", "1"}, "add --bound untuned.");
  option_refused({"--z", "explicit", "--q", "0.1"}, "add --z implicit.");
  option_refused({"--q", "0.1"}, "--q: only the implicit z-update takes it; add --z implicit.");
  option_refused({"--z", "weighted", "--bound", "map"},
                 "--z weighted: --bound map knows no rates; use --bound local, or --z implicit.");
  option_refused({"--kernel", "split-hmc", "--frame", "plain"},
                 "--kernel split-hmc: needs --frame whitened;");
  option_refused({"--model", "poisson", "--bound", "map"},
                 "--bound map: poisson has no global bound; use --bound local.");
  option_refused({"--model", "poisson", "--bound", "untuned"}, "--bound untuned: poisson has no");
  option_refused({"--model", "softmax", "--offset", "a"}, "--offset");
  option_refused({"--prior", "flat", "--prior-intercept", "flat", "--no-intercept"}, "contradict");
}

TEST_F(BadInput, FlatPriorNeedsALikelihoodThatIsEnough) {
  write("sep.csv", "x,noise,y\n-3,0.3,0\n-2,-0.1,0\n-1,0.2,0\n1,0.1,1\n2,-0.2,1\n3,0.4,1\n");
  refused("sep.csv", {"--response", "y", "--prior", "flat"}, 65,
          "a flat prior with separable data has no proper posterior; columns: x; use a proper "
          "prior.");
  const Simulated s = simulated(50);
  write("dep.csv", csv({{"a", s.a}, {"b", s.b}, {"twice", scaled(s.a, 2.0)}, {"y", s.binary}}));
  refused("dep.csv", {"--response", "y", "--prior", "flat"}, 65, "columns: twice; drop them");
  write("cls.csv", classes_csv(50));
  refused("cls.csv", {"--response", "y", "--prior", "flat", "--model", "softmax"}, 65,
          "a flat prior with softmax has no proper posterior");
  refused(
      "cls.csv",
      {"--response", "y", "--prior", "normal:1", "--prior-intercept", "flat", "--model", "softmax"},
      65, "a flat prior with softmax has no proper posterior");
}

TEST_F(BadInput, OutputsThatCannotBeMade) {
  write("d.csv", binary_csv(20));
  write("file", "mine");
  for (const char* out : {"file", "file/below", "file/below/it"}) {
    expect_error(run({"fit", "d.csv", "--response", "y", "--out", out}), 73, out);
    EXPECT_EQ(bytes("file"), "mine");
  }
  expect_error(run({"fit", "d.csv", "--response", "y", "--out", "/proc/none"}), 73, "/proc/none");
}

TEST_F(BadInput, SummaryOfWhatIsNotARun) {
  expect_error(run({"summary"}), 64, "RUN is required.");
  expect_error(run({"summary", "absent"}), 66, "no run folder 'absent/'");
  std::filesystem::create_directory(path("empty"));
  expect_error(run({"summary", "empty"}), 66, "holds no run.json");
  write("empty/run.json", "{");
  expect_error(run({"summary", "empty"}), 65, "run.json: not valid JSON");
  write("empty/run.json", "{}");
  expect_error(run({"summary", "empty"}), 65, "run.json: 'n' is not a count");
}

}  // namespace
}  // namespace flymc::testing
