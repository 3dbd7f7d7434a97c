// `flymc report` end to end: what the page says with the data, and without.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "cli/cli_data.hpp"

namespace flymc::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class ReportCli : public Cli {
 protected:
  // The JSON block of a page.
  [[nodiscard]] Json page(const std::string& name = "out/report.html") const {
    const std::string text = bytes(name);
    const std::string open = "id=\"data\">";
    const std::size_t begin = text.find(open) + open.size();
    return Json::parse(text.substr(begin, text.find("</script>", begin) - begin));
  }
  void fit_table(const std::string& text, const Words& options) const {
    write("d.csv", text);
    expect_done(fit("d.csv", Words{"--response", "y", "--quiet"} + options));
  }
  [[nodiscard]] Json panel(const Json& data, const std::string& kind) const {
    for (const Json& one : data["check"]["panels"]) {
      if (one["kind"] == kind) {
        return one;
      }
    }
    return nullptr;
  }
  // Adds keys to run.json as a fit would.
  void add_to_run(const Json& more) const {
    Json run_json = json("out/run.json");
    run_json.update(more);
    write("out/run.json", run_json.dump());
  }
};

TEST_F(ReportCli, GoesToTheRunFolderOrWhereItIsTold) {
  fit_table(binary_csv(), {});
  const Outcome outcome = run({"report", "out/"});
  expect_done(outcome);
  EXPECT_EQ(outcome.out, "made out/report.html\n");
  EXPECT_TRUE(bytes("out/report.html").starts_with("<!DOCTYPE html>"));
  expect_done(run({"report", "out/", "--out", "page.html"}));
  EXPECT_TRUE(bytes("page.html") == bytes("out/report.html"));
  expect_done(run({"summary", "out"}));
}

TEST_F(ReportCli, MistakesHaveTheirCodes) {
  expect_error(run({"report", "nowhere"}), 66, "no run folder");
  fit_table(binary_csv(), {});
  expect_error(run({"report", "out", "--out", "out"}), 73, "is a folder");
  expect_error(run({"report", "out", "--out", "no/such/page.html"}), 73, "cannot create");
  expect_error(run({"report"}), 64, "RUN");
}

TEST_F(ReportCli, ClassifiersAreCalibrated) {
  fit_table(binary_csv(3000), {"--draws", "400"});
  expect_done(run({"report", "out"}));
  const Json data = page();
  EXPECT_THAT(data["check"]["words"].get<std::string>(), HasSubstr("all 3,000 rows"));
  const Json bins = panel(data, "calibration")["bins"];
  ASSERT_EQ(bins.size(), 12U);
  double rows = 0.0;
  int outside = 0;
  for (const Json& bin : bins) {
    rows += bin["n"].get<double>();
    outside += bin["share"] < bin["low"] || bin["share"] > bin["high"] ? 1 : 0;
  }
  EXPECT_EQ(rows, 3000.0);
  EXPECT_LE(outside, 3);  // 1.2 of 12 by chance; more than 3 in 3 % of data sets
  EXPECT_LT(bins[0]["p"], 0.3);
  EXPECT_GT(bins[11]["p"], 0.8);
}

TEST_F(ReportCli, SoftmaxHasEveryClass) {
  fit_table(classes_csv(600), {"--model", "softmax"});
  expect_done(run({"report", "out"}));
  const Json table = panel(page(), "table");
  ASSERT_EQ(table["rows"].size(), 3U);
  for (const Json& row : table["rows"]) {
    const double observed = std::stod(row[1].get<std::string>());
    EXPECT_NEAR(std::stod(row[2].get<std::string>()), observed, 2.0);  // an intercept sees to it
  }
  for (const std::string reference : {"0", "2"}) {
    expect_done(run({"report", "out", "--reference", reference}));
    EXPECT_THAT(page().dump(), HasSubstr("1 vs " + reference + ": a"));
  }
  expect_error(run({"report", "out", "--reference", "9"}), 64,
               "--reference 9: there is no such class; classes are 0, 1, 2.");
}

