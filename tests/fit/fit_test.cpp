// A run in memory is the run of the command line: its draws, its summary, and how it goes on.
#include "flymc/fit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <thread>
#include <tuple>
#include <utility>

#include "cli/fit/fit.hpp"
#include "family/simulate.hpp"
#include "fit/engine.hpp"
#include "fit/prepare.hpp"
#include "flymc/error.hpp"
#include "flymc/predict.hpp"
#include "run/run_folder.hpp"

namespace flymc::testing {
namespace {

cli::FitOptions short_run() {
  cli::FitOptions options;
  options.chains = 3;
  options.schedule = {.warmup = 100, .draws = 120, .thin = 2};
  options.seed = 11;
  options.quiet = true;
  return options;
}

Table table() { return simulate({.rows = 500, .columns = 3}); }

std::vector<std::vector<double>> values(const RunChains& run) {
  std::vector<std::vector<double>> all;
  for (const ChainDraws& chain : run.chains) {
    all.insert(all.end(), chain.values.begin(), chain.values.end());
  }
  return all;
}

void advance(Fit& run, std::uint64_t draws) {
  std::atomic<bool> stop{false};
  run.advance(draws, stop);
}

TEST(Fit, ATableWithoutAResponseIsRefused) {
  Table without = table();
  without.response = {};
  EXPECT_THAT([&] { Fit(std::move(without), short_run()); },
              ::testing::ThrowsMessage<Error>(::testing::HasSubstr("there is no response")));
}

TEST(Fit, DrawsAndSummaryAreThoseOfTheRunFolder) {
  cli::FitOptions options = short_run();
  options.out = ::testing::TempDir() + "flymc-memory-run";
  options.overwrite = true;
  const StopSignal stop;
  cli::fit(prepare(table(), options), options, stop);
  Fit run(table(), options);
  advance(run, options.schedule.draws);
  EXPECT_EQ(values(run.chains()), values(read_run_chains(options.out)));
  const Summary expected = summarise(options.out);
  const Summary summary = run.summary();
  EXPECT_EQ(summary.status, "complete");
  EXPECT_EQ(summary.engine, expected.engine);
  EXPECT_EQ(summary.cost.queries_total, expected.cost.queries_total);
  EXPECT_EQ(summary.cost.mean_bright, expected.cost.mean_bright);
  ASSERT_EQ(summary.parameters.size(), expected.parameters.size());
  EXPECT_EQ(summary.parameters[1].estimate.ess_bulk, expected.parameters[1].estimate.ess_bulk);
  std::filesystem::remove_all(options.out);
}

TEST(Fit, GoesOnBitForBit) {
  Fit longer(table(), short_run());
  advance(longer, 120);
  Fit parts(table(), short_run());
  for (const std::uint64_t draws : {40, 41, 120}) {
    advance(parts, draws);
    EXPECT_EQ(parts.draws(), draws);
  }
  EXPECT_EQ(values(parts.chains()), values(longer.chains()));
  EXPECT_EQ(parts.summary().cost.queries_total, longer.summary().cost.queries_total);
}

TEST(Fit, AStopKeepsWhatThereIs) {
  Fit longer(table(), short_run());
  advance(longer, 60);
  Fit stopped(table(), short_run());
  std::atomic<bool> stop{true};
  stopped.advance(60, stop);  // during warm-up: nothing is there
  EXPECT_EQ(stopped.draws(), 0U);
  advance(stopped, 30);
  stopped.advance(60, stop);
  EXPECT_EQ(stopped.draws(), 30U);
  EXPECT_EQ(stopped.summary().status, "interrupted");
  advance(stopped, 60);
  EXPECT_EQ(values(stopped.chains()), values(longer.chains()));
}

TEST(Fit, PredictsAsItsDrawsSay) {
  Fit run(table(), short_run());
  advance(run, 50);
  const Table rows = table();
  const PredictedRows predicted = predict(run, rows);
  ASSERT_EQ(predicted.values.rows(), 500);
  double sum = 0.0;
  for (const ChainDraws& chain : run.chains().chains) {
    for (std::size_t s = 0; s < chain.draws(); ++s) {
      double eta = chain.values[4][s];  // after four statistics
      for (std::size_t j = 0; j < 3; ++j) {
        eta += chain.values[5 + j][s] * rows.x[7 * 3 + j];
      }
      sum += 1.0 / (1.0 + std::exp(-eta)) / 150.0;
    }
  }
  EXPECT_NEAR(predicted.values(7, 0), sum, 1e-12);
  Table other = table();
  other.columns[1] = "elsewhere";
  try {
    std::ignore = predict(run, other);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("no column 'x2'"));
  }
}

// As many rows on a rising line as on a falling one: no chain may keep to one of them, and the
// summary says so.
TEST(Fit, JumpsBetweenModesAndSaysSo) {
  Table table = simulate({.family = "student-t", .rows = 40, .columns = 1});
  for (std::size_t n = 0; n < table.rows; ++n) {
    const double sign = n % 2 == 0 ? 1.0 : -1.0;
    const double wiggle = 0.2 * std::sin(5.0 * static_cast<double>(n));
    table.response.values[n] = sign * 2.0 * table.x[n] + wiggle;
  }
  cli::FitOptions options = short_run();
  options.family = "student-t";
  options.own = {{"nu", 1.0}, {"scale", 0.5}};
  options.schedule = {.warmup = 200, .draws = 1000, .thin = 1};
  Fit run(std::move(table), options);
  advance(run, options.schedule.draws);
  const Summary summary = run.summary();
  EXPECT_EQ(summary.engine, "regular");
  ASSERT_EQ(summary.notes.size(), 1U);
  EXPECT_THAT(summary.notes[0], ::testing::HasSubstr("The posterior has 2 modes"));
  EXPECT_LT(summary.parameters[1].estimate.rhat, 1.02);
}

// Sets a flag after a while.
class Later {
 public:
  explicit Later(double seconds)
      : thread_([this, seconds] {
          std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
          flag.store(true);
        }) {}

