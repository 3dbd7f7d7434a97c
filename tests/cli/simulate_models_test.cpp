// Simulated probit, binomial and count data: the distributions they claim, and the files they need.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/simulate/simulate.hpp"
#include "cli/wording.hpp"
#include "data/load_support.hpp"
#include "flymc/detail/core/numeric.hpp"
#include "flymc/error.hpp"

namespace flymc::cli {
namespace {

namespace fs = std::filesystem;
using flymc::testing::TempDir;
using ::testing::HasSubstr;

// Mean and variance of one response given its predictor.
struct Law {
  double mean;
  double variance;
};

// Where the model holds, residuals add to 0, alone and times a column, and their squares to the
// variances. Tolerances are four standard errors; of the squares they are taken from the data.
template <class LawOf>
void expect_law(const SimulateOptions& options, const LawOf& law_of) {
  const Table table = simulate(options);
  const SimulatedTruth truth = Simulator(options).truth();
  const auto d = static_cast<Index>(options.columns);
  const ConstRowMatrixView x(table.x.data(), static_cast<Index>(table.rows), d);
  const Vector eta = (x * truth.beta.col(0)).array() + truth.alpha[0];
  double residual = 0.0;
  double score = 0.0;
  double variance = 0.0;
  double score_variance = 0.0;
  double excess = 0.0;
  double excess_variance = 0.0;
  for (Index n = 0; n < eta.size(); ++n) {
    const double y = table.response.values[static_cast<std::size_t>(n)];
    ASSERT_TRUE(y >= 0.0 && y == std::floor(y));
    const Law law = law_of(eta[n]);
    const double r = y - law.mean;
    residual += r;
    variance += law.variance;
    score += r * x(n, 0);
    score_variance += law.variance * x(n, 0) * x(n, 0);
    excess += r * r - law.variance;
    excess_variance += (r * r - law.variance) * (r * r - law.variance);
  }
  EXPECT_NEAR(residual, 0.0, 4.0 * std::sqrt(variance));
  EXPECT_NEAR(score, 0.0, 4.0 * std::sqrt(score_variance));
  EXPECT_NEAR(excess, 0.0, 4.0 * std::sqrt(excess_variance));
}

TEST(SimulateModels, DrawsProbitLabelsFromTheirProbabilities) {
  const SimulateOptions options{
      .family = "probit", .rows = 100'000, .columns = 4, .predictor_sd = 1.0};
  expect_law(options, [](double eta) {
    const double p = 0.5 * std::erfc(-eta / std::sqrt(2.0));
    return Law{p, p * (1.0 - p)};
  });
}

TEST(SimulateModels, DrawsBinomialSuccessesOfTheTrialsAskedFor) {
  const SimulateOptions options{.family = "binomial", .rows = 50'000, .columns = 4, .trials = 7};
  expect_law(options, [](double eta) {
    const double p = sigmoid(eta);
    return Law{7.0 * p, 7.0 * p * (1.0 - p)};
  });
  const Table table = simulate(options);
  const auto [least, most] =
      std::minmax_element(table.response.values.begin(), table.response.values.end());
  EXPECT_EQ(*least, 0.0);
  EXPECT_EQ(*most, 7.0);
  EXPECT_TRUE(table.weights.empty());
}

TEST(SimulateModels, DrawsPoissonCountsWhoseVarianceIsTheirMean) {
  const SimulateOptions options{.family = "poisson", .rows = 100'000, .columns = 4};
  expect_law(options, [](double eta) { return Law{std::exp(eta), std::exp(eta)}; });
}

TEST(SimulateModels, DrawsNegativeBinomialCountsOfTheSizeAskedFor) {
  const SimulateOptions options{
      .family = "negative-binomial", .rows = 100'000, .columns = 4, .own = {{"size", 2.0}}};
  expect_law(options, [](double eta) {
    const double mean = std::exp(eta);
    return Law{mean, mean + mean * mean / 2.0};
  });
}

TEST(SimulateModels, KeepsCountsSaneUnlessAskedOtherwise) {
  for (const std::string family : {"poisson", "negative-binomial"}) {
    const SimulateOptions options{.family = family, .rows = 10, .columns = 3};
    EXPECT_EQ(Simulator(options).options().predictor_sd, 0.5);
    EXPECT_NEAR(Simulator(options).truth().beta.col(0).norm(), 0.5, 1e-12);
    SimulateOptions wide = options;
    wide.predictor_sd = 1.25;
    EXPECT_NEAR(Simulator(wide).truth().beta.col(0).norm(), 1.25, 1e-12);
  }
  EXPECT_EQ(Simulator({.family = "probit"}).options().predictor_sd, 2.5);
}

TEST(SimulateModels, RefusesMeansThatNoDoubleCanCount) {
  const TempDir dir;
  const SimulateFiles files{
      .data = {.family = "poisson", .rows = 1000, .columns = 3, .predictor_sd = 50.0},
      .out = dir / "huge"};
  try {
    (void)simulate_to_folder(files);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_THAT(error.message().in(option_wording()),
                HasSubstr("--predictor-sd 50: a row has a mean count of"));
  }
  EXPECT_FALSE(fs::exists(dir / "huge"));
}

TEST(SimulateModels, SeparatesClassesWithoutChance) {
  for (const std::string family : {"probit", "binomial"}) {
    const SimulateOptions options{
        .family = family, .rows = 3000, .columns = 3, .trials = 4, .separable = true};
    const Table table = simulate(options);
    const SimulatedTruth truth = Simulator(options).truth();
    const ConstRowMatrixView x(table.x.data(), 3000, 3);
    const Vector eta = (x * truth.beta.col(0)).array() + truth.alpha[0];
    const double top = family == "binomial" ? 4.0 : 1.0;
    for (std::size_t n = 0; n < table.rows; ++n) {
      ASSERT_EQ(table.response.values[n], eta[static_cast<Index>(n)] > 0.0 ? top : 0.0);
    }
  }
}

TEST(SimulateModels, WritesTheTrialsOfABinomialModel) {
  const TempDir dir;
  const SimulateFiles files{
      .data = {.family = "binomial", .rows = 150'000, .columns = 2, .trials = 12},
      .out = dir / "b"};
  const std::string said = simulate_to_folder(files);
  EXPECT_THAT(said, HasSubstr("% of 12 trials a row), trials.npy, truth.json"));
  EXPECT_THAT(said, HasSubstr("--model binomial --trials " + (dir / "b/trials.npy")));
  EXPECT_EQ(std::distance(fs::directory_iterator(dir / "b"), {}), 4);
  // Read back as if they were the response.
  const Loaded loaded = load({.path = dir / "b/X.npy", .response = dir / "b/trials.npy"});
  EXPECT_EQ(loaded.table.response.values, std::vector<double>(150'000, 12.0));
  const Loaded successes = load({.path = dir / "b/X.npy", .response = dir / "b/y.npy"});
  EXPECT_EQ(successes.table.response.values, simulate(files.data).response.values);
}

TEST(SimulateModels, TellsTheOptionsOfTheModel) {
  const auto told = [](const SimulateOptions& options) {
    return nlohmann::json::parse(describe_truth(Simulator(options)));
  };
  const auto binomial = told({.family = "binomial", .columns = 2, .trials = 6});
  EXPECT_EQ(binomial["model"], "binomial");
  EXPECT_EQ(binomial["trials"], 6);
  EXPECT_EQ(binomial["predictor_sd"], 2.5);
  const auto counts = told({.family = "negative-binomial", .own = {{"size", 3.5}}});
  EXPECT_EQ(counts["model"], "negative-binomial");
  EXPECT_EQ(counts["size"], 3.5);
  EXPECT_EQ(counts["predictor_sd"], 0.5);
  EXPECT_TRUE(counts["alpha"].is_number());
  EXPECT_FALSE(counts.contains("trials"));
  EXPECT_EQ(told({.family = "poisson"})["model"], "poisson");
  EXPECT_EQ(told({.family = "probit"})["model"], "probit");
}

TEST(SimulateModels, NamesTheFitToTryNext) {
  const TempDir dir;
  const auto said = [&](const std::string& family, const std::string& folder) {
    return simulate_to_folder(
        {.data = {.family = family, .rows = 500, .columns = 2, .own = {{"size", 2.5}}},
         .out = dir / folder});
  };
  EXPECT_THAT(said("poisson", "p"), HasSubstr("y.npy (poisson, mean count "));
  EXPECT_THAT(said("negative-binomial", "n"),
              HasSubstr("--model negative-binomial --size 2.5 --out"));
  EXPECT_THAT(said("probit", "q"), HasSubstr("% of class 1), truth.json"));
}

}  // namespace
}  // namespace flymc::cli