TEST_F(ReportCli, SaysWhatWasFoundAndWhatIsExplainedWorst) {
  Simulated s = simulated(500);
  s.binary[41] = s.a[41] > 0.0 ? 0.0 : 1.0;  // against its own feature,
  s.a[41] *= 50.0;                           // and far out
  write("w.csv", csv({{"a", s.a}, {"b", s.b}, {"y", s.binary}}));
  expect_done(fit("w.csv", {"--response", "y", "--model", "logistic"}));
  expect_done(run({"report", "out"}));
  const Json data = page();
  ASSERT_EQ(data["answers"].size(), 2U);
  EXPECT_THAT(data["answers"][0][1].get<std::string>(), HasSubstr("odds \u00d7 "));
  EXPECT_THAT(data["answers"][0][1].get<std::string>(), HasSubstr(" a standard deviation ("));
  EXPECT_EQ(data["worst"]["rows"][0][0], "42");
  EXPECT_THAT(data["worst"]["rows"][0][3].get<std::string>(), HasSubstr("a "));
  EXPECT_THAT(data["facts"].dump(), HasSubstr("'1', against '0'"));
  EXPECT_EQ(data["scales"]["ratio"], "odds ratio");
  EXPECT_EQ(data["scales"]["spread"].size(), 2U);
}

TEST_F(ReportCli, SaysHowManyRowsWereLeftOutAndWhy) {
  fit_table(binary_csv(200), {});
  expect_done(run({"report", "out"}));
  EXPECT_THAT(page()["facts"].dump(), Not(HasSubstr("left out")));
  fit_table(binary_csv(200) + ",1,0\n1,,1\n,,1\n", {"--missing", "drop", "--overwrite"});
  EXPECT_EQ(json("out/run.json")["rows_left_out"], 3);
  expect_done(run({"report", "out"}));
  EXPECT_THAT(page()["facts"].dump(),
              HasSubstr(R"(["rows","3 of 203 left out: a value is missing"])"));
  EXPECT_EQ(page()["run"]["rows_left_out"], 3);
  fit_table(binary_csv(200), {"--holdout", "0.2", "--overwrite"});
  expect_done(run({"report", "out"}));
  EXPECT_THAT(page()["facts"].dump(), HasSubstr(" of 200 left out: they are held out"));
}

// A row is called by its number in the file, however many before it are left out, and why.
TEST_F(ReportCli, CountsRowsAsTheFileDoes) {
  constexpr std::size_t kOdd = 71;
  Simulated s = simulated(200);
  s.binary[kOdd] = s.a[kOdd] > 0.0 ? 0.0 : 1.0;  // against its own feature,
  s.a[kOdd] *= 50.0;                             // and far out
  std::string text = "a,w,y\n";
  for (std::size_t n = 0; n < 200; ++n) {
    const std::string a =
        n == 3 || n == 40 || n == 41 || n == 199 ? "NA" : fmt::format("{}", s.a[n]);
    text += fmt::format("{},{},{}\n", a, n == 17 ? 0 : 1, s.binary[n]);
  }
  const std::string number = std::to_string(kOdd + 1);
  const Words drop{"--missing", "drop"};
  for (const Words& how : {drop + Words{"--holdout", "0.1", "--seed", "5"},
                           drop + Words{"--regular"}, Words{"--missing", "indicator"}, drop}) {
    fit_table(text, how + Words{"--weights", "w", "--overwrite"});
    expect_done(run({"report", "out"}));
    EXPECT_EQ(page()["worst"]["rows"][0][0], number) << how.back();
  }
  add_to_run({{"brightest", {{{"row", 68}, {"share", 0.93}}}}, {"beacon_rows", {1, 4}}});
  expect_done(run({"report", "out"}));
  EXPECT_EQ(page()["rows"]["rows"][0][0], number);  // the 68th of those used
  EXPECT_EQ(page()["rows"]["rows"][1][0], "1");
  EXPECT_EQ(page()["rows"]["rows"][2][0], "5");
  std::filesystem::remove(path("d.csv"));
  expect_done(run({"report", "out"}));
  EXPECT_EQ(page()["rows"]["rows"][0][0], "68");
}

