// The report page as text: names stay text, sections are there, large runs stay small.
#include "report/page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "report/check_text.hpp"
#include "report/made_up_summary.hpp"
#include "report/page_data.hpp"

namespace flymc {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// Draws for the named columns, the same in every test.
RunChains made_up_chains(const std::vector<std::string>& columns, std::size_t chains,
                         std::size_t draws) {
  RunChains run;
  for (std::size_t k = 0; k < chains; ++k) {
    ChainDraws chain{columns, {}};
    for (std::size_t c = 0; c < columns.size(); ++c) {
      std::vector<double> values;
      for (std::size_t i = 0; i < draws; ++i) {
        const std::size_t turn = (i + 1) * 7919 + c * 104729 + k * 1299709;
        values.push_back(static_cast<double>(turn % 1009) / 1009.0 - 12345.678);
      }
      chain.values.push_back(std::move(values));
    }
    run.chains.push_back(std::move(chain));
  }
  return run;
}

nlohmann::json made_up_run() {
  return {{"version", "1.2.3"},
          {"data", {{"path", "/d/train.csv"}, {"checksum", "crc32:00c0ffee"}}},
          {"config", {{"response", "y"}, {"seed", 17}}},
          {"prior", {{"slopes", "normal(0, 2.5)"}, {"standardised", true}}},
          {"setup", {{"seconds", 3.21}, {"passes", 14}, {"queries", 5000000}}}};
}

Json small_page(const Summary& summary = made_up_summary()) {
  return page_data(summary, made_up_chains({"lp__", "bright__", "alpha", "beta.1"}, 2, 100),
                   made_up_run(), field_wording());
}

// The JSON block of a page, parsed as a browser would find it.
Json block_of(const std::string& page) {
  const std::string open = "<script type=\"application/json\" id=\"data\">";
  const std::size_t begin = page.find(open) + open.size();
  return Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) {
    ++count;
  }
  return count;
}

TEST(JsonInScript, NoNameClosesTheElementOrEndsALine) {
  const Json json = {{"</script>", "<!-- \u2028 \u2029 & ]]>"}, {"bytes", "\xff"}};
  const std::string text = json_in_script(json);
  EXPECT_EQ(text.find_first_of("<>&"), std::string::npos);
  EXPECT_THAT(text, AllOf(Not(HasSubstr("\u2028")), Not(HasSubstr("\u2029"))));
  const Json back = Json::parse(text);
  EXPECT_EQ(back["</script>"], "<!-- \u2028 \u2029 & ]]>");
  EXPECT_EQ(back["bytes"], "\uFFFD");
}

TEST(ReportPage, HostileNamesChangeNothingButTheData) {
  const std::size_t scripts = count_of(report_page(small_page()), "</script>");
  for (const std::string name : {"</script><script>alert(1)</script>", "@DATA@", "@TITLE@",
                                 "\u2028", "\" onload=\"x", "<title>", "\xff\x1b[2J"}) {
    Summary summary = made_up_summary();
    summary.parameters[1].label = name;
    summary.folder = name;
    summary.model = name;
    Json data = small_page(summary);
    data["check"] = {{"why_not", name}};
    const std::string page = report_page(data);
    EXPECT_EQ(count_of(page, "</script>"), scripts) << name;
    EXPECT_EQ(count_of(page, "<title>"), 1U) << name;
    EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
    const Json block = block_of(page);
    EXPECT_EQ(block["check"]["why_not"], Json::parse(json_in_script(name)));
    EXPECT_EQ(block["table"]["rows"].size(), 3U);
  }
}

TEST(ReportPage, NeedsNothingFromOutside) {
  const std::string page = report_page(small_page());
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  for (const char* resource : {"src=\"", "@import", "url(", "<iframe", "fetch(", "XMLHttpRequest",
                               "import(", "sendBeacon", "WebSocket"}) {
    EXPECT_THAT(page, Not(HasSubstr(resource)));
  }
  EXPECT_EQ(count_of(page, "<link"), count_of(page, "href=\"data:,\""));
  // One address: where uPlot's own notice says it comes from.
  EXPECT_EQ(count_of(page, "http://"), 0U);
  EXPECT_EQ(count_of(page, "https://"), count_of(page, "/*! https://"));
}

