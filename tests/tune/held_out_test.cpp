#include "tune/held_out.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "flymc/family/logistic.hpp"
#include "flymc/family/poisson.hpp"
#include "flymc/random.hpp"

namespace flymc {
namespace {

const Dataset::Options kPlain{.intercept = false, .center = {}, .scale = {}};

TEST(SplitRows, IsDisjointAndComplete) {
  for (const std::size_t rows : {2U, 5U, 9U, 1000U, 12'214U}) {
    const RowSplit split = split_rows(rows, 1);
    EXPECT_EQ(split.held_out.size(), std::max<std::size_t>(1, rows / 5));
    EXPECT_TRUE(std::ranges::is_sorted(split.training));
    EXPECT_TRUE(std::ranges::is_sorted(split.held_out));
    std::vector<std::size_t> all(rows);
    std::ranges::merge(split.training, split.held_out, all.begin());
    std::vector<std::size_t> expected(rows);
    std::iota(expected.begin(), expected.end(), 0U);
    EXPECT_EQ(all, expected);
  }
  EXPECT_NE(split_rows(1000, 1).held_out, split_rows(1000, 2).held_out);
}

TEST(SplitRows, TakesSomeOfManyRows) {
  const RowSplit split = split_rows(1'000'000, 1);
  EXPECT_EQ(split.held_out.size(), 20'000U);
  EXPECT_EQ(split.training.size(), 80'000U);
  EXPECT_GT(split.training.back(), 900'000U);
  std::vector<std::size_t> both;
  std::ranges::set_intersection(split.training, split.held_out, std::back_inserter(both));
  EXPECT_TRUE(both.empty());
}

Table one_column(std::vector<double> x, std::vector<double> response) {
  Table table;
  table.rows = x.size();
  table.columns = {"x"};
  table.x.resize(x.size());
  std::ranges::copy(x, table.x.data());
  table.response.values = std::move(response);
  return table;
}

double log_sigmoid(double t) { return -std::log1p(std::exp(-t)); }

// d/dtheta of the log posterior falls in theta, so bisection finds its root.
double mode_by_bisection(const Table& table, const std::vector<std::size_t>& rows, double scale) {
  double low = -100.0;
  double high = 100.0;
  for (int i = 0; i < 200; ++i) {
    const double theta = 0.5 * (low + high);
    double slope = -theta / (scale * scale);
    for (const std::size_t n : rows) {
      const double margin = table.response.values[n] * (table.offset[n] + table.x[n] * theta);
      slope += table.weights[n] * table.response.values[n] * table.x[n] / (1.0 + std::exp(margin));
    }
    (slope > 0.0 ? low : high) = theta;
  }
  return low;
}

TEST(HeldOutScore, EqualsAHandComputation) {
  Table table = one_column({0.3, -1.0, 2.0, 0.7, -0.4, 1.5, -2.0, 0.1, 0.9, -0.6},
                           {1, -1, 1, -1, 1, 1, -1, 1, -1, -1});
  table.weights = {1, 2, 0.5, 3, 1, 1, 2, 4, 1, 0.25};
  table.offset = {0, 0.5, -0.5, 0.2, 0, 0, 1, -1, 0, 0.3};
  constexpr double kScale = 0.7;
  const HeldOut data = hold_out(table, kPlain, 3, 1);
  Vector theta;
  const double score =
      held_out_score(Logistic{}, Prior({{PriorKind::kNormal, 0.0, kScale}}), data, 1, theta);

  const RowSplit split = split_rows(table.rows, 3);
  const double mode = mode_by_bisection(table, split.training, kScale);
  double sum = 0.0;
  double weight = 0.0;
  for (const std::size_t n : split.held_out) {
    sum += table.weights[n] *
           log_sigmoid(table.response.values[n] * (table.offset[n] + table.x[n] * mode));
    weight += table.weights[n];
  }
  EXPECT_NEAR(theta[0], mode, 1e-4);
  EXPECT_NEAR(score, sum / weight, 1e-4);
}

TEST(HeldOutScore, IsTheWorstWhereItIsNotFinite) {
  Table table = one_column({0.5, -0.5, 0.2, -0.1, 0.9}, {2, 0, 1, 1, 3});
  table.x[split_rows(5, 1).held_out[0]] = 1e6;
  Vector theta;
  EXPECT_EQ(held_out_score(Poisson{}, Prior({{PriorKind::kNormal, 1.0, 0.1}}),
                           hold_out(table, kPlain, 1, 1), 1, theta),
            -std::numeric_limits<double>::infinity());
  EXPECT_EQ(theta.size(), 1);
}

// Logistic data whose coefficients are normal(0, spread).
Table simulated(std::size_t rows, std::size_t columns, double spread, std::uint64_t seed) {
  Stream stream(seed, 0, Purpose::kTest, 0);
  Table table;
  table.rows = rows;
  table.columns.assign(columns, "x");
  table.x.resize(rows * columns);
  std::vector<double> beta(columns);
  std::ranges::generate(beta, [&] { return spread * stream.normal(); });
  for (std::size_t n = 0; n < rows; ++n) {
    double eta = 0.0;
    for (std::size_t j = 0; j < columns; ++j) {
      table.x[n * columns + j] = stream.normal();
      eta += beta[j] * table.x[n * columns + j];
    }
    table.response.values.push_back(stream.uniform() < 1.0 / (1.0 + std::exp(-eta)) ? 1.0 : -1.0);
  }
  return table;
}

Prior normal_prior(std::size_t columns, double scale) {
  return Prior(std::vector<PriorTerm>(columns, {PriorKind::kNormal, 0.0, scale}));
}

TEST(HeldOutScore, IsBestNearTheSpreadOfTheCoefficients) {
  constexpr std::size_t kColumns = 60;
  for (const double spread : {0.1, 0.4}) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const HeldOut data = hold_out(simulated(2000, kColumns, spread, seed), kPlain, seed, 1);
      double best = -std::numeric_limits<double>::infinity();
      double best_factor = 0.0;
      Vector theta;
      for (double factor = 0x1p-6; factor <= 0x1p6; factor *= 2.0) {
        const double score =
            held_out_score(Logistic{}, normal_prior(kColumns, spread * factor), data, 1, theta);
        best_factor = score > best ? factor : best_factor;
        best = std::max(best, score);
      }
      EXPECT_GE(best_factor, 0.25) << spread << " " << seed;
      EXPECT_LE(best_factor, 4.0) << spread << " " << seed;
    }
  }
}

TEST(HeldOutScore, DoesNotDependOnThreads) {
  const Table table = simulated(10'000, 3, 1.0, 5);
  std::vector<double> scores;
  for (const unsigned threads : {1U, 2U, 7U}) {
    Vector theta;
    scores.push_back(held_out_score(Logistic{}, normal_prior(3, 0.5),
                                    hold_out(table, kPlain, 5, threads), threads, theta));
  }
  EXPECT_EQ(scores[0], scores[1]);
  EXPECT_EQ(scores[0], scores[2]);
}

}  // namespace
}  // namespace flymc