TEST_F(ReportCli, NumbersHaveResiduals) {
  fit_table(numbers_csv(2000), {"--model", "student-t", "--scale", "auto"});
  expect_done(run({"report", "out"}));
  const Json data = page();
  const Json scatter = panel(data, "scatter");
  EXPECT_EQ(scatter["rows"], 2000);
  for (const Json& bin : scatter["bins"]) {
    EXPECT_NEAR(bin[2].get<double>(), 0.0, 0.6);
    EXPECT_LT(bin[1], -0.8);
    EXPECT_GT(bin[3], 0.8);
  }
  double observed = 0.0;
  const Json histogram = panel(data, "histogram");
  for (const Json& bar : histogram["observed"]) {
    observed += bar.get<double>();
  }
  EXPECT_NEAR(observed, 1.0, 1e-3);
}

TEST_F(ReportCli, CountsShowTheirDispersion) {
  const Simulated s = simulated(2000);
  std::vector<double> counts;
  Stream stream(11, 0, Purpose::kTest, 1);
  for (const double eta : s.eta) {
    counts.push_back(static_cast<double>(stream.poisson(std::exp(eta))));
  }
  fit_table(csv({{"a", s.a}, {"b", s.b}, {"y", counts}}), {"--model", "poisson"});
  expect_done(run({"report", "out"}));
  const std::string words = page()["check"]["numbers"][1][1];
  EXPECT_NEAR(std::stod(words), 1.0, 0.15);  // sd of the mean of 2,000 squares: 0.03 and more
}

TEST_F(ReportCli, WithoutTheDataItSaysWhy) {
  fit_table(binary_csv(), {});
  write("d.csv", binary_csv(201));
  expect_done(run({"report", "out"}));
  EXPECT_THAT(page()["check"]["why_not"].get<std::string>(), HasSubstr("has changed"));
  std::filesystem::remove(path("d.csv"));
  expect_done(run({"report", "out"}));
  EXPECT_THAT(page()["check"]["why_not"].get<std::string>(), HasSubstr("cannot be read again"));
  EXPECT_FALSE(page().contains("panels"));
}

TEST_F(ReportCli, BrightRowsComeWithTheirData) {
  fit_table(binary_csv(), {});
  add_to_run({{"brightest", {}}, {"beacon_rows", {}}});
  expect_done(run({"report", "out"}));
  EXPECT_TRUE(page()["rows"].is_null());
  add_to_run({{"brightest", {{{"row", 17}, {"share", 0.93}}, {{"row", 3}, {"share", 0.25}}}},
              {"beacon_rows", {200}}});
  expect_done(run({"report", "out"}));
  const Json rows = page()["rows"];
  ASSERT_EQ(rows["rows"].size(), 3U);
  EXPECT_EQ(rows["rows"][0][0], "17");
  EXPECT_EQ(rows["rows"][0][1], "93.0 %");
  EXPECT_EQ(rows["rows"][0][2], simulated(200).binary[16] > 0.0 ? "1" : "0");
  EXPECT_EQ(rows["rows"][2][1], "always");
  EXPECT_THAT(rows["rows"][0][4].get<std::string>(), HasSubstr(" sd"));
  std::filesystem::remove(path("d.csv"));
  expect_done(run({"report", "out"}));
  EXPECT_EQ(page()["rows"]["titles"].size(), 2U);
  add_to_run({{"brightest", {{{"row", "x"}}, 5}}, {"beacon_rows", {{"no", 1}}}});
  expect_done(run({"report", "out"}));
  EXPECT_TRUE(page()["rows"].is_null());
}

