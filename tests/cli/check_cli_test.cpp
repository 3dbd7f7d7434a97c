// `flymc check` and `fit --holdout` end to end: rows that are held out are not in the fit, whatever
// goes on with the run; what is checked are these; a wrong model is called out.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "cli/cli_data.hpp"
#include "run/holdout.hpp"

namespace flymc::testing {
namespace {

using ::testing::HasSubstr;

class CheckCli : public Cli {
 protected:
  [[nodiscard]] Json check(const Words& more = {}, const std::string& folder = "out") const {
    const Outcome outcome = run(Words{"check", folder, "--json"} + more);
    expect_done(outcome);
    return outcome.code == 0 ? Json::parse(outcome.out) : Json{};
  }
  void fit_to(const std::string& folder, const Words& words) const {
    expect_done(run(
        Words{"fit"} + words +
        Words{"--response", "y", "--out", folder, "--quiet", "--chains", "2", "--warmup", "200"}));
  }
  // The rows that are, or are not, held out of a table by a seed.
  [[nodiscard]] static std::string part(const std::string& text, bool held, double share,
                                        std::uint64_t seed) {
    RunOptions options;
    options.holdout = share;
    options.seed = seed;
    const Words lines = lines_of(text);
    std::string some = lines[0] + "\n";
    for (std::size_t n = 0; n + 1 < lines.size(); ++n) {
      some += is_held_out(options, n) == held ? lines[n + 1] + "\n" : "";
    }
    return some;
  }
};

TEST_F(CheckCli, RowsHeldOutAreNotInTheFit) {
  const std::string all = binary_csv(400);
  write("all.csv", all);
  write("rest.csv", part(all, false, 0.25, 3));
  write("held.csv", part(all, true, 0.25, 3));
  const Words how{"--seed", "3", "--draws", "100"};
  fit_to("out", Words{"all.csv", "--holdout", "0.25"} + how);
  fit_to("hand", Words{"rest.csv"} + how);
  EXPECT_TRUE(bytes("out/chain-1.csv") == bytes("hand/chain-1.csv"));
  EXPECT_TRUE(bytes("out/chain-2.csv") == bytes("hand/chain-2.csv"));
  const Json held = check();
  EXPECT_EQ(held["which"], "held out");
  EXPECT_EQ(held["rows"], lines_of(bytes("held.csv")).size() - 1);
  EXPECT_NEAR(held["rows"].get<double>(), 100.0, 4.0 * std::sqrt(400.0 * 0.25 * 0.75));
  EXPECT_EQ(held["scores"], check({"--data", "held.csv"}, "hand")["scores"]);
  EXPECT_EQ(json("out/run.json")["config"]["holdout"], 0.25);
}

TEST_F(CheckCli, ARunWithRowsHeldOutGoesOnWithThem) {
  const std::string all = binary_csv(400);
  write("all.csv", all);
  fit_to("out", {"all.csv", "--holdout", "0.2", "--draws", "50"});
  expect_done(run({"fit", "--resume", "out", "--draws", "100", "--quiet"}));
  fit_to("whole", {"all.csv", "--holdout", "0.2", "--draws", "100"});
  EXPECT_TRUE(bytes("out/chain-1.csv") == bytes("whole/chain-1.csv"));
  expect_done(run({"compare", "out", "whole"}));
  fit_to("every", {"all.csv", "--draws", "100"});
  expect_error(run({"compare", "out", "every"}), 65, "do not have the same rows");
  expect_done(run({"report", "out"}));
  expect_done(run({"effects", "out"}));
  EXPECT_THAT(bytes("out/report.html"), HasSubstr("--holdout 0.2"));
  EXPECT_THAT(bytes("out/report.html"), HasSubstr("rows that the fit has not seen"));
}

TEST_F(CheckCli, OfTheRightModelFindsNothing) {
  write("t.csv", binary_csv(1500));
  fit_to("out", {"t.csv", "--draws", "200"});
  const Json found = check();
  EXPECT_EQ(found["which"], "fitted");
  EXPECT_TRUE(found["fits"].get<bool>()) << found["verdict"];
  EXPECT_TRUE(found["residuals"].is_null());
  EXPECT_EQ(found["scores"][0]["name"], "AUC");
  EXPECT_GT(found["scores"][0]["mean"], 0.7);
  const Outcome table = run({"check", "out"});
  expect_done(table);
  EXPECT_TRUE(table.shows("over 1,500 rows of the fit itself and 400 draws")) << table.out;
  EXPECT_TRUE(table.shows("calibrated: ")) << table.out;
  EXPECT_EQ(run({"check", "out", "--threads", "1"}).out, table.out);
}

// Counts with a size of 1 under poisson, which has none, and under negative-binomial.
TEST_F(CheckCli, CallsOutAWrongModelAndNotTheRightOne) {
  const Simulated s = simulated(3000);
  Stream stream(8, 0, Purpose::kTest, 5);
  std::vector<double> counts;
  for (const double eta : s.eta) {
    counts.push_back(static_cast<double>(stream.poisson(std::exp(eta) * stream.gamma(1.0))));
  }
  write("t.csv", csv({{"a", s.a}, {"b", s.b}, {"y", counts}}));
  fit_to("poisson", {"t.csv", "--model", "poisson", "--draws", "200"});
  fit_to("right", {"t.csv", "--model", "negative-binomial", "--draws", "200"});
  const Json wrong = check({}, "poisson");
  EXPECT_FALSE(wrong["fits"].get<bool>());
  EXPECT_THAT(wrong["verdict"].get<std::string>(), HasSubstr("vary more than the model says"));
  EXPECT_LT(wrong["residuals"]["within_95"], 0.93);
  const Json right = check({}, "right");
  EXPECT_TRUE(right["fits"].get<bool>()) << right["verdict"];
  EXPECT_NEAR(right["residuals"]["within_95"].get<double>(), 0.95,
              4.0 * std::sqrt(0.95 * 0.05 / 3000.0));
  EXPECT_GT(right["scores"][0]["lower"], wrong["scores"][0]["upper"]);
  EXPECT_TRUE(right["counts"][0]["expected"].is_number());
  EXPECT_TRUE(run({"check", "poisson"}).shows("MISFIT: the responses vary more"));
}

// What the fit left out, a check of its rows leaves out: the level of such a row, too.
TEST_F(CheckCli, ALevelOfARowThatWasLeftOutIsNotMissed) {
  std::string text = "a,g,w,y\n";
  for (int n = 0; n < 90; ++n) {
    text += fmt::format("{},{},1,{}\n", n % 7, "uvw"[n % 3], (n * n) % 5 < 2 ? 1 : 0);
  }
  write("a.csv", text + ",only,1,1\n");
  write("y.csv", text + "3,only,1,\n");
  write("w.csv", text + "3,only,0,1\n");
  for (const char* file : {"a.csv", "y.csv", "w.csv"}) {
    SCOPED_TRACE(file);
    fit_to("out", {file, "--features", "a,g", "--categorical", "g", "--weights", "w", "--missing",
                   "drop", "--draws", "50", "--overwrite"});
    EXPECT_EQ(check()["rows"], 90);
    expect_done(run({"effects", "out"}));
  }
  write("new.csv", "a,g,w,y\n1,u,1,0\n2,only,1,1\n");
  expect_error(run({"check", "out", "--data", "new.csv"}), 65,
               "'only', a level that was not there before");
}

// A line of LIBSVM: rows have their numbers by index, and what is not named is 0.
TEST_F(CheckCli, ReadsLibsvmAsItDoesText) {
  std::string text = "a,b,y\n";
  std::string sparse;
  for (int n = 0; n < 400; ++n) {
    const double a = (n * 37 % 101) / 50.0 - 1.0;
    const int b = n % 3 == 0 ? 1 : 0;
    const int y = (n * n * 13 + 7 * n) % 97 < 30 + 30.0 * a ? 1 : 0;
    text += fmt::format("{},{},{}\n", a, b, y);
    sparse += fmt::format("{} 1:{}{}\n", y, a, b != 0 ? " 2:1" : "");
  }
  write("t.csv", text);
  write("t.svm", sparse);
  fit_to("csv", {"t.csv", "--draws", "100"});
  const Words how = {"--quiet", "--chains", "2", "--warmup", "200", "--draws", "100"};
  expect_done(run(Words{"fit", "t.svm", "--format", "libsvm", "--out", "svm"} + how));
  EXPECT_TRUE(json("csv/run.json")["n"] == json("svm/run.json")["n"]);
  const Json expected = check({}, "csv");
  for (const Words& data : {Words{}, Words{"--data", "t.svm"}}) {
    const Json found = check(data, "svm");
    EXPECT_EQ(found["which"], data.empty() ? "fitted" : "other");
    EXPECT_EQ(found["rows"], 400);
    EXPECT_EQ(found["scores"], expected["scores"]);
    EXPECT_EQ(found["calibration"], expected["calibration"]);
  }
  EXPECT_EQ(check({"--data", "t.csv"}, "csv")["scores"], expected["scores"]);
  // Fewer rows, all of them other ones, and held out rows.
  write("few.svm", sparse.substr(0, sparse.find("\n", 2000) + 1));
  EXPECT_LT(check({"--data", "few.svm"}, "svm")["rows"], 400);
  expect_done(
      run(Words{"fit", "t.svm", "--format", "libsvm", "--out", "held", "--holdout", "0.3"} + how));
  EXPECT_EQ(check({}, "held")["which"], "held out");
  write("bad.svm", "1 1:0.5 2:x\n");
  expect_error(run({"check", "svm", "--data", "bad.svm"}), 65, "bad.svm:1");
  write("t.svm", sparse + "1 1:0.25\n");
  expect_error(run({"check", "svm"}), 65, "t.svm has changed since the run");
}

TEST_F(CheckCli, RefusesInOneLine) {
  write("t.csv", binary_csv(60));
  fit_to("out", {"t.csv", "--draws", "100"});
  expect_error(run({"fit", "t.csv", "--response", "y", "--holdout", "1", "--out", "no"}), 64,
               "--holdout 1: must be a share of the rows");
  expect_error(run({"fit", "t.csv", "--response", "y", "--holdout", "-0.1", "--out", "no"}), 64,
               "--holdout");
  expect_error(run({"fit", "t.csv", "--response", "y", "--holdout", "1e-9", "--out", "no"}), 65,
               "of 60 rows none is held out");
  EXPECT_FALSE(std::filesystem::exists(path("no")));
  expect_error(run({"check", "nowhere"}), 66, "no run folder");
  expect_error(run({"check", "out", "--prob", "0"}), 64, "--prob 0");
  expect_error(run({"check", "out", "--rows", "none"}), 64, "--rows");
  write("bare.csv", "a,b\n1,2\n");
  expect_error(run({"check", "out", "--data", "bare.csv"}), 65, "no column 'y'");
  expect_done(run({"fit", "t.csv", "--likelihood", "-(y - mu)^2", "--predictors", "mu",
                   "--response", "y", "--out", "own", "--quiet"}));
  expect_error(run({"check", "own"}), 64, "does not say what a response should be");
  write("t.csv", binary_csv(61));
  expect_error(run({"check", "out"}), 65, "t.csv has changed since the run");
}

}  // namespace
}  // namespace flymc::testing
