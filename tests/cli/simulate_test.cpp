// Simulated data: reproducible, of the moments asked for, whole or not there at all.
#include "cli/simulate/simulate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/cli.hpp"
#include "cli/wording.hpp"
#include "data/fly_support.hpp"
#include "data/format/fly_writer.hpp"
#include "flymc/detail/core/numeric.hpp"
#include "flymc/error.hpp"

namespace flymc::cli {
namespace {

namespace fs = std::filesystem;
using flymc::testing::read_bytes;
using flymc::testing::TempDir;
using ::testing::HasSubstr;

// Of the linear predictor of class k, intercept left out.
Vector slopes_part(const Table& table, const SimulatedTruth& truth, Index k) {
  const ConstRowMatrixView x(table.x.data(), static_cast<Index>(table.rows), truth.beta.rows());
  return x * truth.beta.col(k);
}

double sd_of(const Vector& values) {
  const double mean = values.mean();
  return std::sqrt((values.array() - mean).square().mean());
}

struct Caught {
  ErrorKind kind{};
  std::string message;
};
template <class Work>
Caught caught(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return {error.kind(), error.message().in(option_wording())};
  }
  return {ErrorKind::kInternal, "no error"};
}

TEST(Simulate, MakesTheSameTableForAnyNumberOfThreads) {
  SimulateOptions options{.rows = 40'000, .columns = 7, .seed = 11, .threads = 1};
  const Table one = simulate(options);
  options.threads = 5;
  const Table five = simulate(options);
  EXPECT_EQ(one.x, five.x);
  EXPECT_EQ(one.response.values, five.response.values);
  options.seed = 12;
  EXPECT_NE(simulate(options).x, one.x);
}

TEST(Simulate, GrowsByAppendingRows) {
  const Table few = simulate({.rows = 1000, .columns = 3});
  const Table many = simulate({.rows = 100'000, .columns = 3});
  EXPECT_TRUE(std::equal(few.x.begin(), few.x.end(), many.x.begin()));
}

TEST(Simulate, DrawsStandardNormalColumnsAndThePredictorSdAskedFor) {
  const SimulateOptions options{.rows = 100'000, .columns = 5, .predictor_sd = 1.7};
  const Table table = simulate(options);
  const SimulatedTruth truth = Simulator(options).truth();
  EXPECT_NEAR(truth.beta.col(0).norm(), 1.7, 1e-12);
  const double root_n = std::sqrt(1e5);
  const ConstRowMatrixView x(table.x.data(), 100'000, 5);
  for (Index j = 0; j < 5; ++j) {
    EXPECT_NEAR(x.col(j).mean(), 0.0, 4.0 / root_n);
    EXPECT_NEAR(x.col(j).squaredNorm() / 1e5, 1.0, 4.0 * std::sqrt(2.0) / root_n);
  }
  EXPECT_NEAR(sd_of(slopes_part(table, truth, 0)), 1.7, 4.0 * 1.7 / std::sqrt(2.0) / root_n);
}

// Where the model holds, the score of the true coefficients has mean 0 and known variance.
TEST(Simulate, DrawsLogisticLabelsFromTheirProbabilities) {
  const SimulateOptions options{.rows = 100'000, .columns = 4};
  const Table table = simulate(options);
  const SimulatedTruth truth = Simulator(options).truth();
  const Vector eta = slopes_part(table, truth, 0).array() + truth.alpha[0];
  double residual = 0.0;
  double score = 0.0;
  double variance = 0.0;
  double score_variance = 0.0;
  for (std::size_t n = 0; n < table.rows; ++n) {
    const double y = table.response.values[n];
    ASSERT_TRUE(y == 0.0 || y == 1.0);
    const double p = sigmoid(eta[static_cast<Index>(n)]);
    residual += y - p;
    variance += p * (1.0 - p);
    score += (y - p) * table.x[4 * n];
    score_variance += p * (1.0 - p) * table.x[4 * n] * table.x[4 * n];
  }
  EXPECT_NEAR(residual, 0.0, 4.0 * std::sqrt(variance));
  EXPECT_NEAR(score, 0.0, 4.0 * std::sqrt(score_variance));
}

TEST(Simulate, DrawsSoftmaxClassesFromCentredCoefficients) {
  const SimulateOptions options{.family = "softmax", .rows = 100'000, .columns = 4, .classes = 5};
  const Table table = simulate(options);
  const SimulatedTruth truth = Simulator(options).truth();
  EXPECT_NEAR(truth.alpha.sum(), 0.0, 1e-12);
  EXPECT_LT(truth.beta.rowwise().sum().norm(), 1e-12);
  Matrix eta(static_cast<Index>(table.rows), 5);
  for (Index k = 0; k < 5; ++k) {
    eta.col(k) = slopes_part(table, truth, k).array() + truth.alpha[k];
  }
  const Matrix weight = eta.array().exp();
  for (Index k = 0; k < 5; ++k) {
    const Vector p = weight.col(k).cwiseQuotient(weight.rowwise().sum());
    double seen = 0.0;
    for (const double y : table.response.values) {
      seen += y == static_cast<double>(k) ? 1.0 : 0.0;
    }
    const double sd = std::sqrt((p.array() * (1.0 - p.array())).sum());
    EXPECT_NEAR(seen, p.sum(), 4.0 * sd) << "class " << k;
  }
}

TEST(Simulate, AddsStudentNoiseOfTheScaleAskedFor) {
  const SimulateOptions options{
      .family = "student-t", .rows = 100'000, .columns = 3, .own = {{"nu", 6.0}, {"scale", 0.5}}};
  const Table table = simulate(options);
  const SimulatedTruth truth = Simulator(options).truth();
  const ConstVectorView y(table.response.values.data(), static_cast<Index>(table.rows));
  const Vector noise = (y - slopes_part(table, truth, 0)).array() - truth.alpha[0];
  // t_6: variance 6/4, fourth moment 3 * 36 / (4 * 2) = 13.5.
  const double variance = 0.25 * 1.5;
  const double fourth = 0.0625 * 13.5;
  EXPECT_NEAR(noise.mean(), 0.0, 4.0 * std::sqrt(variance / 1e5));
  EXPECT_NEAR(noise.squaredNorm() / 1e5, variance,
              4.0 * std::sqrt((fourth - variance * variance) / 1e5));
}

TEST(Simulate, MakesHardShapes) {
  const Table rare = simulate({.rows = 200'000, .columns = 3, .rare = 2});
  double common_ones = 0.0;
  for (std::size_t n = 0; n < rare.rows; ++n) {
    common_ones += rare.x[3 * n + 2] > 0.0 ? 1.0 : 0.0;  // prevalence 1e-2
  }
  EXPECT_NEAR(common_ones, 2000.0, 4.0 * std::sqrt(2000.0));
  const SimulateOptions separable{.rows = 5000, .columns = 3, .separable = true};
  const Table split = simulate(separable);
  const SimulatedTruth truth = Simulator(separable).truth();
  const Vector eta = slopes_part(split, truth, 0).array() + truth.alpha[0];
  for (std::size_t n = 0; n < split.rows; ++n) {
    ASSERT_EQ(split.response.values[n] > 0.5, eta[static_cast<Index>(n)] > 0.0);
  }
}

TEST(SimulateFolder, WritesTheTableThatSimulateMakesWithTheSameBytesForAnyThreads) {
  const TempDir dir;
  SimulateFiles files{.data = {.rows = 300'000, .columns = 3, .threads = 1}, .out = dir / "one"};
  const std::string said = simulate_to_folder(files);
  EXPECT_THAT(said, HasSubstr("X.npy (300,000 x 3)"));
  EXPECT_THAT(said, HasSubstr("flymc fit " + (dir / "one/X.npy") + " --response " +
                              (dir / "one/y.npy") + " --model logistic"));
  files.out = dir / "three";
  files.data.threads = 3;
  (void)simulate_to_folder(files);
  for (const char* name : {"X.npy", "y.npy", "truth.json"}) {
    EXPECT_EQ(read_bytes(fs::path(dir / "one") / name), read_bytes(fs::path(dir / "three") / name));
  }
  const Loaded loaded = load({.path = dir / "one/X.npy", .response = dir / "one/y.npy"});
  const Table table = simulate(files.data);
  EXPECT_TRUE(std::ranges::equal(testing::features_of(loaded.table), table.x));
  EXPECT_EQ(loaded.table.response.values, table.response.values);
  EXPECT_EQ(std::distance(fs::directory_iterator(dir / "one"), {}), 3);
}

// Block by block, without ever holding the table.
TEST(SimulateFolder, WritesTheSameTableAsAFly) {
  const TempDir dir;
  SimulateFiles files{.data = {.rows = 100'000, .columns = 3}, .out = dir / "sim", .fly = true};
  const Table table = simulate(files.data);
  EXPECT_THAT(simulate_to_folder(files),
              HasSubstr("flymc fit " + (dir / "sim/data.fly") + " --model logistic"));
  const std::string copy = dir / "copy.fly";
  std::ignore = write_fly(table, {.path = copy});
  EXPECT_EQ(read_bytes(dir / "sim/data.fly"), read_bytes(copy));
  EXPECT_EQ(std::distance(fs::directory_iterator(dir / "sim"), {}), 2);
  files.overwrite = files.float32 = true;
  files.data.threads = 1;
  EXPECT_THAT(simulate_to_folder(files), HasSubstr("100,000 x 3, float32"));
  std::ignore = write_fly(table, {.path = copy, .float32 = true});
  EXPECT_EQ(read_bytes(dir / "sim/data.fly"), read_bytes(copy));
}

TEST(SimulateFolder, AFlyOfBinomialRowsHasTheirTrials) {
  const TempDir dir;
  const SimulateFiles files{.data = {.family = "binomial", .rows = 50, .columns = 2, .trials = 7},
                            .out = dir / "sim",
                            .fly = true};
  EXPECT_THAT(simulate_to_folder(files), HasSubstr("--trials trials"));
  const Loaded loaded = load({.path = dir / "sim/data.fly", .trials = "trials"});
  EXPECT_EQ(loaded.table.trials, std::vector<double>(50, 7.0));
}

// Where intercepts of levels vary the response's residuals of a level have mean 0 about its own.
TEST(Simulate, RowsHaveTheInterceptOfTheirLevel) {
  const SimulateOptions options{
      .family = "normal", .rows = 60'000, .columns = 2, .groups = {30, 4}, .group_sd = 2.0};
  const Table table = simulate(options);
  const SimulatedTruth truth = Simulator(options).truth();
  ASSERT_EQ(table.factors.size(), 2U);
  EXPECT_EQ(table.factors[1].name, "g2");
  EXPECT_EQ(table.factors[0].labels.back(), "30");
  const Vector eta = slopes_part(table, truth, 0).array() + truth.alpha[0];
  Vector sums = Vector::Zero(30);
  Vector rows = Vector::Zero(30);
  for (std::size_t n = 0; n < table.rows; ++n) {
    const std::uint32_t level = table.factors[0].codes[n];
    const double u = truth.levels[0][level] + truth.levels[1][table.factors[1].codes[n]];
    sums[level] += table.response.values[n] - eta[static_cast<Index>(n)] - u;
    rows[level] += 1.0;
  }
  const double sd_rows = std::sqrt(60'000 / 30.0);
  for (Index level = 0; level < 30; ++level) {
    EXPECT_NEAR(rows[level], 2000.0, 4.0 * sd_rows);
    EXPECT_NEAR(sums[level], 0.0, 4.0 * std::sqrt(rows[level])) << "level " << level;
  }
}

TEST(Simulate, LevelsVaryByTheSdAskedForAndLeaveTheColumnsAsTheyWere) {
  const SimulateOptions options{.rows = 1000, .columns = 2, .groups = {20'000}, .group_sd = 0.3};
  const Vector levels = Simulator(options).truth().levels[0];
  EXPECT_NEAR(sd_of(levels), 0.3, 4.0 * 0.3 / std::sqrt(2.0 * 20'000));
  EXPECT_EQ(simulate(options).factors[0].codes.size(), 1000U);
  EXPECT_EQ(simulate({.rows = 1, .columns = 2}).x[0], simulate(options).x[0]);
}

TEST(SimulateFolder, FactorsAreColumnsOfOneTableThatFitReads) {
  const TempDir dir;
  SimulateFiles files{
      .data = {.family = "binomial", .rows = 70'000, .columns = 2, .groups = {9, 3}},
      .out = dir / "sim"};
  const std::string said = simulate_to_folder(files);
  EXPECT_THAT(said, HasSubstr("data.csv (70,000 x 2; 9 and 3 levels; binomial"));
  EXPECT_THAT(said, HasSubstr("--trials trials --formula 'y ~ . + (1 | g1) + (1 | g2)' --out"));
  const Table table = simulate(files.data);
  LoadSpec spec{
      .path = dir / "sim/data.csv", .formula = "y ~ . + (1 | g1) + (1 | g2)", .trials = "trials"};
  const Loaded text = load(spec);
  EXPECT_TRUE(std::ranges::equal(testing::features_of(text.table), table.x));
  EXPECT_EQ(text.table.response.values, table.response.values);
  files.out = dir / "fly";
  files.fly = true;
  EXPECT_THAT(simulate_to_folder(files), HasSubstr("data.fly (70,000 x 2; 9 and 3 levels;"));
  spec.path = dir / "fly/data.fly";
  const Loaded binary = load(spec);
  ASSERT_EQ(text.table.factors.size(), 2U);
  ASSERT_EQ(binary.table.factors.size(), 2U);
  for (std::size_t factor = 0; factor < 2; ++factor) {
    EXPECT_EQ(text.table.factors[factor].labels, table.factors[factor].labels);
    EXPECT_EQ(text.table.factors[factor].codes, table.factors[factor].codes);
    EXPECT_EQ(binary.table.factors[factor].codes, table.factors[factor].codes);
  }
}

TEST(SimulateFolder, TellsTheTruthAsFitReportsIt) {
  const SimulateOptions student{
      .family = "student-t", .rows = 10, .columns = 2, .own = {{"nu", 5.0}}, .seed = 3};
  const auto truth = nlohmann::json::parse(describe_truth(Simulator(student)));
  EXPECT_EQ(truth["model"], "student-t");
  EXPECT_EQ(truth["n"], 10);
  EXPECT_EQ(truth["d"], 2);
  EXPECT_EQ(truth["seed"], 3);
  EXPECT_EQ(truth["predictor_sd"], 2.5);
  EXPECT_EQ(truth["nu"], 5.0);
  EXPECT_EQ(truth["scale"], 1.0);
  EXPECT_TRUE(truth["alpha"].is_number());
  EXPECT_EQ(truth["beta"].size(), 2U);
  const SimulateOptions softmax{.family = "softmax", .rows = 10, .columns = 2};
  const auto classes = nlohmann::json::parse(describe_truth(Simulator(softmax)));
  EXPECT_EQ(classes["classes"], 3);
  EXPECT_EQ(classes["alpha"].size(), 3U);
  EXPECT_EQ(classes["beta"].size(), 3U);
  EXPECT_EQ(classes["beta"][0].size(), 2U);
  const SimulateOptions levels{.rows = 10, .columns = 2, .groups = {4, 3}, .group_sd = 1.5};
  const auto of_levels = nlohmann::json::parse(describe_truth(Simulator(levels)));
  EXPECT_EQ(of_levels["sd.g2"], 1.5);
  EXPECT_EQ(of_levels["u.g1"].size(), 4U);
  EXPECT_EQ(of_levels["u.g2"][2], Simulator(levels).truth().levels[1][2]);
}

TEST(SimulateFolder, ReplacesNothingUnlessAsked) {
  const TempDir dir;
  SimulateFiles files{.data = {.rows = 10, .columns = 2}, .out = dir / ""};
  dir.write("X.npy", "mine");
  const Caught there = caught([&] { (void)simulate_to_folder(files); });
  EXPECT_EQ(there.kind, ErrorKind::kCannotCreate);
  EXPECT_THAT(there.message, HasSubstr("is there already; use --overwrite or another --out."));
  EXPECT_EQ(read_bytes(dir / "X.npy"), "mine");
  EXPECT_EQ(std::distance(fs::directory_iterator(dir / ""), {}), 1);
  files.overwrite = true;
  (void)simulate_to_folder(files);
  EXPECT_EQ(read_bytes(dir / "X.npy").size() % 64, (2 * 10 * sizeof(double)) % 64);
}

TEST(SimulateFolder, LeavesNothingBehindWhereItFails) {
  const TempDir dir;
  const Caught usage = caught(
      [&] { (void)simulate_to_folder({.data = {.rows = 10, .columns = 0}, .out = dir / "bad"}); });
  EXPECT_EQ(usage.kind, ErrorKind::kUsage);
  EXPECT_EQ(usage.message, "-d 0: must be positive.");
  EXPECT_FALSE(fs::exists(dir / "bad"));
  dir.write("file", "");
  const Caught no_folder = caught(
      [&] { (void)simulate_to_folder({.data = {.rows = 10, .columns = 2}, .out = dir / "file"}); });
  EXPECT_EQ(no_folder.kind, ErrorKind::kCannotCreate);
  fs::create_directories(dir / "half/y.npy");
  const Caught half = caught([&] {
    (void)simulate_to_folder(
        {.data = {.rows = 10, .columns = 2}, .out = dir / "half", .overwrite = true});
  });
  EXPECT_EQ(half.kind, ErrorKind::kCannotCreate);
  EXPECT_EQ(std::distance(fs::directory_iterator(dir / "half"), {}), 1);
}

TEST(SimulateFolder, LeavesOtherFilesAndWhatLinksPointTo) {
  const TempDir dir;
  fs::create_directories(dir / "sim");
  dir.write("sim/X.npy.part", "mine");
  dir.write("target", "mine");
  fs::create_symlink(dir / "target", dir / "sim/y.npy.part");
  (void)simulate_to_folder({.data = {.rows = 10, .columns = 2}, .out = dir / "sim"});
  EXPECT_EQ(read_bytes(dir / "sim/X.npy.part"), "mine");
  EXPECT_EQ(read_bytes(dir / "target"), "mine");
  EXPECT_TRUE(fs::is_symlink(dir / "sim/y.npy.part"));
}

TEST(Simulate, RefusesWhatMakesNoSense) {
  const auto message = [](const SimulateOptions& options) {
    const Caught error = caught([&] { const Simulator simulator(options); });
    EXPECT_EQ(error.kind, ErrorKind::kUsage);
    return error.message;
  };
  EXPECT_EQ(message({.rows = 0}), "-n 0: must be positive.");
  EXPECT_EQ(message({.predictor_sd = -1.0}), "--predictor-sd -1: must be 0 or more.");
  EXPECT_EQ(message({.classes = 1}), "--classes 1: must be between 2 and 1000.");
  EXPECT_EQ(message({.own = {{"nu", 0.0}}}), "--nu 0: must be positive.");
  EXPECT_EQ(message({.columns = 3, .rare = 4}),
            "--rare 4: must be at most -d, the number of columns.");
  EXPECT_EQ(message({.trials = 0}), "--trials 0: must be between 1 and 1000000.");
  EXPECT_EQ(message({.own = {{"size", -2.0}}}), "--size -2: must be positive.");
  EXPECT_EQ(message({.family = "student-t", .separable = true}),
            "--separable: student-t has no classes to separate.");
  EXPECT_EQ(message({.family = "poisson", .separable = true}),
            "--separable: poisson has no classes to separate.");
  EXPECT_EQ(message({.groups = {5, 1}}), "--groups 1: a factor has between 2 and 10000000 levels.");
  EXPECT_EQ(message({.group_sd = -0.5}), "--group-sd -0.5: must be 0 or more.");
  for (const std::string family : {"softmax", "ordinal"}) {
    EXPECT_EQ(message({.family = family, .groups = {5}}),
              "--groups: " + family + " has no group terms.");
  }
}

}  // namespace
}  // namespace flymc::cli