TEST_F(ReportCli, BrightRowsThatWereMergedAreTheFirstOfTheirKind) {
  const std::string some = binary_csv(60);
  std::string text = some;
  for (int repeat = 0; repeat < 3; ++repeat) {  // rows 61 to 240 are repeats
    text += some.substr(some.find('\n') + 1);
  }
  fit_table(text + "-5,5,1\n", {"--engine", "fly"});  // row 241 is no repeat
  const Json brightest = json("out/run.json")["brightest"];
  ASSERT_FALSE(brightest.empty());
  for (const Json& row : brightest) {
    EXPECT_TRUE(row["row"] <= 60 ? row["rows"] == 4 : row["row"] == 241 && !row.contains("rows"))
        << row;
  }
  add_to_run({{"brightest",
               {{{"row", 17}, {"share", 0.93}, {"rows", 4}}, {{"row", 241}, {"share", 0.25}}}},
              {"beacon_rows", Json::array()}});
  expect_done(run({"report", "out"}));
  const Json rows = page()["rows"]["rows"];
  EXPECT_EQ(rows[0][0], "17 and 3 equal rows");
  EXPECT_EQ(rows[0][2], simulated(60).binary[16] > 0.0 ? "1" : "0");
  EXPECT_EQ(rows[1][0], "241");
  EXPECT_EQ(rows[1][2], "1");
  EXPECT_THAT(rows[1][4].get<std::string>(), HasSubstr("b +"));
}

TEST_F(ReportCli, TheCommandMakesTheRunAgain) {
  fit_table(binary_csv(), {"--prior", "normal:2", "--kernel", "mala", "--no-intercept", "--thin",
                           "2", "--engine", "fly"});
  expect_done(run({"report", "out"}));
  std::string command = page()["command"];
  std::erase(command, '\'');
  EXPECT_THAT(command, HasSubstr("--no-intercept --prior normal:2 --engine fly --kernel mala"));
  Words words;
  for (std::size_t at = 0; at < command.size();) {  // nothing in it needs the quotes
    const std::size_t end = std::min(command.find(' ', at), command.size());
    words.push_back(command.substr(at, end - at));
    at = end + 1;
  }
  words.erase(words.begin());
  words.back() = "again";
  expect_done(run(words));
  EXPECT_GT(bytes("again/chain-1.csv").size(), 1000U);
  EXPECT_TRUE(bytes("again/chain-1.csv") == bytes("out/chain-1.csv"));
}

TEST_F(ReportCli, AnInterruptedRunHasAReportToo) {
  fit_table(binary_csv(), {});
  add_to_run({{"status", "interrupted"}, {"sampling", nullptr}, {"setup", nullptr}});
  expect_done(run({"report", "out"}));
  EXPECT_THAT(page()["notes"].dump(), HasSubstr("interrupted"));
}

// What stands behind an Arabic name keeps its order: "-2.0 sd", not "2.0- sd".
TEST_F(ReportCli, NamesFromRightToLeftStandApart) {
  const std::string age = "\xD8\xB9\xD9\x85\xD8\xB1";
  const std::string city = "\xD9\x85\xD8\xAF\xD9\x86";
  std::string text = age + ",b," + city + ",y\n";
  for (int n = 0; n < 120; ++n) {
    text += fmt::format("{},{},{},{}\n", (n * 7) % 11, n % 5, n % 2 == 0 ? age : "Oslo",
                        (n * n) % 7 < 3 ? 1 : 0);
  }
  fit_table(text, {"--categorical", city});
  expect_done(run({"report", "out"}));
  const auto apart = [](const std::string& name) { return "\xE2\x81\xA8" + name + "\xE2\x81\xA9"; };
  const Json data = page();
  const std::string effects = data["effects"]["effects"].dump();
  EXPECT_NE(effects.find('"' + apart(age) + ": one more"), std::string::npos) << effects;
  EXPECT_NE(effects.find("\"b: one more"), std::string::npos) << effects;
  EXPECT_NE(effects.find(apart(city) + ": " + apart(age) + ", not Oslo"), std::string::npos)
      << effects;
  const std::string rows = data["worst"]["rows"].dump();
  EXPECT_NE(rows.find(apart(age) + " +"), std::string::npos) << rows;
  EXPECT_TRUE(run({"effects", "out"}).shows(age + ": one more"));
}

}  // namespace
}  // namespace flymc::testing
