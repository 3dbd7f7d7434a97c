// Local bounds: what is collapsed is the sum of the tangents, in every shell and without beacons.
#include "flymc/posterior/local_bounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/table/merge_rows.hpp"
#include "flymc/detail/posterior/wider_shells.hpp"
#include "flymc/family/automatic.hpp"
#include "support/unit_problem.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace flymc {
namespace {

using unit::as_reals;
using unit::Problem;
using unit::Real;
using unit::Reals;

// Leverages of about 0.3, so that every shell of a Poisson mean is finite.
constexpr unit::Shape kSharp{.sharpness = 30.0};

template <class Case>
class LocalBoundsOf : public ::testing::Test {
 protected:
  // A Collapsed less 1/2 delta' extra delta against a long double function of theta.
  template <class F>
  static void expect_parabola(Problem<Case>& problem, const Collapsed& collapsed,
                              const Matrix& extra, const F& naive) {
    Vector product(problem.size());
    for (const double spread : {0.0, 0.05, 1.0}) {
      const Vector delta = unit::normal_vector(problem.stream, problem.size(), spread);
      const double value =
          collapsed.evaluate(delta, product, nullptr) - 0.5 * delta.dot(extra * delta);
      const auto expected = static_cast<double>(naive(as_reals(problem.anchor.theta + delta)));
      EXPECT_NEAR(value, expected, 1e-11 * (1.0 + std::abs(expected)));
    }
  }

  static void expect_every_shell(Problem<Case>& problem) {
    const Bounds& bounds = problem.bounds;
    for (int shell = 0; shell < bounds.tangents.shells.tangent_count(); ++shell) {
      SCOPED_TRACE(::testing::Message() << "shell " << shell);
      const Matrix extra =
          shell == 0 ? Matrix::Zero(problem.size(), problem.size())
                     : ShellSums(problem.model, problem.data, bounds).make(shell).precision;
      expect_parabola(problem, bounds.light, Matrix(extra),
                      [&](const Reals& t) { return problem.log_bounds_in(shell, t); });
    }
  }