TEST(ReportPage, CarriesTheNoticeOfUplot) {
  const std::string page = report_page(small_page());
  if (page.find("uPlot=") == std::string::npos) {
    GTEST_SKIP() << "built without uPlot";
  }
  EXPECT_THAT(page, AllOf(HasSubstr("The MIT License (MIT)"), HasSubstr("Leon Sorokin")));
}

TEST(PageData, SaysWhatWasRunAndWhatItCost) {
  const Json data = small_page();
  const std::string facts = data["facts"].dump();
  EXPECT_THAT(facts, HasSubstr("logistic regression of 'y' on 2 columns, 1,000,000 rows"));
  EXPECT_THAT(facts, HasSubstr("slopes normal(0, 2.5); columns standardised"));
  const std::string engine = data["engine"].dump();
  EXPECT_THAT(engine, HasSubstr("1,575 per iteration; regular MCMC would pay 10,000,000"));
  EXPECT_THAT(engine, HasSubstr("per second"));
  EXPECT_EQ(data["run"]["config"]["seed"], 17);
  EXPECT_EQ(data["run"]["data"]["checksum"], "crc32:00c0ffee");
}

// uPlot scales the digits before the point alone: "11.5px" is 11.10 px on a screen of two dots.
TEST(ReportPage, FontsOnCanvasAreOfWholePixels) {
  const std::string page = report_page(small_page());
  const std::regex font(R"(font: *"([0-9.]+)px)");
  for (std::sregex_iterator at(page.begin(), page.end(), font); at != std::sregex_iterator();
       ++at) {
    EXPECT_EQ((*at)[1].str().find('.'), std::string::npos) << at->str();
  }
}

TEST(PageData, IsCalledByTheFoldersOwnName) {
  for (const char* const folder :
       {"/home/somebody/sub dir/r\u00e9u/", "r\u00e9u/", "./r\u00e9u/"}) {
    Summary summary = made_up_summary();
    summary.folder = folder;
    const Json data = small_page(summary);
    EXPECT_EQ(data["folder"], "r\u00e9u") << folder;
    EXPECT_EQ(data["title"], "r\u00e9u \u2013 logistic regression") << folder;
  }
}

TEST(PageData, OrdinalClassesHaveTheirOrder) {
  nlohmann::json run = made_up_run();
  run["classes"] = {"low", "mid", "high"};
  Summary summary = made_up_summary();
  const RunChains chains = made_up_chains({"lp__", "bright__", "alpha", "beta.1"}, 2, 100);
  EXPECT_THAT(page_data(summary, chains, run, field_wording())["facts"].dump(),
              Not(HasSubstr("low < mid")));
  summary.model = "ordinal";
  EXPECT_THAT(page_data(summary, chains, run, field_wording())["facts"].dump(),
              HasSubstr("low < mid < high"));
}

// The forest has the interval of the sentences, not the quantiles of the table.
TEST(PageData, IntervalsAreThoseOfTheSentences) {
  Summary summary = made_up_summary();
  const Answer answer{.label = "age", .mcse_mean = 0.001, .lower = -0.1132, .upper = 0.0108};
  summary.answers = {answer, answer};
  const Json data = small_page(summary);
  EXPECT_EQ(data["prob"], 95.0);
  EXPECT_EQ(data["table"]["intervals"], Json({{"-0.113", "0.011"}, {"-0.113", "0.011"}, nullptr}));
}

// Scores of rows held out stand beside figures of the rows of the fit.
TEST(PageData, FiguresSayWhichRowsTheyAreOf) {
  CheckedRun checked;
  checked.check.scores = {{.name = "AUC", .mean = 0.7, .lower = 0.6, .upper = 0.8}};
  checked.check.calibration.resize(1);
  for (const bool held_out : {false, true}) {
    Json section;
    section["numbers"] = Json::array({Json::array({"classified right", "79 %"})});
    section["panels"] = Json::array({Json{{"kind", "calibration"}}});
    checked.which = held_out ? CheckedRows::kHeldOut : CheckedRows::kFitted;
    add_check_to_page(checked, section);
    EXPECT_EQ(section.value("held_out", false), held_out);
    EXPECT_EQ(section["numbers"][0][0],
              held_out ? "classified right, rows of the fit" : "classified right");
    EXPECT_EQ(section["numbers"][1][0], held_out ? "AUC, rows held out" : "AUC");
    EXPECT_EQ(section["panels"][0].value("of", ""), held_out ? ", rows of the fit" : "");
  }
}

