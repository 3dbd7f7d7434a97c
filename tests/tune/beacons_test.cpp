#include "tune/beacons.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <type_traits>

#include "flymc/detail/posterior/baseline.hpp"
#include "flymc/tune/find_anchor.hpp"
#include "support/unit_problem.hpp"

namespace flymc {
namespace {

using unit::Problem;

constexpr double kTrajectory = 1.5707963267948966 / 1.2;

// Rare indicators: columns that are 1 in a few rows only, all of one response (the first class, a
// count of zero), so that little more than the prior holds their coefficients.
template <class Case>
struct RareCategory : Problem<Case> {
  explicit RareCategory(std::size_t rows, double prior_scale = 4.0)
      : Problem<Case>(
            {.rows = rows, .columns = 4, .standardise = false, .weights = true, .offset = false},
            BoundKind::kLocal, 51) {
    for (std::size_t n = 0; n < rows; ++n) {
      this->table.x[4 * n + 3] = n % 97 == 5 ? 1.0 : 0.0;
      this->table.x[4 * n + 2] = n % 61 == 7 ? 1.0 : 0.0;
      if (n % 97 == 5 || n % 61 == 7) {
        this->table.response.values[n] = std::is_same_v<Case, unit::LogisticCase> ? 1.0 : 0.0;
      }
    }
    this->data = Dataset(this->table, this->options);
    this->prior = unit::normal_prior(this->size(), prior_scale);
    this->anchor =
        newton(this->prior, likelihood_pass(this->model, this->data, 1), this->prior.location(), {})
            .anchor;
  }
  [[nodiscard]] LocalPass pass() const {
    return local_pass(this->model, this->data, this->anchor, {.threads = 1});
  }
};

// w sum over pairs of c_p (e_j - e_k)(e_j - e_k)' (x) x x'.
template <class Case>
void add_row(const Problem<Case>& problem, std::size_t n, const std::vector<double>& c,
             Matrix& sum) {
  const int classes = predictor_count(problem.model);
  Vector row(problem.data.columns());
  problem.data.copy_row(n, row.data());
  const Index d = row.size();
  const Matrix square = problem.data.weight(n) * row * row.transpose();
  if (classes == 1) {
    sum += c[0] * square;
    return;
  }
  std::size_t pair = 0;
  for (Index k = 1; k < classes; ++k) {
    for (Index j = 0; j < k; ++j, ++pair) {
      Vector apart = Vector::Zero(classes);
      apart[j] = 1.0;
      apart[k] = -1.0;
      for (Index a = 0; a < classes; ++a) {
        for (Index b = 0; b < classes; ++b) {
          sum.block(a * d, b * d, d, d) += c[pair] * apart[a] * apart[b] * square;
        }
      }
    }
  }
}

// The largest eigenvalue of H^-1 (prior + sum_light w k x x' + sum_beacons w max(-phi'', 0) x x').
template <class Case>
double dense_q_max(const Problem<Case>& problem, const LocalPass& pass,
                   const std::vector<Datum>& beacons) {
  const auto pairs = static_cast<std::size_t>(pass.tangents.pairs);
  Matrix precision = Matrix::Zero(problem.size(), problem.size());
  std::vector<double> scratch(pairs);
  std::vector<double> bend(pairs);
  for (Datum n = 0; n < problem.shape.rows; ++n) {
    if (std::count(beacons.begin(), beacons.end(), n) > 0) {
      evaluate_information(problem.model, pass.tangents.touch_point(n), problem.response(n),
                           bend.data());
    } else {
      shell_curvature(problem.model, pass.tangents, pass.tangents.touch(n, problem.response(n)), 0,
                      scratch.data(), bend.data());
    }
    add_row(problem, n, bend, precision);
  }
  for (Index j = 0; j < problem.size(); ++j) {
    const double scale = problem.prior.terms()[static_cast<std::size_t>(j)].scale;
    precision(j, j) += 1.0 / (scale * scale);
  }
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> eigen(precision, problem.anchor.precision);
  return eigen.eigenvalues().maxCoeff();
}

template <class Case>
class BeaconsOf : public ::testing::Test {};
using BeaconsCases = ::testing::Types<unit::LogisticCase, unit::SoftmaxCase, unit::PoissonCase>;
TYPED_TEST_SUITE(BeaconsOf, BeaconsCases);

TYPED_TEST(BeaconsOf, AreAllDataThatWouldBeBrightATenthOfTheTime) {
  const RareCategory<TypeParam> problem(400);
  const LocalPass pass = problem.pass();
  const BeaconChoice choice =
      choose_beacons(problem.model, problem.prior, problem.data, pass, problem.anchor);
  const std::set<Datum> beacons(choice.beacons.begin(), choice.beacons.end());
  EXPECT_EQ(beacons.size(), choice.beacons.size());
  std::size_t often = 0;
  for (Datum n = 0; n < problem.shape.rows; ++n) {
    if (pass.expected_bright(CoinRate(pass.rates[n])) > 0.1) {
      ++often;
      EXPECT_TRUE(beacons.contains(n)) << n;
    }
  }
  EXPECT_GT(often, 2U);  // else the problem says nothing
  EXPECT_LT(beacons.size(), problem.shape.rows);
}

TYPED_TEST(BeaconsOf, LeaveTheForecastOfTheJointThatTheyMake) {
  const RareCategory<TypeParam> problem(400);
  const LocalPass pass = problem.pass();
  const BeaconChoice choice =
      choose_beacons(problem.model, problem.prior, problem.data, pass, problem.anchor);
  ASSERT_FALSE(choice.beacons.empty());
  const double q_max = dense_q_max(problem, pass, choice.beacons);
  EXPECT_NEAR(choice.cost.lag, lag_of(q_max), 0.03 * lag_of(q_max));
  EXPECT_LT(q_max, dense_q_max(problem, pass, {}));
  double bright = 0.0;
  double queries = 0.0;
  for (Datum n = 0; n < problem.shape.rows; ++n) {
    const bool beacon = std::count(choice.beacons.begin(), choice.beacons.end(), n) > 0;
    bright += beacon ? 0.0 : pass.expected_bright(CoinRate(pass.rates[n]));
    queries += beacon ? std::max(4.0, kTrajectory * pass.tangents.reach(n)) : 0.0;
  }
  EXPECT_NEAR(choice.cost.bright, bright, 1e-6 * (1.0 + bright));
  EXPECT_NEAR(choice.cost.beacon_queries, queries, 1e-6 * queries);
}

// The bounds that are built of the choice have the Gaussian part that was forecast, but for walls,
// which leave no parabola.
TYPED_TEST(BeaconsOf, LeaveNoMoreInTheGaussianPartThanWasForecast) {
  const RareCategory<TypeParam> problem(400);
  BeaconChoice choice =
      choose_beacons(problem.model, problem.prior, problem.data, problem.pass(), problem.anchor);
  const double forecast = choice.cost.lag;
  const Bounds bounds =
      with_beacons(problem.model, problem.data, problem.pass(), std::move(choice.beacons), 1);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> eigen(
      gaussian_precision(problem.prior, bounds.gaussian), problem.anchor.precision);
  EXPECT_LT(lag_of(eigen.eigenvalues().maxCoeff()), 1.03 * forecast);
}

TYPED_TEST(BeaconsOf, AreNoneWhereTheProblemIsEasy) {
  Problem<TypeParam> problem({.rows = 20'000, .columns = 2, .offset = false}, BoundKind::kLocal,
                             52);
  problem.anchor = newton(problem.prior, likelihood_pass(problem.model, problem.data, 1),
                          problem.prior.location(), {})
                       .anchor;
  const LocalPass pass = local_pass(problem.model, problem.data, problem.anchor, {.threads = 1});
  const BeaconChoice choice =
      choose_beacons(problem.model, problem.prior, problem.data, pass, problem.anchor);
  EXPECT_TRUE(choice.beacons.empty());
  EXPECT_EQ(choice.cost.beacon_queries, 0.0);
  EXPECT_NEAR(choice.q_max, dense_q_max(problem, pass, {}), 0.01);
  EXPECT_LT(choice.q_max, 1.1);
  EXPECT_TRUE((Forecast{choice.cost, full_cost(problem.data, pass.tangents)}.fly_pays()));
}

TYPED_TEST(BeaconsOf, AreNoMoreThanTheRowsThereAre) {
  for (const std::size_t rows : {1U, 2U, 3U, 5U, 9U}) {
    for (const double prior_scale : {1.0, 30.0}) {
      const RareCategory<TypeParam> problem(rows, prior_scale);
      const BeaconChoice choice = choose_beacons(problem.model, problem.prior, problem.data,
                                                 problem.pass(), problem.anchor);
      const std::set<Datum> beacons(choice.beacons.begin(), choice.beacons.end());
      EXPECT_EQ(beacons.size(), choice.beacons.size());
      EXPECT_LE(beacons.size(), rows);
      EXPECT_TRUE(beacons.empty() || *beacons.rbegin() < rows);
      EXPECT_TRUE(std::isfinite(choice.cost.total()));
    }
  }
}

// A datum without a bound is a beacon, and its information stays in the forecast.
TEST(Beacons, IncludeADatumWithoutABound) {
  RareCategory<unit::PoissonCase> problem(100);
  problem.table.x[4 * 50] = 60.0;
  problem.table.response.values[50] = 0.0;
  problem.data = Dataset(problem.table, problem.options);
  problem.anchor.theta[1] = -0.2;
  const LocalPass pass = problem.pass();
  ASSERT_FALSE(CoinRate(pass.rates[50]).has_bound());
  const BeaconChoice choice =
      choose_beacons(problem.model, problem.prior, problem.data, pass, problem.anchor);
  EXPECT_EQ(std::count(choice.beacons.begin(), choice.beacons.end(), 50U), 1);
  const double q_max = dense_q_max(problem, pass, choice.beacons);
  EXPECT_NEAR(choice.cost.lag, lag_of(q_max), 0.03 * lag_of(q_max));
}

TEST(FullCost, IsATrajectoryOfEveryRow) {
  const RareCategory<unit::LogisticCase> problem(300);
  const LocalPass pass = problem.pass();
  double queries = 0.0;
  for (std::size_t n = 0; n < 300; ++n) {
    queries += std::max(4.0, kTrajectory * pass.tangents.leverage(n)[0]);
  }
  const Cost cost = full_cost(problem.data, pass.tangents);
  EXPECT_NEAR(cost.beacon_queries, queries, 1e-9 * queries);
  EXPECT_EQ(cost.queries(), cost.beacon_queries);
  EXPECT_EQ(cost.total(), cost.queries());
  EXPECT_EQ(cost.draws(), 0.8);
}

TEST(Forecast, FollowsItsFormulas) {
  EXPECT_EQ(beacon_queries(0.1), 4.0);
  EXPECT_NEAR(beacon_queries(10.0), 10.0 * kTrajectory, 1e-12);
  const Cost cost{.beacon_queries = 40.0, .bright = 6.0, .parameters = 50.4, .lag = lag_of(1.5)};
  const double slowdown = 1.0 + 1.3 * 0.25 + 0.5;
  EXPECT_NEAR(cost.queries(), 40.0 + 5.5 * 6.0, 1e-12);
  EXPECT_NEAR(cost.draws(), 0.8 / slowdown, 1e-12);
  EXPECT_NEAR(cost.total(), 73.0 * slowdown, 1e-12);
  const Cost calm{.beacon_queries = 40.0, .bright = 6.0, .parameters = 50.4, .lag = lag_of(0.6)};
  EXPECT_NEAR(calm.draws(), 0.8 / 1.5, 1e-12);  // a direction that does not lag costs nothing
  const double total = cost.total();
  EXPECT_TRUE((Forecast{cost, {.beacon_queries = 1.01 * total / 0.7}}.fly_pays()));
  EXPECT_FALSE((Forecast{cost, {.beacon_queries = 0.99 * total / 0.7}}.fly_pays()));
}

}  // namespace
}  // namespace flymc