  // Log likelihood of datum n to second order, bending no way but down.
  static Real parabola(const Problem<Case>& problem, std::size_t n, const Reals& theta) {
    std::vector<double> bend(static_cast<std::size_t>(problem.bounds.tangents.pairs));
    evaluate_information(problem.model, problem.bounds.tangents.touch_point(n), problem.response(n),
                         bend.data());
    if constexpr (MatrixLikelihood<typename Case::Model>) {
      Matrix form{{bend[0], bend[1]}, {bend[1], bend[2]}};
      const Eigen::SelfAdjointEigenSolver<Matrix> eigen(form);
      form.setZero();
      for (Index i = 0; i < 2; ++i) {
        const Vector axis = eigen.eigenvectors().col(i);
        form += std::max(eigen.eigenvalues()[i], 0.0) * axis * axis.transpose();
      }
      bend = {form(0, 0), form(1, 0), form(1, 1)};
    } else {
      std::for_each(bend.begin(), bend.end(), [](double& b) { b = std::max(b, 0.0); });
    }
    const Tangent tangent{problem.bounds.tangents.touch_point(n), bend.data(), problem.response(n)};
    return problem.weight(n) * unit::log_bound(problem.model, tangent, problem.eta(n, theta)).value;
  }
};
using LocalBoundsCases =
    ::testing::Types<unit::LogisticCase, unit::StudentTCase, unit::SoftmaxCase, unit::PoissonCase,
                     unit::ProbitCase, unit::BinomialCase, unit::NegativeBinomialCase,
                     unit::NormalScaleCase, unit::NormalVaryingScaleCase>;
TYPED_TEST_SUITE(LocalBoundsOf, LocalBoundsCases);

TYPED_TEST(LocalBoundsOf, TheModelCollapsesToTheSumOfItsTangentsInEveryShell) {
  for (const unit::Shape& shape : {kSharp,
                                   {.rows = 30,
                                   .intercept = false,
                                   .standardise = false,
                                   .weights = false,
                                   .offset = false,
                                   .sharpness = 100.0},
                                   {.rows = 300, .columns = 2, .sharpness = 300.0}}) {
    Problem<TypeParam> problem(shape, BoundKind::kLocal);
    ASSERT_EQ(problem.bounds.tangents.shells.radii.size(), 3U);
    ASSERT_EQ(problem.bounds.tangents.shells.tangent_count(),
              kHasGlobalBound<typename TypeParam::Model> ? 4 : 3);
    this->expect_every_shell(problem);
    EXPECT_EQ(problem.bounds.queries, shape.rows);
  }
}

TYPED_TEST(LocalBoundsOf, TheModelWithBeaconsIsTheSumWithoutThem) {
  for (const double sharpness : {0.3, 30.0}) {
    for (const std::vector<Datum>& beacons :
         {std::vector<Datum>{}, std::vector<Datum>{17}, std::vector<Datum>{20, 3, 8, 0, 23, 11}}) {
      Problem<TypeParam> problem({.sharpness = Problem<TypeParam>::kSharper * sharpness},
                                 BoundKind::kLocal, 2);
      problem.set_beacons(beacons, {.shells = {0.5, 1.0}, .threads = 1});
      ASSERT_EQ(problem.bounds.beacons.size(), beacons.size());
      this->expect_every_shell(problem);
      const Matrix none = Matrix::Zero(problem.size(), problem.size());
      this->expect_parabola(problem, problem.bounds.gaussian, none, [&](const Reals& t) {
        Real sum = problem.log_bounds_in(0, t);
        for (const Datum n : problem.bounds.beacons.rows) {
          sum += problem.bounds.tangents.reach(n) <= 1.0 ? this->parabola(problem, n, t) : 0.0L;
        }
        return sum;
      });
    }
  }
}

TYPED_TEST(LocalBoundsOf, TheModelWithNothingButBeaconsCollapsesToExactlyNothing) {
  Problem<TypeParam> problem(kSharp, BoundKind::kLocal, 3);
  std::vector<Datum> all(problem.shape.rows);
  std::iota(all.begin(), all.end(), Datum{0});
  problem.set_beacons(all, {.threads = 1});
  EXPECT_EQ(problem.bounds.light.constant(), 0.0);
  EXPECT_TRUE(problem.bounds.light.linear().isZero(0.0));
  EXPECT_TRUE(problem.bounds.light.precision().isZero(0.0));
  EXPECT_EQ(problem.bounds.coins.rates.total(), 0.0);
  EXPECT_EQ(problem.bounds.coins.expected_bright, 0.0);
  EXPECT_TRUE(ShellSums(problem.model, problem.data, problem.bounds).make(1).precision.isZero(0.0));
}

TYPED_TEST(LocalBoundsOf, TheModelSortsBeaconsByReachAndSplitsThemAtOne) {
  Problem<TypeParam> problem({.sharpness = 2.0}, BoundKind::kLocal, 4);
  std::vector<Datum> chosen{20, 3, 8, 0, 23, 11, 5, 14};
  problem.set_beacons(chosen, {.shells = {0.5}, .threads = 1});
  const Bounds& bounds = problem.bounds;
  std::size_t within = 0;
  for (std::size_t i = 0; i < bounds.beacons.size(); ++i) {
    const Datum n = bounds.beacons.rows[i];
    EXPECT_TRUE(bounds.is_beacon(n));
    EXPECT_EQ(bounds.coins.slack(n), 0.0);
    EXPECT_TRUE(i == 0 ||
                bounds.tangents.reach(bounds.beacons.rows[i - 1]) <= bounds.tangents.reach(n));
    within += bounds.tangents.reach(n) <= 1.0 ? 1U : 0U;
  }
  EXPECT_EQ(bounds.beacons.parabolic_count, within);
  EXPECT_GT(within, 0U);  // else the problem says nothing
  EXPECT_LT(within, chosen.size());
  std::vector<Datum> sorted = bounds.beacons.rows;
  std::sort(sorted.begin(), sorted.end());
  std::sort(chosen.begin(), chosen.end());
  EXPECT_EQ(sorted, chosen);
  for (Datum n = 0; n < 24; ++n) {
    EXPECT_EQ(bounds.is_beacon(n), std::binary_search(chosen.begin(), chosen.end(), n)) << n;
  }
}

TYPED_TEST(LocalBoundsOf, TheModelIsTheSameToTheBitForAnyNumberOfThreads) {
  Problem<TypeParam> problem({.rows = 3001, .columns = 4, .sharpness = 300.0}, BoundKind::kLocal);
  const Bounds three =
      make_local_bounds(problem.model, problem.data, problem.anchor, {.threads = 3});
  EXPECT_EQ(three.light.constant(), problem.bounds.light.constant());
  EXPECT_EQ(three.light.linear(), problem.bounds.light.linear());
  EXPECT_EQ(three.light.precision(), problem.bounds.light.precision());
  EXPECT_EQ(three.tangents.rows->leverage, problem.bounds.tangents.rows->leverage);
  EXPECT_EQ(three.coins.expected_bright, problem.bounds.coins.expected_bright);
  for (Datum n = 0; n < 3001; ++n) {
    ASSERT_EQ(three.coins.rates.rate(n), problem.bounds.coins.rates.rate(n));
  }
}

// Rows given several times and the same rows merged into one with a weight.
TYPED_TEST(LocalBoundsOf, TheModelDoesNotSeeWhetherEqualRowsWereMerged) {
  Problem<TypeParam> problem({.rows = 10, .weights = false, .sharpness = 30.0}, BoundKind::kLocal);
  Table repeated = problem.table;
  const std::size_t d = problem.shape.columns;
  for (std::size_t copy = 0; copy < 25; ++copy) {
    const std::size_t n = copy * copy % 7;
    for (std::size_t j = 0; j < d; ++j) {
      repeated.x.push_back(double{repeated.x[n * d + j]});
    }
    repeated.response.values.push_back(double{repeated.response.values[n]});
    repeated.offset.push_back(double{repeated.offset[n]});
  }
  repeated.rows += 25;
  Table merged = repeated;
  std::ignore = merge_equal_rows(merged, 1);
  ASSERT_EQ(merged.rows, 10U);
  const Dataset many(repeated, problem.options);
  const Dataset few(merged, problem.options);
  const Bounds a = make_local_bounds(problem.model, many, problem.anchor, {.threads = 1});
  const Bounds b = make_local_bounds(problem.model, few, problem.anchor, {.threads = 1});
  const double size = a.light.precision().norm();
  EXPECT_NEAR(a.light.constant(), b.light.constant(), 1e-6 * std::abs(a.light.constant()));
  EXPECT_LT((a.light.linear() - b.light.linear()).norm(), 1e-12 * (1.0 + a.light.linear().norm()));
  EXPECT_LT((a.light.precision() - b.light.precision()).norm(), 1e-12 * size);
  EXPECT_NEAR(a.coins.expected_bright, b.coins.expected_bright,
              1e-6 * a.coins.expected_bright);  // rates are floats
}

// e^(a + r R) overflows in the widest shell, or it is so large that the sums would lose their
// digits: no parabola, so the datum may never go dark, whatever its weight.
void expect_beacon_of_reach(double reach) {
  for (const double weight : {0.01, 0.5, 1.0, 3.0, 1e9}) {
    Problem<unit::PoissonCase> problem(
        {.rows = 12, .columns = 1, .intercept = false, .standardise = false, .offset = false},
        BoundKind::kLocal);
    problem.table.x[5] = reach;
    problem.table.response.values[5] = 0.0;
    problem.table.weights[5] = weight;
    problem.data = Dataset(problem.table, problem.options);
    problem.anchor.theta[0] = -0.01;
    problem.anchor.precision(0, 0) = 9.0;
    problem.set_beacons({2}, {.threads = 1});
    std::vector<Datum> beacons = problem.bounds.beacons.rows;
    std::sort(beacons.begin(), beacons.end());
    EXPECT_EQ(beacons, (std::vector<Datum>{2, 5})) << weight;
    EXPECT_TRUE(std::isfinite(problem.bounds.light.constant()));
    EXPECT_LT(problem.bounds.coins.expected_bright, 1e3);
    Vector product(1);
    const Reals theta{problem.anchor.theta[0] + 0.3L};
    const auto expected = static_cast<double>(problem.log_bounds_in(0, theta));
    EXPECT_NEAR(problem.bounds.light.evaluate(Vector::Constant(1, 0.3), product, nullptr), expected,
                1e-9 * (1.0 + std::abs(expected)) + 1e-14 * weight)
        << weight;
  }
}

TEST(LocalBounds, APoissonDatumWithoutAFiniteBoundBecomesABeacon) {
  for (const double x : {15.0, 40.0, 150.0, 300.0, 3000.0}) {
    SCOPED_TRACE(::testing::Message() << "x " << x);
    expect_beacon_of_reach(x);
  }
}

struct CauchyDensity {
  template <class T>
  [[nodiscard]] T log_density(const T& eta, double y) const {
    return -log(1.0 + (y - eta) * (y - eta));
  }
};

// Ten parameters, of which the first moves a row by this much; all else stands still.
Dataset row_of_leverage(double leverage) {
  Table table;
  table.rows = 2;
  table.columns.assign(10, "x");
  table.x.assign(20, 0.0);
  table.x[0] = leverage;
  table.response.values = {3.0, 0.5};
  return {std::move(table), {.intercept = false, .center = {}, .scale = {}}};
}
Anchor ten_at_zero() {
  Anchor anchor;
  anchor.theta = Vector::Zero(10);
  anchor.precision = Matrix::Identity(10, 10);
  return anchor;
}

// A derived curvature is found piece by piece and may be missing in a shell between two that have
// one: there it is that of the wider one, whose region holds this one.
TEST(LocalBounds, ARowWithoutABoundInAMiddleShellHasTheWiderOnes) {
  const Automatic<CauchyDensity> model;
  const Dataset data = row_of_leverage(1.3613);
  const LocalPass pass =
      local_pass(model, data, ten_at_zero(), {.shells = {2.5, 4.0, 8.0}, .threads = 1});
  const Touch touch = pass.tangents.touch(0, 3.0);
  double scratch = 0.0;
  double bend[3];
  std::vector<bool> own;
  for (int shell = 0; shell < 3; ++shell) {
    own.push_back(
        detail::region_curvature(model, pass.tangents, touch, shell, &scratch, &bend[shell]));
    EXPECT_TRUE(shell_curvature(model, pass.tangents, touch, shell, &scratch, &bend[shell]));
  }
  ASSERT_EQ(own, (std::vector<bool>{true, false, true}));  // else the row says nothing
  EXPECT_EQ(bend[1], bend[2]);
  EXPECT_NE(bend[0], bend[1]);
  EXPECT_TRUE(CoinRate(pass.rates[0]).has_bound());
  EXPECT_TRUE(CoinRate(pass.rates[1]).has_bound());
}

// A Poisson row that has a tangent in the innermost shell and none in the widest adds none to the
// sums: what was found on the way is forgotten.
TEST(LocalBounds, ARowWithoutABoundInTheWidestShellAddsNone) {
  const Poisson model;
  Table table;
  table.rows = 3;
  table.columns = {"x"};
  table.x = {8.0, 1.0, 0.5};
  table.response.values = {0.0, 1.0, 2.0};
  const Dataset data(std::move(table), {.intercept = false, .center = {}, .scale = {}});
  Anchor anchor;
  anchor.theta = Vector::Constant(1, -0.01);
  anchor.precision = Matrix::Constant(1, 1, 9.0);
  const LocalPass pass = local_pass(model, data, anchor, {.threads = 1});
  double scratch = 0.0;
  double bend = 0.0;
  const Touch touch = pass.tangents.touch(0, 0.0);
  ASSERT_TRUE(detail::region_curvature(model, pass.tangents, touch, 0, &scratch, &bend));
  EXPECT_FALSE(CoinRate(pass.rates[0]).has_bound());
  EXPECT_LT(pass.sum.precision()(0, 0), 3.0);
}

// No gap at the points where its mean is taken.
struct GapOfNoNumber : Automatic<CauchyDensity> {
  [[nodiscard]] static double remainder(double /*anchor*/, double /*u*/, double /*response*/,
                                        double& slope) noexcept {
    return slope = std::nan("");
  }
};

TEST(LocalBounds, ARowWhoseExpectedGapIsNoNumberIsAskedInEverySweep) {
  const GapOfNoNumber model;
  const Dataset data = row_of_leverage(0.1);
  const LocalPass pass = local_pass(model, data, ten_at_zero(), {.threads = 1});
  EXPECT_EQ(pass.rates[0], 20.0F);
  EXPECT_NE(pass.sum.precision()(0, 0), 0.0);  // its curvature is there, so its coin must be too
  EXPECT_TRUE(with_beacons(model, data, pass, {}, 1).beacons.empty());
}

TEST(LocalBounds, WidenTheRegionByADecrementAboveOneUnlessItWasASample) {
  Problem<unit::LogisticCase> problem({}, BoundKind::kLocal);
  const double root = std::sqrt(4.0);
  EXPECT_EQ(problem.bounds.tangents.shells.radii,
            (std::vector<double>{root + 2.5, root + 4.0, root + 8.0}));
  problem.anchor.decrement = 3.0;
  EXPECT_EQ(local_pass(problem.model, problem.data, problem.anchor, {}).tangents.shells.radii[0],
            root + 2.5 + 3.0);
  problem.anchor.sampled = true;
  EXPECT_EQ(local_pass(problem.model, problem.data, problem.anchor, {}).tangents.shells.radii[0],
            root + 2.5);
}

// P(chi_D > R) of an even number of degrees of freedom: e^-x sum_{k < D/2} x^k / k!, x = R^2 / 2.
double chi_tail(double radius, Index even) {
  const double x = 0.5 * radius * radius;
  double term = std::exp(-x);
  double sum = 0.0;
  for (Index k = 0; k < even / 2; term *= x / static_cast<double>(++k)) {
    sum += term;
  }
  return sum;
}

TEST(LocalBounds, AreLeftOnceInAsManyDrawsAsThereAreRows) {
  for (const Index d : {2, 4, 10, 50, 300}) {
    for (const std::size_t rows :
         {std::size_t{10'000}, std::size_t{1'000'000}, std::size_t{1} << 33}) {
      const auto offsets = shell_offsets(rows, d);
      const double visits =
          static_cast<double>(rows) * chi_tail(std::sqrt(static_cast<double>(d)) + offsets[0], d);
      EXPECT_LE(visits, 1.0) << d << " " << rows;
      EXPECT_GE(visits, 0.01) << d << " " << rows;
    }
    EXPECT_EQ(shell_offsets(500, d), (std::vector<double>{2.5, 4.0, 8.0}));
  }
}

#ifdef __GLIBC__
TEST(LocalBounds, KeepAtMost32BytesARowOfOnePredictor) {
  constexpr std::size_t kRows = 200'000;
  const Problem<unit::LogisticCase> problem(
      {.rows = kRows, .columns = 1, .weights = false, .offset = false, .sharpness = 1e4},
      BoundKind::kMapTuned);
  const auto in_use = [] {
    const auto info = mallinfo2();
    return info.uordblks + info.hblkhd;
  };
  const std::size_t before = in_use();
  const Bounds bounds =
      make_local_bounds(problem.model, problem.data, problem.anchor, {.threads = 1});
  EXPECT_LE(in_use(), before + 32 * kRows);
  EXPECT_EQ(bounds.coins.rates.rows(), kRows);
}
#endif

TEST(Eagerness, GrowsWithTheRootOfWhatCoinsDoNotPay) {
  EXPECT_EQ(detail::eagerness(500, 0, 80.0), 1.0);
  EXPECT_DOUBLE_EQ(detail::eagerness(500, 240, 80.0), 2.0);
  EXPECT_EQ(detail::eagerness(500, 1'000'000, 80.0), 4.0);
  EXPECT_EQ(detail::eagerness(127, 240, 80.0), 1.0);  // narrow
  EXPECT_EQ(detail::eagerness(500, 240, 0.0), 1.0);   // no coins
}

}  // namespace
}  // namespace flymc
