// The table, the figure and the page of an experiment, from made-up results.
#include "paper/page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "cli/markup.hpp"
#include "paper/curves.hpp"
#include "paper/figure.hpp"
#include "paper/table.hpp"

namespace flymc::paper {
namespace {

using flymc::testing::unbalanced;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr std::array<const char*, 5> kAlgorithms = {"regular", "untuned", "map-tuned", "flymc",
                                                    "regular-best"};
constexpr const char* kHostile = "<script>alert(\"&\x01\xff</title>";

// A log posterior that rises to -3000, queries, and a geometric autocorrelation.
PaperRow made_row(const std::string& algorithm, double queries) {
  PaperRow row;
  row.algorithm = algorithm;
  row.kernel = "mala";
  row.warmup = 200;
  row.iterations = 1800;
  row.queries_theta = queries;
  row.queries_z = 0.5 * queries;
  row.ess_per_1000 = 20.0;
  row.ess_min_per_1000 = 10.0;
  row.mean_bright = kNan;
  for (int i = 0; i < 2000; i += 5) {
    row.log_posterior.x.push_back(i);
    row.log_posterior.mean.push_back(-3000.0 - 57000.0 * std::exp(-i / 60.0) + 3.0 * std::sin(i));
    row.log_posterior.sd.push_back(5.0);
    row.queries.x.push_back(i);
    row.queries.mean.push_back(queries);
    row.queries.sd.push_back(2.0 * queries);
  }
  for (int lag = 0; lag <= 40; ++lag) {
    row.autocorrelation.x.push_back(lag);
    row.autocorrelation.mean.push_back(std::pow(0.9, lag));
    row.autocorrelation.sd.push_back(0.02);
  }
  return row;
}

PaperResult made_result() {
  PaperResult result;
  result.name = "mnist";
  result.title = "MNIST 7 against 9";
  result.data = "12,214 images";
  result.rows_n = 12214;
  result.columns = 51;
  result.settings = {"prior: normal(0, 1)"};
  result.notes = {"a note"};
  result.command = "flymc paper mnist --seed 1";
  double queries = 12214.0;
  for (const char* algorithm : kAlgorithms) {
    result.rows.push_back(made_row(algorithm, queries));
    queries /= 4.0;
  }
  return result;
}

TEST(PaperPage, IsWellFormedAndHoldsAllItWasGiven) {
  const PaperResult result = made_result();
  const std::string page = paper_page(result, paper_figure(result));
  EXPECT_THAT(unbalanced(page), IsEmpty());
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  for (const char* algorithm : kAlgorithms) {
    EXPECT_THAT(page, HasSubstr(std::string("<th scope=\"row\">") + algorithm + "</th>"));
  }
  for (const char* words : {"<title>MNIST 7 against 9</title>", "12,214 images", "18,321", "a note",
                            "prior: normal(0, 1)", "flymc paper mnist --seed 1", "<svg "}) {
    EXPECT_THAT(page, HasSubstr(words));
  }
  for (const char* outside : {"<script", "<link", "src=", "href=", "url(", "@import"}) {
    EXPECT_THAT(page, Not(HasSubstr(outside)));
  }
}

TEST(PaperPage, SaysInABannerWhenDataAreSimulated) {
  PaperResult result = made_result();
  EXPECT_THAT(paper_page(result, ""), Not(HasSubstr("class=\"banner\"")));
  EXPECT_THAT(paper_figure(result), Not(HasSubstr("Simulated")));
  result.simulated = true;
  EXPECT_THAT(paper_page(result, ""), HasSubstr("class=\"banner\">Simulated data"));
  EXPECT_THAT(paper_figure(result), HasSubstr("Simulated data"));
  EXPECT_THAT(paper_table(result), HasSubstr("SIMULATED DATA"));
}

TEST(PaperPage, EscapesEveryText) {
  PaperResult result = made_result();
  result.title = result.data = result.command = kHostile;
  result.settings = result.notes = {kHostile};
  for (PaperRow& row : result.rows) {
    row.kernel = kHostile;
  }
  result.rows[0].algorithm = kHostile;
  const std::string page = paper_page(result, paper_figure(result));
  EXPECT_THAT(unbalanced(page), IsEmpty());
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert(&quot;&amp;\\x01\\xff&lt;/title&gt;"));
  EXPECT_THAT(paper_table(result), Not(HasSubstr("\x01")));
  EXPECT_TRUE(nlohmann::json::accept(paper_json(result)));
}

TEST(PaperFigure, DrawsALineForEachAlgorithmInEachPanel) {
  const std::string svg = paper_figure(made_result());
  EXPECT_THAT(unbalanced(svg), IsEmpty());
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
  std::size_t lines = 0;
  for (std::size_t at = 0; (at = svg.find("<polyline", at)) != std::string::npos; ++at) {
    ++lines;
  }
  EXPECT_EQ(lines, 5U * 4U);  // legend and three panels
  EXPECT_LT(svg.size(), 200'000U);
}

TEST(PaperFigure, LeavesOutWhatItCannotDraw) {
  PaperResult result = made_result();
  result.rows[0].log_posterior = {};
  result.rows[1].queries = {};
  result.rows[2].autocorrelation = {};
  result.rows[3].log_posterior.mean[3] = -kInf;
  result.rows[3].queries.mean[3] = 0.0;
  result.rows[3].log_posterior.sd = {kNan};
  result.rows[4].autocorrelation = {.x = {0.0}, .mean = {1.0}, .sd = {}};
  for (const PaperResult& odd : {result, PaperResult{}}) {
    const std::string svg = paper_figure(odd);
    EXPECT_THAT(unbalanced(svg), IsEmpty());
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
    EXPECT_THAT(svg, Not(HasSubstr("inf")));
    EXPECT_THAT(unbalanced(paper_page(odd, svg)), IsEmpty());
  }
}

TEST(PaperCurves, SpreadTheLevelAndKeepTheApproach) {
  const PaperRow row = made_row("regular", 100.0);
  const NamedCurve curve{.algorithm = "regular", .curve = &row.log_posterior};
  CurvePanel where;
  where.y = level_scale({&curve, 1});
  fit_ranges(where, {&curve, 1});
  EXPECT_NEAR(where.y.top, -2992.0, 0.1);  // the level, a wave of 3 and an sd of 5
  EXPECT_NEAR(where.y.unit, 8.0, 1.0);
  const double height = where.panel.y_high - where.panel.y_low;
  EXPECT_GT((where.y.at(-2995.0) - where.y.at(-3005.0)) / height, 0.05);
  EXPECT_GT((where.y.at(-10000.0) - where.y.at(-50000.0)) / height, 0.1);
  where.panel.height = 230.0;
  EXPECT_THAT(level_ticks(where.y, where.panel), Not(IsEmpty()));
}

TEST(PaperTable, ComparesWithTheBestSamplerOnAllData) {
  PaperResult result = made_result();  // equal ESS; flymc takes four times the queries here
  EXPECT_THAT(paper_table(result), HasSubstr("0.25 times the effective draws"));
  EXPECT_THAT(paper_table(result), HasSubstr("flymc is not ahead"));
  result.rows[3].ess_per_1000 = 2000.0;
  EXPECT_THAT(paper_comparison(result), HasSubstr("25 times the effective draws"));
  EXPECT_THAT(paper_comparison(result), HasSubstr("flymc is ahead"));
  result.rows.pop_back();
  EXPECT_THAT(paper_comparison(result), IsEmpty());
}

TEST(PaperJson, HoldsTheseKeysAndNullForNoNumber) {
  const nlohmann::json document = nlohmann::json::parse(paper_json(made_result()));
  const auto keys = [](const nlohmann::json& object) {
    std::set<std::string> names;
    for (const auto& [key, value] : object.items()) {
      names.insert(key);
    }
    return names;
  };
  EXPECT_EQ(keys(document), (std::set<std::string>{"data", "n", "d", "rows", "simulated", "title",
                                                   "settings", "notes", "command"}));
  ASSERT_EQ(document["rows"].size(), 5U);
  EXPECT_EQ(keys(document["rows"][0]),
            (std::set<std::string>{"algorithm", "kernel", "queries_per_iteration", "queries_theta",
                                   "queries_z", "mean_bright", "ess_per_1000", "ess_min_per_1000",
                                   "speedup", "seconds", "warmup", "iterations", "largest_z"}));
  EXPECT_TRUE(document["rows"][0]["mean_bright"].is_null());
  EXPECT_EQ(document["rows"][0]["queries_per_iteration"], 18321.0);
}

TEST(Svg, PutsLogTicksAtPowersOfTenAndDigitsBetween) {
  const std::vector<Tick> wide = log_ticks(0.0, 4.0);
  EXPECT_EQ(wide.size(), 4U * 9U + 1U);
  EXPECT_EQ(wide[0].text, "1");
  EXPECT_EQ(wide[1].text, "");
  EXPECT_EQ(wide.back().text, "10,000");
  EXPECT_EQ(log_ticks(3.0, 3.5)[1].text, "2,000");
  EXPECT_EQ(axis_number(-12214.0), "\u221212,214");
}

}  // namespace
}  // namespace flymc::paper