TEST(PageData, VerdictFollowsTheChecks) {
  EXPECT_EQ(small_page()["verdict"]["passed"], true);
  EXPECT_EQ(small_page()["verdict"]["next"], "");
  Summary bad = made_up_summary();
  bad.parameters[1].estimate.rhat = 1.3;
  const Json verdict = small_page(bad)["verdict"];
  EXPECT_EQ(verdict["passed"], false);
  EXPECT_THAT(verdict["words"].get<std::string>(), HasSubstr("do not rely"));
  EXPECT_THAT(verdict["checks"][0]["words"].get<std::string>(),
              HasSubstr("fails for 1 of 2; worst 1.3000, of age"));
  EXPECT_THAT(verdict["next"].get<std::string>(), HasSubstr("warmup = 2000"));
}

TEST(PageData, UnfinishedRunsSaySo) {
  Summary summary = made_up_summary();
  summary.status = "interrupted";
  const Json data = small_page(summary);
  EXPECT_THAT(data["notes"].dump(), HasSubstr("interrupted"));
  EXPECT_THAT(data["verdict"]["words"].get<std::string>(), HasSubstr("not complete"));
}

TEST(PageData, DigitsAreThoseOfTheTerminal) {
  const Json row = small_page()["table"]["rows"][0];
  const std::vector<std::string> cells(row.begin() + 1, row.end());
  EXPECT_EQ(row[0], 0);
  EXPECT_THAT(cells, ::testing::ElementsAre("alpha", "(intercept)", "1.203", "0.256", "0.0041",
                                            "0.781", "1.200", "1.625", "3,902", "3,100", "1.000"));
}

TEST(PageData, RegularRunsHaveNoBrightTrace) {
  RunChains chains = made_up_chains({"lp__", "bright__", "alpha", "beta.1"}, 2, 100);
  for (ChainDraws& chain : chains.chains) {
    chain.values[1].assign(100, 0.0);
  }
  const Json traces =
      page_data(made_up_summary(), chains, made_up_run(), field_wording())["traces"];
  ASSERT_EQ(traces["series"].size(), 1U);
  EXPECT_EQ(traces["series"][0]["column"], "lp__");
}

// 4 x 20,000 draws of 800 parameters. The made-up run has draws for those that get detail alone.
TEST(PageData, LargeRunsStayUnderTwoMegabytes) {
  Summary summary = made_up_summary();
  summary.parameters.resize(800, summary.parameters[1]);
  std::vector<std::string> drawn = {"lp__", "bright__"};
  for (std::size_t i = 0; i < summary.parameters.size(); ++i) {
    ParameterSummary& parameter = summary.parameters[i];
    parameter.column = "beta." + std::to_string(i + 1);
    parameter.label = "a rather long name of a column, number " + std::to_string(i + 1);
    if (i % 12 == 5) {
      parameter.estimate.rhat = 1.5;
      parameter.estimate.ess_bulk = 10.0;
      parameter.estimate.mean = 100.0;
      drawn.push_back(parameter.column);
    }
  }
  const Json data =
      page_data(summary, made_up_chains(drawn, 4, 20'000), made_up_run(), field_wording());
  EXPECT_EQ(data["table"]["rows"].size(), 801U);
  EXPECT_EQ(data["detail"]["entries"].size(), 65U);
  EXPECT_EQ(data["detail"]["entries"][0]["row"], 5);
  EXPECT_EQ(data["detail"]["all"], false);
  EXPECT_LT(report_page(data).size(), 2'000'000U);
}

TEST(PageData, ThousandsOfParametersLeaveTheTableCut) {
  Summary summary = made_up_summary();
  summary.parameters.resize(9000, summary.parameters[1]);
  summary.parameters[8999].estimate.rhat = 2.0;
  const Json data =
      page_data(summary, made_up_chains({"lp__", "bright__", "alpha", "beta.1"}, 4, 50),
                made_up_run(), field_wording());
  const Json& rows = data["table"]["rows"];
  EXPECT_EQ(rows.size(), 4001U);
  EXPECT_EQ(rows[rows.size() - 2][0], 8999);  // the worst is among them
  EXPECT_EQ(data["table"]["all"], "flymc summary run/ (all)");
  EXPECT_LT(report_page(data).size(), 2'000'000U);
}

}  // namespace
}  // namespace flymc
