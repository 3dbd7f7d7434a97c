// `flymc paper`: five ways to one posterior, what is recorded of them, and the folder they leave.
#include "paper/paper.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numeric>

#include "cli/cli.hpp"
#include "cli/fit/fit.hpp"
#include "fit/log_posterior.hpp"
#include "paper/columns.hpp"
#include "paper/measure.hpp"
#include "support/real_data.hpp"

namespace flymc::paper {
namespace {

namespace fs = std::filesystem;
using testing::TempDir;

// Small enough for every kernel to mix: a few hundred rows, the first four columns.
struct Small {
  const char* name;
  Experiment experiment;
  std::size_t rows;
  double prior_scale;
};

void PrintTo(const Small& small, std::ostream* out) { *out << small.name; }

Table small_table(const Small& small) {
  PaperData data = load_experiment(small.experiment, "", {.rows = small.rows, .seed = 3});
  std::vector<std::size_t> rest(data.table.columns.size() - 4);
  std::iota(rest.begin(), rest.end(), std::size_t{4});
  drop_columns(data.table, rest);
  choose_columns(small.experiment, data.table, 1);
  return std::move(data.table);
}

MeasuredRow run(const PaperAlgorithm& algorithm, const Table& table, const fs::path& out) {
  const Problem problem = prepare(table, algorithm.options);
  const StopSignal stop;
  std::vector<PaperRun> runs(2);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    cli::FitOptions options = algorithm.options;
    options.seed = 11 + i;
    options.out = out / (algorithm.name + std::to_string(i));
    runs[i].recorder = std::make_unique<PaperRecorder>(options.schedule);
    runs[i].engine =
        cli::fit(problem, options, stop,
                 {.warmup = &runs[i].recorder->warmup(), .draws = &runs[i].recorder->draws()})
            .engine;
  }
  return measure(algorithm, problem, runs, 1);
}

class PaperAgreement : public ::testing::TestWithParam<Small> {};

// The largest of at most 15 differences exceeds 5 standard errors once in 10^5 times where these
// are known; here they rest on some hundred effective draws, which makes that once in 10^4.
TEST_P(PaperAgreement, FiveAlgorithmsHaveOnePosterior) {
  const Small& small = GetParam();
  const TempDir folder;
  const Table table = small_table(small);
  cli::FitOptions base = make_plan(small.experiment, PaperSize::kTable).base;
  base.prior.scale = small.prior_scale;
  base.threads = 1;
  std::vector<MeasuredRow> rows;
  for (PaperAlgorithm& algorithm : algorithms(small.experiment, PaperSize::kTable, base)) {
    algorithm.options.schedule = {.warmup = 2000, .draws = 3000, .thin = 4};
    if (small.experiment == Experiment::kOpv) {
      algorithm.options.own["scale"] = 1.0;
    }
    rows.push_back(run(algorithm, table, fs::path(folder / "")));
  }
  ASSERT_EQ(rows.size(), 5U);
  for (const MeasuredRow& measured : rows) {
    EXPECT_LT(largest_z(measured.means, rows[3].means), 5.0) << measured.row.algorithm;
    EXPECT_GT(measured.row.ess_min_per_1000, 4.0) << measured.row.algorithm;
  }
  const auto n = static_cast<double>(table.rows);
  EXPECT_EQ(rows[0].row.queries_z, 0.0);
  EXPECT_LT(rows[2].row.mean_bright, rows[1].row.mean_bright);
  if (small.experiment != Experiment::kOpv) {  // a random walk and MALA evaluate once
    EXPECT_EQ(rows[0].row.queries_per_iteration(), n);
  }
}

INSTANTIATE_TEST_SUITE_P(Experiments, PaperAgreement,
                         ::testing::Values(Small{"mnist", Experiment::kMnist, 400, 1.0},
                                           Small{"cifar", Experiment::kCifar, 300, 0.2},
                                           Small{"opv", Experiment::kOpv, 300, 1.0}),
                         [](const auto& small) { return std::string(small.param.name); });

TEST(PaperRecorder, KeepsDrawsAndWaypointsOfBothPhases) {
  PaperRecorder recorder({.warmup = 10, .draws = 495, .thin = 2});
  Vector theta(2);
  for (int i = 1; i <= 10; ++i) {
    theta << i, -i;
    recorder.warmup().accept({.theta = theta, .queries = 7});
  }
  for (int i = 1; i <= 495; ++i) {
    theta << 100 + i, 0.0;
    recorder.draws().accept({.theta = theta, .queries = 6});
  }
  ASSERT_EQ(recorder.kept().rows(), 495);
  EXPECT_EQ(recorder.kept()(0, 0), 101.0);
  EXPECT_EQ(recorder.kept()(494, 0), 595.0);
  const auto& way = recorder.way();
  ASSERT_GT(way.size(), 90U);
  EXPECT_EQ(way[0].iteration, 1.0);
  EXPECT_EQ(way[1].iteration, 2.0);
  EXPECT_EQ(way[2].iteration, 4.0);
  EXPECT_EQ(way[3].iteration, 8.0);
  EXPECT_EQ(way[3].theta[1], -8.0);
  EXPECT_DOUBLE_EQ(way[3].queries, 7.0);
  EXPECT_DOUBLE_EQ(way.back().queries, 3.0);  // an iteration, of which two make a draw
  EXPECT_LE(way.back().iteration, 1000.0);
}

TEST(LogPosterior, IsPriorPlusLikelihoodOfAllRows) {
  Table table{.rows = 2, .columns = {"x"}, .x = {0.5, -2.0}};
  table.response = {.name = "y", .values = {0.0, 1.0}};
  cli::FitOptions options;
  options.prior = {.automatic = false, .kind = PriorKind::kNormal, .scale = 2.0};
  const Problem problem = prepare(table, options);
  Vector theta(2);
  theta << 0.3, -0.7;
  const double likelihood = -std::log1p(std::exp(0.3 - 0.35)) - std::log1p(std::exp(-0.3 - 1.4));
  EXPECT_NEAR(log_posterior(problem, theta), likelihood - (0.09 + 0.49) / 8.0, 1e-14);
}

class PaperCommand : public testing::Cli {};

TEST_F(PaperCommand, LeavesTableFigurePageAndRunFolders) {
  const auto outcome = run({"paper", "mnist", "--quick", "--runs", "2", "--out", "p"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.says("simulated in the shape of MNIST"));
  EXPECT_TRUE(outcome.shows("simulated in the shape of MNIST"));
  const auto result = json("p/mnist.json");
  EXPECT_TRUE(result["simulated"]);
  ASSERT_EQ(result["rows"].size(), 5U);
  const double n = result["n"];
  EXPECT_EQ(result["rows"][0]["queries_per_iteration"], n);
  EXPECT_GT(result["rows"][1]["mean_bright"], 0.1 * n);
  EXPECT_GT(result["rows"][2]["speedup"], 5.0);
  EXPECT_GT(result["rows"][3]["speedup"], 200.0);
  for (const char* name : {"regular", "untuned", "map-tuned", "flymc", "regular-best"}) {
    const std::string folder = std::string("p/mnist-") + name + "-2/";
    EXPECT_TRUE(exists(folder + "chain-1.csv")) << name;
    const auto record = json(folder + "run.json");
    EXPECT_EQ(record["status"], "complete");
    EXPECT_NE(record["data"]["path"], "built in");
  }
  EXPECT_TRUE(exists("p/mnist.svg"));
  EXPECT_NE(bytes("p/mnist.html").find("simulated"), std::string::npos);
  const auto again = run({"paper", "mnist", "--quick", "--runs", "2", "--out", "p"});
  EXPECT_EQ(again.code, 73);  // nothing is replaced unasked
}

TEST_F(PaperCommand, RunsOnTheRealFiles) {
  const fs::path real = testing::real_data();
  if (!fs::exists(real / "mnist")) {
    GTEST_SKIP() << "no " << real;
  }
  const auto outcome =
      run({"paper", "mnist", "--quick", "--runs", "1", "--data", real.string(), "--out", "p"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto result = json("p/mnist.json");
  EXPECT_FALSE(result["simulated"]);
  EXPECT_EQ(result["d"], 51);
  EXPECT_GT(result["rows"][1]["mean_bright"], 0.1 * result["n"].get<double>());
  EXPECT_GT(result["rows"][3]["speedup"], 200.0);
}

TEST_F(PaperCommand, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(run({"paper", "iris", "--out", "p"}).code, 64);
  EXPECT_EQ(run({"paper", "opv", "--quick", "--full-scale", "--out", "p"}).code, 64);
  EXPECT_EQ(run({"paper", "mnist", "--full-scale", "--out", "p"}).code, 64);
  const auto outcome = run({"paper", "mnist", "--data", "nowhere", "--out", "p"});
  EXPECT_EQ(outcome.code, 66);
  EXPECT_TRUE(outcome.says("nowhere"));
}

}  // namespace
}  // namespace flymc::paper
