// Leave-one-out against closed forms, against itself with all rows, and against R's loo.
#include "compare/loo.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <sstream>

#include "compare/conjugate.hpp"
#include "compare/row_density.hpp"
#include "data/load_support.hpp"
#include "diagnose/moments.hpp"
#include "family/simulate.hpp"
#include "flymc/fit.hpp"
#include "support/r_here.hpp"

namespace flymc::testing {
namespace {

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

std::vector<double> minus(std::vector<double> a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] -= b[i];
  }
  return a;
}

// Of z-scores with a standard normal law the squares have mean 1 and variance 2: five standard
// errors.
void expect_unit_squares(double sum_of_squares, double count) {
  EXPECT_NEAR(sum_of_squares / count, 1.0, 5.0 * std::sqrt(2.0 / count));
}

TEST(Loo, OfAllRowsIsTheClosedFormWithinItsError) {
  constexpr int kReplicates = 60;
  double squares = 0.0;
  for (std::uint64_t seed = 1; seed <= kReplicates; ++seed) {
    const Conjugate model(120, 3, seed);
    const Problem problem = model.problem(3);
    const PointwiseLoo loo = pointwise_loo(problem, {model.draws(1000, seed)}, 1000);
    ASSERT_EQ(loo.rows.size(), 120U);
    const ElpdEstimate elpd = elpd_loo(loo);
    squares += std::pow((elpd.value - sum(model.elpd())) / elpd.mcse, 2);
  }
  expect_unit_squares(squares, kReplicates);
}