  std::atomic<bool> flag{false};

 private:
  std::jthread thread_;
};

TEST(Fit, AStopInTheMiddleOfADrawIsHeardAndLeavesNoTrace) {
  for (const EngineKind engine : {EngineKind::kFly, EngineKind::kRegular}) {
    FitSettings settings = short_run();
    settings.engine = engine;
    settings.chains = 2;
    const std::uint64_t thin = engine == EngineKind::kFly ? 60'000 : 3'000;  // a second or so
    settings.schedule = {.warmup = 50, .draws = 4, .thin = thin};
    Fit whole(table(), settings);
    whole.run();
    Fit stopped(table(), settings);
    advance(stopped, 1);
    int stops = 0;
    int given_up = 0;
    for (double after = 0.02; stopped.draws() < 4 && stops < 200; after += 0.07, ++stops) {
      const std::uint64_t before = stopped.most_draws();
      Later stop(after);
      stopped.advance(4, stop.flag);
      given_up += stopped.most_draws() == before ? 1 : 0;
    }
    EXPECT_GT(given_up, 0);  // draws that were begun
    EXPECT_EQ(values(stopped.chains()), values(whole.chains()));
    EXPECT_EQ(stopped.summary().cost.queries_total, whole.summary().cost.queries_total);
  }
}

TEST(Fit, AStopIsHeardDuringSetUp) {
  FitSettings settings = short_run();
  settings.threads = 1;
  Fit fit(simulate({.rows = 150'000, .columns = 100}), settings);  // a second or so
  Later stop(0.05);
  fit.advance(1, stop.flag);
  EXPECT_EQ(fit.draws(), 0U);
  EXPECT_EQ(fit.result().setup.passes, 0);
}

}  // namespace
}  // namespace flymc::testing
