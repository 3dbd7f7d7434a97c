// `flymc compare` end to end: the contract of its JSON, what it says where a number is not
// available, and one clear line for what cannot be compared.
#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "cli/cli_data.hpp"

namespace flymc::testing {
namespace {

class Compare : public Cli {
 protected:
  // y on a and b, on a alone; r has nothing to do with y.
  Compare() {
    const Simulated s = simulated(300);
    write("t.csv", csv({{"a", s.a}, {"b", s.b}, {"y", s.binary}, {"r", s.numbers}}));
  }

  void fit_to(const std::string& folder, const Words& more, const std::string& data = "t.csv",
              const std::string& draws = "500") const {
    expect_done(run(Words{"fit", data, "--out", folder, "--quiet", "--chains", "2", "--warmup",
                          "200", "--draws", draws} +
                    more));
  }
  [[nodiscard]] Json compared(const Words& words) const {
    const Outcome outcome = run(Words{"compare"} + words + Words{"--json"});
    expect_done(outcome);
    return Json::parse(outcome.out);
  }
};

const Words kBoth{"--response", "y", "--features", "a,b"};
const Words kOne{"--response", "y", "--features", "a"};

TEST_F(Compare, SaysHowRunsOfTheSameDataDiffer) {
  fit_to("both", kBoth);
  fit_to("one", kOne);
  const Json runs = compared({"both", "one"});
  ASSERT_EQ(runs.size(), 2U);
  for (const Json& each : runs) {
    for (const char* key :
         {"elpd_loo", "elpd_loo_se", "elpd_loo_mcse", "khat_max", "log_evidence", "log_evidence_se",
          "elpd_diff", "elpd_diff_se", "log_bayes_factor", "log_bayes_factor_se"}) {
      EXPECT_TRUE(each[key].is_number()) << key;
    }
    EXPECT_FALSE(each.contains("why"));
    EXPECT_LT(each["khat_max"], 0.7);
  }
  EXPECT_EQ(runs[0]["run"], "both/");
  EXPECT_EQ(runs[0]["elpd_diff"], 0.0);
  EXPECT_EQ(runs[0]["parameters"].size(), 3U);
  EXPECT_EQ(runs[1]["parameters"][1]["label"], "a");
  // b has a slope of -0.5 over 300 rows: about 7 of log density, and what the prior takes.
  EXPECT_LT(runs[1]["elpd_diff"], -1.0);
  EXPECT_NEAR(runs[1]["elpd_diff"].get<double>(),
              runs[1]["elpd_loo"].get<double>() - runs[0]["elpd_loo"].get<double>(), 1e-9);
  EXPECT_LT(runs[1]["elpd_diff_se"], runs[1]["elpd_loo_se"]);
  EXPECT_NEAR(runs[1]["log_bayes_factor"].get<double>(),
              runs[1]["log_evidence"].get<double>() - runs[0]["log_evidence"].get<double>(), 1e-9);
  const Outcome table = run({"compare", "both", "one"});
  expect_done(table);
  EXPECT_TRUE(table.shows("elpd_loo"));
  EXPECT_TRUE(table.shows("differences to both/ (positive: better than it)"));
  EXPECT_TRUE(table.shows("(intercept)"));
}

TEST_F(Compare, SaysInWordsWhatTheDifferencesAre) {
  fit_to("both", kBoth);
  fit_to("other", {"--response", "y", "--features", "b"});
  const Outcome table = run({"compare", "both", "other"});
  EXPECT_TRUE(table.shows("other/ predicts rows it has not seen worse than both/, by "))
      << table.out;
  EXPECT_TRUE(table.shows(" times as likely under both/ as under other/.")) << table.out;
  EXPECT_TRUE(
      run({"compare", "both", "both"}).shows("rows left out do not tell both/ from both/."));
}

TEST_F(Compare, MakesAPageAndOverwritesOnlyItsOwn) {
  const Simulated s = simulated(100);
  write("odd.csv", csv({{"<b>a", s.a}, {"y", s.binary}}));
  fit_to("odd", {"--response", "y"}, "odd.csv", "100");
  expect_done(run({"compare", "odd", "--out", "page.html"}));
  const std::string page = bytes("page.html");
  EXPECT_NE(page.find("<h1>odd/</h1>"), std::string::npos);
  EXPECT_NE(page.find("&lt;b&gt;a"), std::string::npos);
  EXPECT_EQ(page.find("<b>a"), std::string::npos);
  expect_done(run({"compare", "odd", "--out", "page.html"}));
  EXPECT_EQ(bytes("page.html"), page);
  write("mine.html", "<p>mine</p>");
  expect_error(run({"compare", "odd", "--out", "mine.html"}), 73,
               "'mine.html' was not written by flymc compare and is not overwritten; choose "
               "another --out. Or use --overwrite.");
  expect_done(run({"compare", "odd", "--out", "mine.html", "--overwrite"}));
  EXPECT_EQ(bytes("mine.html"), page);
  expect_error(run({"compare", "odd", "--out", "odd.csv", "--overwrite"}), 73,
               "'odd.csv' holds the data of odd/");
}

TEST_F(Compare, TakesOneRunAndMoreExactRows) {
  fit_to("both", kBoth);
  const Json all = compared({"both"});
  const Json some = compared({"both", "--exact-rows", "50"});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_NEAR(some[0]["elpd_loo"].get<double>(), all[0]["elpd_loo"].get<double>(),
              4.0 * some[0]["elpd_loo_mcse"].get<double>());
  expect_error(run({"compare", "both", "--exact-rows", "1"}), 64, "--exact-rows 1");
}

// Two links of the same responses, which their families code alike or not.
TEST_F(Compare, TakesOtherFamiliesOfTheSameResponse) {
  fit_to("logistic", kBoth);
  fit_to("poisson", kBoth + Words{"--model", "poisson"});
  fit_to("softmax", kBoth + Words{"--model", "softmax"});
  const Json runs = compared({"logistic", "poisson", "softmax"});
  EXPECT_LT(runs[1]["elpd_diff"], 0.0);
  // Softmax of two classes is logistic with a prior of its own.
  EXPECT_NEAR(runs[2]["elpd_diff"].get<double>(), 0.0, 1.0);
  // Its vectors, one a class, lie where the prior says; their difference is logistic's.
  const Json& plain = runs[0]["parameters"][1];
  const Json& slope = runs[2]["parameters"][1];
  ASSERT_EQ(runs[2]["parameters"].size(), runs[0]["parameters"].size()) << runs[2];
  ASSERT_EQ(plain["label"], "a");
  const bool up = slope["label"] == "1 vs 0: a";
  EXPECT_TRUE(up || slope["label"] == "0 vs 1: a") << slope;
  const double sd = plain["sd"].get<double>();
  EXPECT_NEAR((up ? 1.0 : -1.0) * slope["mean"].get<double>(), plain["mean"].get<double>(), sd);
  EXPECT_NEAR(slope["sd"].get<double>(), sd, 0.5 * sd);
}

TEST_F(Compare, SaysWhyANumberIsNotAvailable) {
  fit_to("flat", kBoth + Words{"--prior", "flat"});
  const Json flat = compared({"flat"})[0];
  EXPECT_TRUE(flat["elpd_loo"].is_number());
  EXPECT_TRUE(flat["log_evidence"].is_null());
  EXPECT_TRUE(flat["log_evidence_se"].is_null());
  EXPECT_EQ(flat["why"],
            "log evidence: the prior is flat: it has no density, and the model no evidence.");
  fit_to("selected", kBoth + Words{"--prior", "normal:1", "--select-prior"});
  EXPECT_EQ(compared({"selected"})[0]["why"],
            "log evidence: the prior's scale was selected on these data.");
  fit_to("few", kBoth, "t.csv", "10");
  const Json few = compared({"few"})[0];
  EXPECT_TRUE(few["elpd_loo"].is_null());
  EXPECT_EQ(few["why"],
            "elpd_loo: too few draws (20); ask for more: --draws. log evidence: too few draws (20) "
            "for 3 parameters; ask for more: --draws.");
  EXPECT_TRUE(run({"compare", "few"}).shows("few/: not available: elpd_loo: too few draws (20)"));
}

// The evidence that a run left behind, and the bridge where it left none, or none that can be read.
TEST_F(Compare, TakesTheEvidenceOfTheRunOrBuildsABridge) {
  const Simulated s = simulated(3000);
  write("t.csv", csv({{"a", s.a}, {"b", s.b}, {"y", s.binary}}));
  fit_to("both", kBoth + Words{"--engine", "fly"}, "t.csv", "2000");
  Json run = json("both/run.json");
  ASSERT_TRUE(run.contains("evidence"));
  const Json free = compared({"both"})[0];
  // Two classes leave no constant out.
  EXPECT_EQ(free["log_evidence"], run["evidence"]["log_less_constants"]);
  EXPECT_EQ(free["log_evidence_se"], run["evidence"]["se"]);
  run["evidence"] = {{"log_less_constants", "0"}, {"se", Json::array()}};
  write("both/run.json", run.dump());
  const Json bridged = compared({"both"})[0];
  EXPECT_NEAR(bridged["log_evidence"].get<double>(), free["log_evidence"].get<double>(),
              4.0 * std::hypot(bridged["log_evidence_se"].get<double>(),
                               free["log_evidence_se"].get<double>()));
  EXPECT_NE(bridged["log_evidence"], free["log_evidence"]);
}

TEST_F(Compare, TakesGroups) {
  std::string text = "y,x,g\n";
  const Simulated s = simulated(300);
  for (std::size_t n = 0; n < 300; ++n) {
    text += fmt::format("{},{:.6f},g{}\n", s.binary[n], s.a[n], n % 7);
  }
  write("g.csv", text);
  fit_to("grouped", {"--formula", "y ~ x + (1 | g)"}, "g.csv", "100");
  fit_to("curve", {"--formula", "y ~ s(x, 5)"}, "g.csv", "100");
  fit_to("summed", {"--formula", "y ~ x + (1 | g)", "--levels", "summary"}, "g.csv", "100");
  const Json runs = compared({"grouped", "curve", "summed"});
  EXPECT_TRUE(runs[0]["elpd_loo"].is_number());
  EXPECT_TRUE(runs[0]["log_evidence"].is_number());
  EXPECT_NEAR(runs[0]["elpd_loo"].get<double>(), runs[1]["elpd_loo"].get<double>(), 10.0);
  EXPECT_NE(runs[1]["why"].get<std::string>().find(
                "it is computed where one coefficient varies by the levels of one factor"),
            std::string::npos);
  EXPECT_TRUE(runs[2]["elpd_loo"].is_null());
  EXPECT_NE(runs[2]["why"].get<std::string>().find(
                "the run kept no draws of its levels; fit again with --levels all."),
            std::string::npos);
  write("names.csv", "y,sd.g,g\n" + text.substr(text.find('\n') + 1));  // as the scale's own name
  fit_to("names", {"--formula", "y ~ `sd.g` + (1 | g)"}, "names.csv", "100");
  EXPECT_EQ(compared({"names"})[0]["elpd_loo"], runs[0]["elpd_loo"]);
  for (const Json& coefficient : runs[0]["parameters"]) {  // none of a level
    EXPECT_FALSE(coefficient["label"].get<std::string>().starts_with("u."));
  }
}

TEST_F(Compare, RefusesWhatIsNotTheSameData) {
  fit_to("both", kBoth);
  write("other.csv", binary_csv(250));
  fit_to("other", kBoth, "other.csv");
  expect_error(run({"compare", "both", "other"}), 65,
               "both/ and other/ are runs of different data (by checksum)");
  fit_to("numbers", {"--response", "r", "--model", "normal", "--features", "a,b"});
  expect_error(run({"compare", "both", "numbers"}), 65,
               "both/ and numbers/ do not have the same rows, responses and weights of their data");
}

// A column of the larger model misses values in some rows, which the smaller one has: a formula of
// every column left out nothing there.
TEST_F(Compare, NestedModelsLeaveOutTheSameRowsWhereAsked) {
  std::string text = "a,b,y\n";
  const Simulated s = simulated(300);
  for (std::size_t n = 0; n < s.a.size(); ++n) {
    text += fmt::format("{},{},{}\n", s.a[n], n % 10 == 3 ? "" : fmt::format("{}", s.b[n]),
                        s.binary[n]);
  }
  write("holes.csv", text);
  const Words drop = {"--missing", "drop"};
  fit_to("full", Words{"--formula", "y ~ a + b"} + drop, "holes.csv");
  fit_to("base", Words{"--formula", "y ~ a"} + drop, "holes.csv");
  expect_error(
      run({"compare", "base", "full"}), 65,
      "base/ and full/ do not have the same rows, responses and weights of their data: "
      "300 rows and 270 rows; values are missing in b: fit every model with --missing drop "
      "--missing-in b, which leaves these rows out of all.");
  fit_to("same", Words{"--formula", "y ~ a", "--missing-in", "b"} + drop, "holes.csv");
  EXPECT_EQ(json("same/run.json")["n"], 270);
  EXPECT_EQ(json("same/run.json")["config"]["missing-in"], Json{"b"});
  const Json runs = compared({"same", "full"});
  EXPECT_GT(runs[1]["elpd_diff"], 0.0);
  EXPECT_TRUE(run({"effects", "same"}).shows("over 270 rows"));
  EXPECT_TRUE(run({"check", "same"}).shows("over 270 rows"));
}

TEST_F(Compare, RowsThatAFunctionLeavesOutAreNamed) {
  fit_to("plain", {"--formula", "y ~ a", "--missing", "drop"});
  fit_to("log", {"--formula", "y ~ log(a)", "--missing", "drop"});
  expect_error(run({"compare", "plain", "log"}), 65,
               "a function of a formula has no number in rows that the other has: write one that");
}

// Leave-one-out of the first takes many times as long as reading both.
TEST_F(Compare, OtherRowsAreFoundBeforeAnythingIsComputed) {
  const Simulated s = simulated(20'000);
  std::string text = "a,b,y\n";
  for (std::size_t n = 0; n < s.a.size(); ++n) {
    text += fmt::format("{},{},{}\n", s.a[n], n % 10 == 3 ? "" : fmt::format("{}", s.b[n]),
                        s.binary[n]);
  }
  write("holes.csv", text);
  fit_to("full", {"--formula", "y ~ a + b", "--missing", "drop"}, "holes.csv", "2000");
  fit_to("base", {"--formula", "y ~ a", "--missing", "drop"}, "holes.csv", "50");
  const auto seconds = [&](const Words& words) {
    const auto start = std::chrono::steady_clock::now();
    (void)run(words);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const Words exact = {"--exact-rows", "20000"};
  const double alone = seconds(Words{"compare", "full"} + exact);
  EXPECT_LT(seconds(Words{"compare", "full", "base"} + exact), 0.5 * alone);
}

TEST_F(Compare, MissingInIsOneClearLineWhereItCannotBe) {
  const Words asked = {"fit", "t.csv", "--out", "no", "--formula", "y ~ a", "--missing-in"};
  expect_error(run(asked + Words{"b"}), 64,
               "--missing-in b: rows are left out with --missing drop alone; add --missing drop.");
  expect_error(run(asked + Words{"bb", "--missing", "drop"}), 65, "no column 'bb'");
  EXPECT_FALSE(exists("no"));
}

TEST_F(Compare, NeedsRunsWithTheirDataAndDraws) {
  expect_error(run({"compare"}), 64, "RUN is required.");
  expect_error(run({"compare", "absent"}), 66, "no run folder 'absent/'");
  fit_to("both", kBoth);
  expect_error(run({"compare", "both", "absent"}), 66, "no run folder 'absent/'");
  for (const char* chain : {"both/chain-1.csv", "both/chain-2.csv"}) {
    std::filesystem::rename(path(chain), path(std::string(chain) + ".gone"));
  }
  const Outcome undrawn = run({"compare", "both"});
  EXPECT_EQ(undrawn.out, "");
  EXPECT_TRUE(undrawn.code == 65 || undrawn.code == 66) << undrawn.err;
  for (const char* chain : {"both/chain-1.csv", "both/chain-2.csv"}) {
    std::filesystem::rename(path(std::string(chain) + ".gone"), path(chain));
  }
  std::filesystem::rename(path("t.csv"), path("gone.csv"));
  for (const char* command : {"effects", "check"}) {
    expect_error(run({command, "both"}), 66, "t.csv");
  }
  expect_error(run({"compare", "both"}), 66, "both/ cannot be compared without its data:");
  write("t.csv", binary_csv(40));
  expect_error(run({"compare", "both"}), 65, "t.csv has changed since the run.");
}

TEST_F(Compare, SaysThatARunIsNotComplete) {
  const Outcome stopped = run(Words{"fit", "t.csv", "--out", "part", "--quiet", "--draws",
                                    "100000000", "--max-time", "1s"} +
                              kBoth);
  ASSERT_EQ(stopped.code, 75) << stopped.err;
  const Json part = compared({"part"})[0];
  ASSERT_GE(part["notes"].size(), 1U);
  EXPECT_NE(part["notes"][0].get<std::string>().find("the run is not complete (interrupted)"),
            std::string::npos);
  EXPECT_TRUE(part["elpd_loo"].is_number());
}

}  // namespace
}  // namespace flymc::testing
