// How `flymc predict` writes: whole files, any number of threads, bounded memory, clear failures.
#include <sys/resource.h>

#include <numeric>

#include "cli/predict_support.hpp"

namespace flymc::testing {
namespace {

class PredictOutput : public PredictCli {};

TEST_F(PredictOutput, FileHoldsWhatStandardOutputShows) {
  expect_done(fit(write("train.csv", binary_csv()), {"--response", "y"}));
  const std::string shown = predict("train.csv").out;
  EXPECT_EQ(predict("train.csv", {"--out", "-"}).out, shown);
  const Outcome outcome = predict("train.csv", {"--out", "pred.csv"});
  expect_done(outcome);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(bytes("pred.csv"), shown);
  EXPECT_FALSE(holds_half_written());
  EXPECT_EQ(predict("train.csv", {"--quiet"}).err, "");
}

TEST_F(PredictOutput, FileThatIsThereIsKeptUnlessAskedFor) {
  expect_done(fit(write("train.csv", binary_csv()), {"--response", "y"}));
  write("pred.csv", "mine");
  expect_error(predict("train.csv", {"--out", "pred.csv"}), 73, "use --overwrite");
  EXPECT_EQ(bytes("pred.csv"), "mine");
  expect_done(predict("train.csv", {"--out", "pred.csv", "--overwrite"}));
  EXPECT_TRUE(bytes("pred.csv").starts_with("mean,sd,q5,q95\n"));
}

TEST_F(PredictOutput, NeverReplacesItsInputs) {
  expect_done(fit(write("train.csv", binary_csv()), {"--response", "y"}));
  const std::string rows = bytes("train.csv");
  expect_error(predict("train.csv", {"--out", "./train.csv", "--overwrite"}), 73, "another --out");
  EXPECT_EQ(bytes("train.csv"), rows);
  const std::string chain = bytes("out/chain-1.csv");
  expect_error(predict("train.csv", {"--out", "out/chain-1.csv", "--overwrite"}), 73,
               "another --out");
  EXPECT_EQ(bytes("out/chain-1.csv"), chain);
}

TEST_F(PredictOutput, FailuresLeaveNothingBehind) {
  expect_done(fit(write("train.csv", binary_csv()), {"--response", "y"}));
  expect_error(predict("train.csv", {"--out", "/dev/full"}), 74, "/dev/full");
  expect_error(predict("train.csv", {"--out", "no/pred.csv"}), 73, "cannot create");
  expect_error(predict("train.csv", {"--out", "out"}), 73, "is a folder");
  expect_error(predict("absent.csv", {"--out", "pred.csv"}), 66, "absent.csv");
  expect_error(predict(write("bad.csv", "a,b\n1,z\n"), {"--out", "pred.csv"}), 65, "bad.csv:2");
  EXPECT_FALSE(exists("pred.csv"));
  EXPECT_FALSE(holds_half_written());
}

TEST_F(PredictOutput, RowsWithMissingValuesAreDroppedOnlyWhenAsked) {
  expect_done(fit(write("train.csv", binary_csv()), {"--response", "y"}));
  const Outcome outcome = predict(write("new.csv", "a,b\n1,\n1,2\n"), {"--missing", "drop"});
  EXPECT_EQ(lines_of(outcome.out).size(), 2U);
  EXPECT_TRUE(outcome.says("dropped 1 row with missing values"));
}

TEST_F(PredictOutput, FolderWithoutARunOrWithoutDrawsIsAnError) {
  write("new.csv", "a,b\n1,2\n");
  expect_error(predict("new.csv"), 66, "no run folder");
  expect_done(fit(write("train.csv", binary_csv()), {"--response", "y"}));
  for (const char* name : {"out/chain-1.csv", "out/chain-2.csv"}) {
    const std::string text = bytes(name);
    write(name, text.substr(0, text.find("\nlp__")));
  }
  std::string run = bytes("out/run.json");
  run.replace(run.find("\"complete\""), 10, "\"running\"");
  write("out/run.json", run);
  expect_error(predict("new.csv"), 66, "holds no draws");
}

TEST_F(PredictOutput, InterruptedRunPredictsFromWhatItHolds) {
  expect_done(fit(write("train.csv", binary_csv()), {"--response", "y"}));
  std::string run = bytes("out/run.json");
  run.replace(run.find("\"complete\""), 10, "\"interrupted\"");
  write("out/run.json", run);
  for (const char* name : {"out/chain-1.csv", "out/chain-2.csv"}) {
    write(name, bytes(name).substr(0, bytes(name).size() / 2));
  }
  const Outcome outcome = predict("train.csv");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(outcome.says("not complete (interrupted)")) << outcome.err;
  EXPECT_EQ(lines_of(outcome.out).size(), 201U);
}

TEST_F(PredictOutput, DoesNotDependOnTheNumberOfThreads) {
  expect_done(fit(write("train.csv", binary_csv(5000)), {"--response", "y"}));
  const Outcome one = predict("train.csv", {"--threads", "1", "--log-lik"});
  EXPECT_EQ(lines_of(one.out).size(), 5001U);
  for (const char* threads : {"2", "7"}) {
    const Outcome many = predict("train.csv", {"--threads", threads, "--log-lik"});
    EXPECT_EQ(many.out, one.out);
    EXPECT_EQ(many.err, one.err);
  }
}

TEST_F(PredictOutput, SumOfLogDensitiesAndItsErrorGoToStandardError) {
  expect_done(fit(write("train.csv", binary_csv()), {"--response", "y"}));
  const Outcome outcome = predict("train.csv", {"--log-lik"});
  std::vector<double> logs;
  for (const auto& row : read_plain_csv(outcome.out).rows) {
    logs.push_back(row[4]);
  }
  const double sum = std::accumulate(logs.begin(), logs.end(), 0.0);
  const double error = std::sqrt(static_cast<double>(logs.size()) * variance(logs));
  char expected[100];
  std::snprintf(expected, sizeof expected, "log predictive density %.8g, standard error %.3g", sum,
                error);
  EXPECT_TRUE(outcome.says(expected)) << outcome.err << expected;
}

TEST_F(PredictOutput, FewerDrawsAreEvenlySpacedAndSaidSo) {
  expect_done(fit(write("train.csv", binary_csv()), {"--response", "y"}));
  const Outcome outcome = predict(write("new.csv", "a,b\n1,2\n"), {"--draws", "10"});
  EXPECT_TRUE(outcome.says("using 10 of 200 draws")) << outcome.err;
  const auto all = of_each_draw(chains(), [](const Draw& at) {
    return 1.0 / (1.0 + std::exp(-(at("alpha") + at("beta.1") + 2.0 * at("beta.2"))));
  });
  std::vector<double> some;
  for (std::size_t i = 10; i < all.size(); i += 20) {
    some.push_back(all[i]);
  }
  expect_summary(read_plain_csv(outcome.out).rows.at(0), some);
  EXPECT_FALSE(predict("new.csv", {"--draws", "200"}).says("using"));
}

TEST_F(PredictOutput, NoDrawsAreAllDrawsAsForOtherCommands) {
  expect_done(fit(write("train.csv", binary_csv()), {"--response", "y"}));
  const Outcome all = predict("train.csv", {"--draws", "0"});
  expect_done(all);
  EXPECT_EQ(all.out, predict("train.csv").out);
}

// A line a row, a column a draw: what the summary beside it is of.
TEST_F(PredictOutput, DrawsOfNewResponsesGoToAFileOfTheirOwn) {
  const Simulated s = simulated(60);
  write("train.csv", csv({{"a", s.a}, {"b", s.b}, {"y", s.numbers}}));
  expect_done(fit("train.csv", {"--response", "y", "--model", "normal"}));
  const Words asked = {"--predictive", "--draws", "50", "--id", "a"};
  expect_done(predict("train.csv", asked + Words{"--out", "p.csv", "--draws-out", "d.csv"}));
  const CsvTable draws = read_plain_csv(bytes("d.csv"));
  const CsvTable summaries = read_plain_csv(bytes("p.csv"));
  ASSERT_EQ(draws.rows.size(), 60U);
  ASSERT_EQ(draws.header.size(), 51U);
  EXPECT_EQ(draws.header[0], "a");
  EXPECT_EQ(draws.header[50], "draw.50");
  for (std::size_t n = 0; n < draws.rows.size(); ++n) {
    EXPECT_EQ(draws.rows[n][0], summaries.rows[n][0]);
    EXPECT_NEAR(flymc::mean(std::span(draws.rows[n]).subspan(1)), summaries.rows[n][1], 1e-12);
  }
  expect_error(predict("train.csv", asked + Words{"--draws-out", "d.csv"}), 73, "d.csv");
  expect_error(predict("train.csv", {"--draws-out", "e.csv"}), 64,
               "--draws-out e.csv: draws are of new responses; add --predictive.");
  expect_error(predict("train.csv", {"--predictive", "--out", "e.csv", "--draws-out", "e.csv"}), 64,
               "--draws-out e.csv is --out, too; choose another file.");
  EXPECT_FALSE(exists("e.csv"));
}

TEST_F(PredictOutput, LabelsOfClassesAreQuotedAndEscaped) {
  const Simulated s = simulated(90);
  std::string text = "a,y\n";
  const char* const labels[] = {"\"one, two\"", "\"say \"\"hi\"\"\"", "tab\there"};
  for (std::size_t n = 0; n < 90; ++n) {
    text += std::to_string(s.a[n]) + "," + labels[n % 3] + "\n";
  }
  expect_done(fit(write("train.csv", text), {"--response", "y", "--model", "softmax"}));
  EXPECT_TRUE(predict("train.csv", {"--prob", "0.8"})
                  .out.starts_with("\"one, two\",\"one, two:q10\",\"one, two:q90\","));
  const Outcome outcome = predict("train.csv");
  EXPECT_TRUE(is_safe_text(outcome.out));
  EXPECT_EQ(lines_of(outcome.out).at(0), "\"one, two\",\"say \"\"hi\"\"\",tab\\there");
}

TEST_F(PredictOutput, MemoryDoesNotGrowWithRowsTimesDraws) {
  expect_done(fit(write("train.csv", binary_csv()), {"--response", "y", "--draws", "2000"}));
  write("new.csv", binary_csv(30000));  // x 4,000 draws: 960 MB
  expect_done(predict("new.csv", {"--out", "pred.csv", "--threads", "2"}));
  EXPECT_EQ(lines_of(bytes("pred.csv")).size(), 30001U);
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);  // the largest of all programs run by this test
  EXPECT_LT(usage.ru_maxrss, 300'000) << "KiB";
}

}  // namespace
}  // namespace flymc::testing