// p(y) has variance sigma^2 (1 + v), 1/E[1/p] sees v through the draws' own moments: what is left
// is their error, of order v / sqrt(draws), and rounding.
TEST(Loo, CheapValueOfEveryRowIsTheClosedForm) {
  const Conjugate model(300, 3, 7);
  const PointwiseLoo loo = pointwise_loo(model.problem(3), {model.draws(40'000, 1)}, 10);
  const std::vector<double> exact = model.elpd();
  for (std::size_t n = 0; n < exact.size(); ++n) {
    EXPECT_NEAR(loo.cheap[n], exact[n], 0.01) << n;
  }
}

TEST(Loo, OfSomeRowsIsThatOfAllWithinItsError) {
  constexpr int kReplicates = 60;
  double squares = 0.0;
  double ratio = 0.0;
  for (std::uint64_t seed = 1; seed <= kReplicates; ++seed) {
    const Conjugate model(600, 3, seed);
    const Problem problem = model.problem(3);
    const ThetaDraws draws = model.draws(400, seed);
    PointwiseLoo some = pointwise_loo(problem, {draws}, 60);
    PointwiseLoo all = pointwise_loo(problem, {draws}, 600);
    some.draw_variance = 0.0;  // the same draws
    for (std::size_t i = 0; i < some.rows.size(); ++i) {
      ASSERT_DOUBLE_EQ(some.exact[i], all.exact[some.rows[i]]);
    }
    // So rough that choosing rows is what errors come of.
    for (double& value : some.cheap) {
      value *= 0.9;
    }
    const ElpdEstimate estimate = elpd_loo(some);
    squares += std::pow((estimate.value - elpd_loo(all).value) / estimate.mcse, 2);
    ratio += std::pow(estimate.se / elpd_loo(all).se, 2) / kReplicates;
  }
  expect_unit_squares(squares, kReplicates);
  // A tenth of the rows says a tenth of each value: the relative error of se^2 over 60 rows is
  // about 0.2 sqrt(2/60), of the mean over replicates an eighth of that.
  EXPECT_NEAR(ratio, 1.0, 5.0 * 0.2 * std::sqrt(2.0 / 60.0 / kReplicates));
}

TEST(Loo, ErrorAndDifferenceAreThoseOfTheRows) {
  const Conjugate model(200, 2, 3);
  const PointwiseLoo with = pointwise_loo(model.problem(2), {model.draws(1000, 1)}, 200);
  const Conjugate less(200, 2, 3);
  const Problem without = less.problem(1);
  Conjugate narrow = model;
  narrow.x.conservativeResize(Eigen::NoChange, 2);
  narrow.precision.compute(narrow.x.transpose() * narrow.x / 2.25 + Matrix::Identity(2, 2) / 4.0);
  narrow.mean = narrow.precision.solve(narrow.x.transpose() * narrow.y / 2.25);
  const PointwiseLoo other = pointwise_loo(without, {narrow.draws(1000, 2)}, 200);
  const ElpdEstimate elpd = elpd_loo(with);
  EXPECT_NEAR(elpd.value, sum(with.exact), 1e-9);
  EXPECT_NEAR(elpd.se, std::sqrt(200.0 * variance(with.exact)), 1e-9);
  const std::vector<double> pairs = minus(with.exact, other.exact);
  const ElpdEstimate difference = elpd_difference(with, other);
  EXPECT_NEAR(difference.value, sum(pairs), 1e-9);
  EXPECT_NEAR(difference.se, std::sqrt(200.0 * variance(pairs)), 1e-9);
  EXPECT_LT(difference.se, 0.2 * elpd.se);
}

// The bar: 1,000 rows of 10^4 and 10^5 within two Monte Carlo standard errors of all of them.
class TallLoo : public ::testing::TestWithParam<const char*> {};

TEST_P(TallLoo, OfAThousandRowsIsThatOfAll) {
  FitSettings settings;
  settings.family = GetParam();
  settings.schedule = {.warmup = 300, .draws = 100, .thin = 1};
  const Table table = simulate({.family = GetParam(), .rows = 10'000, .columns = 5, .seed = 5});
  Fit fit(table, settings);
  fit.run();
  settings.engine = EngineKind::kRegular;
  const Problem problem = prepare(table, settings);
  const ThetaDraws draws = theta_draws(problem, fit.chains(), 400);
  PointwiseLoo some = pointwise_loo(problem, {draws}, 1000);
  some.draw_variance = 0.0;
  const ElpdEstimate estimate = elpd_loo(some);
  const ElpdEstimate all = elpd_loo(pointwise_loo(problem, {draws}, 10'000));
  EXPECT_NEAR(estimate.value, all.value, 2.0 * estimate.mcse);
  EXPECT_LT(estimate.mcse, 0.05 * all.se);
  EXPECT_NEAR(estimate.se, all.se, 0.02 * all.se);
}

INSTANTIATE_TEST_SUITE_P(Family, TallLoo,
                         ::testing::Values("logistic", "poisson", "student-t", "softmax", "gamma",
                                           "zip"),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::erase(name, '-');
                           return name;
                         });

// Every family, all rows with all draws, by R's loo from the matrix of log densities.
TEST(LooInR, IsTheSame) {
  if (!has_r_package("loo")) {
    GTEST_SKIP() << "R's package loo is not here";
  }
  for (const char* family : {"logistic", "negative-binomial", "softmax"}) {
    FitSettings settings;
    settings.family = family;
    settings.engine = EngineKind::kRegular;
    settings.schedule = {.warmup = 300, .draws = 125, .thin = 1};
    Fit fit(simulate({.family = family, .rows = 80, .columns = 2, .predictor_sd = 1.0, .seed = 2}),
            settings);
    fit.run();
    const ThetaDraws draws = theta_draws(fit.problem(), fit.chains(), 500);
    const PointwiseLoo loo = pointwise_loo(fit.problem(), {draws}, 80);
    const TempDir dir;
    std::string matrix;
    std::vector<double> row(draws.draws());
    for (std::size_t n = 0; n < 80; ++n) {
      const std::vector<std::size_t> rows{n};
      Matrix eta = predictors(fit.problem(), rows, standardised(fit.problem().data, rows), {draws});
      log_densities(fit.problem(), n, predictors_of(eta, 0, 1), row);
      for (const double value : row) {
        matrix += fmt::format("{:.17g} ", value);
      }
      matrix += "\n";
    }
    const std::string path = dir.write("ll.txt", matrix);
    const std::string script = dir.write(
        "loo.R", fmt::format("l <- t(as.matrix(read.table('{}')))\n"
                             "e <- suppressWarnings(loo::loo(l, r_eff = rep(1, ncol(l))))\n"
                             "cat(sprintf('%.15g\\n', c(e$estimates['elpd_loo', ],\n"
                             "  max(e$diagnostics$pareto_k))))\n",
                             path));
    std::istringstream in_r(output_of_r(script));
    double value = 0.0;
    double se = 0.0;
    double khat = 0.0;
    in_r >> value >> se >> khat;
    const ElpdEstimate elpd = elpd_loo(loo);
    EXPECT_NEAR(elpd.value, value, 1e-8) << family;
    EXPECT_NEAR(elpd.se, se, 1e-8) << family;
    EXPECT_NEAR(*std::max_element(loo.khat.begin(), loo.khat.end()), khat, 1e-8) << family;
  }
}

}  // namespace
}  // namespace flymc::testing
