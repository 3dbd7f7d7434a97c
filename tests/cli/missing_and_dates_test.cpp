// Missing values that are filled in, and dates that are counted: from `fit` to `predict`, which has
// the numbers of the fit.
#include <fmt/format.h>

#include "cli/predict_support.hpp"

namespace flymc::testing {
namespace {

class MissingAndDates : public PredictCli {};

double logistic(double eta) { return 1.0 / (1.0 + std::exp(-eta)); }

// y on a number that every fourth row misses, a category that every fifth does, and a day.
std::string holed_csv(std::size_t rows) {
  const Simulated s = simulated(rows);
  std::string text = "a,city,when,y\n";
  for (std::size_t n = 0; n < rows; ++n) {
    text += fmt::format("{},{},2024-{:02}-{:02},{}\n",
                        n % 4 == 1 ? "" : std::to_string(static_cast<int>(8 * s.a[n])),
                        n % 5 == 2   ? "NA"
                        : n % 2 == 0 ? "oslo"
                                     : "rome",
                        2 + n % 3, 1 + n % 28, s.binary[n] > 0.0 ? 1 : 0);
  }
  return text;
}

const Words kAsked = {"--response", "y",    "--categorical", "city",
                      "--date",     "when", "--missing",     "indicator"};

TEST_F(MissingAndDates, PredictFillsAndCountsAsTheFitDid) {
  write("train.csv", holed_csv(400));
  expect_done(fit("train.csv", kAsked));
  const Json run = json("out/run.json");
  const double mean = run["constants"]["a_missing"][0];
  EXPECT_EQ(run["constants"]["date(when)"][0], 19754);  // 2024-02-01
  EXPECT_EQ(run["levels"]["city"], (Json{"oslo", "rome", "NA"}));
  Words labels;
  for (const Json& parameter : run["parameters"]) {
    labels.push_back(parameter["label"]);
  }
  EXPECT_EQ(labels, (Words{"(intercept)", "a", "a_missing", "city=rome", "city=NA", "when"}));
  // A later first day, and other numbers than those of the mean.
  const CsvTable table =
      predicted(write("new.csv", "when,city,a\n2024-02-11,rome,3\n2024-03-01T12:00,,\n"));
  ASSERT_EQ(table.rows.size(), 2U);
  expect_summary(
      table.rows[0], of_each_draw(chains(), [](const Draw& at) {
        return logistic(at("alpha") + 3.0 * at("beta.1") + at("beta.3") + 10.0 * at("beta.5"));
      }));
  expect_summary(table.rows[1], of_each_draw(chains(), [&](const Draw& at) {
                   return logistic(at("alpha") + mean * at("beta.1") + at("beta.2") + at("beta.4") +
                                   29.5 * at("beta.5"));
                 }));
}

TEST_F(MissingAndDates, SummaryAndReportSaySo) {
  write("train.csv", holed_csv(400));
  const Outcome outcome = fit("train.csv", kAsked);
  expect_done(outcome);
  EXPECT_NE(outcome.err.find("; missing values of a, city filled in; 'when' in days since "
                             "2024-02-01"),
            std::string::npos)
      << outcome.err;
  const Outcome summary = run({"summary", "out"});
  EXPECT_TRUE(summary.shows("'when' in days since 2024-02-01\n")) << summary.out;
  EXPECT_TRUE(summary.shows("missing values of a, city filled in\n")) << summary.out;
  EXPECT_EQ(Json::parse(run({"summary", "out", "--json"}).out)["conversions"].size(), 2U);
  expect_done(run({"report", "out", "--out", "page.html"}));
  EXPECT_NE(read_bytes(path("page.html")).find("in days since 2024-02-01"), std::string::npos);
}

TEST_F(MissingAndDates, AFormulaFillsAndCountsToo) {
  write("train.csv", holed_csv(400));
  expect_done(fit("train.csv", {"--formula", "y ~ I(a^2) + when + (1 | city)", "--date", "when",
                                "--missing", "indicator"}));
  const double mean = json("out/run.json")["constants"]["a_missing"][0];
  const CsvTable table = predicted(write("new.csv", "when,city,a\n2024-02-11,,\n"));
  ASSERT_EQ(table.rows.size(), 1U);
  expect_summary(table.rows[0], of_each_draw(chains(), [&](const Draw& at) {
                   return logistic(at("alpha") + mean * mean * at("beta.1") + 10.0 * at("beta.2") +
                                   at("beta.3") + at("u.city[NA]"));
                 }));
}

TEST_F(MissingAndDates, WhatReadsTheRowsOfTheFitAgainReadsThemAsItDid) {
  write("train.csv", holed_csv(400));
  expect_done(fit("train.csv", kAsked));
  expect_done(run({"check", "out"}));
  expect_done(run({"effects", "out"}));
  expect_done(run({"compare", "out"}));
}

TEST_F(MissingAndDates, ARowThatMissesWhatNoRowOfTheFitMissedIsNotPredicted) {
  write("train.csv", holed_csv(400));
  expect_done(fit("train.csv", kAsked));
  const Outcome outcome = predict(write("new.csv", "when,city,a\n,rome,3\n2024-03-01,rome,3\n"));
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(lines_of(outcome.out).at(1).substr(0, 2), "NA");
}

// Columns that a formula does not use are no matter of its fit, whatever is said of them.
TEST_F(MissingAndDates, CategoriesThatTheFormulaDoesNotUseStayOut) {
  std::string text = "name,city,a,y\n";
  const Simulated s = simulated(200);
  for (std::size_t n = 0; n < s.a.size(); ++n) {
    text += fmt::format("person {},{},{},{}\n", n, n % 2 == 0 ? "oslo" : "rome", s.a[n],
                        s.binary[n] > 0.0 ? 1 : 0);
  }
  write("train.csv", text);
  const Words again = {"--overwrite", "--quiet"};
  for (const char* formula : {"y ~ 1", "y ~ (1 | city)", "y ~ a"}) {
    for (const char* columns : {"auto", "city"}) {
      expect_done(fit("train.csv", Words{"--formula", formula, "--categorical", columns} + again));
    }
  }
  expect_done(fit("train.csv",
                  Words{"--response", "y", "--features", "a", "--categorical", "city"} + again));
  EXPECT_EQ(json("out/run.json")["d"], 1);
  expect_error(fit("train.csv", Words{"--formula", "y ~ a", "--categorical", "y"} + again), 64,
               "--categorical y: the column is not a feature.");
  expect_error(fit("train.csv", Words{"--formula", "y ~ a", "--categorical", "town"} + again), 65,
               "no column 'town'");
}

// As categories do: several models of a table can have the same options.
TEST_F(MissingAndDates, DatesThatTheModelDoesNotUseStayOut) {
  std::string text = "when,a,y\n";
  for (std::size_t n = 0; n < 40; ++n) {
    text += fmt::format("2024-01-{:02},{},{}\n", 1 + n % 28, n % 7, n % 3 == 0 ? 1 : 0);
  }
  write("train.csv", text);
  expect_done(fit("train.csv", {"--formula", "y ~ a", "--date", "when"}));
  EXPECT_EQ(json("out/run.json")["d"], 1);
  EXPECT_FALSE(run({"summary", "out"}).shows("in days since"));
  expect_error(fit("train.csv", {"--formula", "y ~ a", "--date", "y", "--overwrite"}), 64,
               "--date y: the column is not a feature.");
  expect_error(fit("train.csv", {"--formula", "y ~ a", "--date", "wen", "--overwrite"}), 65,
               "no column 'wen'");
}

TEST_F(MissingAndDates, BadInputIsOneClearLine) {
  write("train.csv", "when,a,y\n2024-01-31,1,0\n2024-02-01,,1\n2024-02-03,2,1\n");
  expect_error(fit("train.csv", {"--response", "y"}), 65,
               "train.csv:2: column 'when' holds dates ('2024-01-31'); count them in days (--date "
               "when) or drop it (--drop when).");
  expect_error(fit("train.csv", {"--response", "y", "--categorical", "auto"}), 65,
               "dates in when; count them in days (--date when)");
  expect_error(fit("train.csv", {"--response", "y", "--drop", "when", "--date", "a"}), 65,
               "train.csv:2: column 'a' is '1', no date;");
  expect_error(fit("train.csv", {"--response", "y", "--date", "day"}), 65, "no column 'day'");
  expect_error(fit("train.csv", {"--formula", "y ~ when + (1 | when)", "--date", "when"}), 64,
               "--date when: the column is a factor of a group term, too");
  expect_error(fit("train.csv", {"--response", "y", "--missing", "mean"}), 64, "indicator");
  expect_error(run({"convert", "train.csv", "a.fly", "--response", "y", "--missing", "indicator"}),
               64, "--missing indicator: the numbers that it takes from the rows belong to a run");
}

}  // namespace
}  // namespace flymc::testing
