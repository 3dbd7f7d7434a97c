// Correlated coefficients beside another factor, (1 + x | g) + (1 | h): the log density against its
// definition, whole chains of a normal response against quadrature over the scales, and every move
// by itself for logistic rows, with regions so small that levels leave them all the time.
#include <gtest/gtest.h>

#include <cmath>

#include "flymc/family/logistic.hpp"
#include "groups/normal_quadrature.hpp"
#include "groups/one_step.hpp"

namespace flymc {
namespace {

constexpr double kKnownSigma = 0.6;

// Three levels of g, two of h, seventeen rows with x and an intercept.
Table correlated_table(bool normal) {
  constexpr double kIntercepts[] = {-0.9, 0.2, 1.0}, kSlopes[] = {-0.6, 0.3, 0.5};
  constexpr double kOthers[] = {0.4, -0.5};
  Stream stream(37, 0, Purpose::kTest, 0);
  Table table;
  table.columns = {"x"};
  table.factors = {{"g", {"1", "2", "3"}, {}}, {"h", {"1", "2"}, {}}};
  for (std::size_t n = 0; n < 17; ++n) {
    const auto g = static_cast<std::uint32_t>(stream.below(3));
    const auto h = static_cast<std::uint32_t>(stream.below(2));
    table.factors[0].codes.push_back(g);
    table.factors[1].codes.push_back(h);
    table.x.push_back(stream.normal());
    table.offset.push_back(0.5 * stream.normal());
    const double eta = 0.3 + table.offset.back() + kIntercepts[g] + kOthers[h] +
                       (0.2 + kSlopes[g]) * table.x.back();
    table.response.values.push_back(normal ? eta + kKnownSigma * stream.normal()
                                    : Logistic{}.sample(stream, eta, {}) > 0.0 ? 1.0
                                                                               : -1.0);
  }
  table.rows = table.offset.size();
  return table;
}

struct Correlated {
  explicit Correlated(std::unique_ptr<RowModel> a_model)
      : model(std::move(a_model)),
        data(correlated_table(model->is_gaussian()), {}),
        memberships(data, data.factors(), {{.factor = "g", .slopes = {"x"}}, {.factor = "h"}}),
        prior{Vector::Constant(2, 0.3), Vector::Constant(2, 0.2)},
        scales(std::vector<PriorTerm>(3, {.kind = PriorKind::kHalfNormal, .scale = 1.0}), {2, 1},
               {.log_sigma = model->is_gaussian() ? std::log(kKnownSigma) : 0.0}),
        problem{data, memberships, *model, prior, scales} {}

  // Of (intercepts, slopes, levels of h) given psi = (three log scales, y): written down.
  [[nodiscard]] static test::LevelsPrior levels_prior(const Vector& psi) {
    const double rho = std::tanh(psi[3]), a = std::exp(psi[0]), b = std::exp(psi[1]);
    const double rest = 1.0 - rho * rho;
    test::LevelsPrior out{Matrix::Zero(8, 8), 0.0};
    for (Index g = 0; g < 3; ++g) {
      out.precision(g, g) = 1.0 / (a * a * rest);
      out.precision(3 + g, 3 + g) = 1.0 / (b * b * rest);
      out.precision(g, 3 + g) = out.precision(3 + g, g) = -rho / (a * b * rest);
      out.half_log_det -= std::log(a) + std::log(b) + 0.5 * std::log(rest);
    }
    for (Index h = 6; h < 8; ++h) {
      out.precision(h, h) = std::exp(-2.0 * psi[2]);
      out.half_log_det -= psi[2];
    }
    return out;
  }
  // Half-normal scales; the correlation uniform, which is (1 - rho^2) in y.
  [[nodiscard]] static double log_prior(const Vector& psi) {
    double sum = std::log1p(-std::pow(std::tanh(psi[3]), 2));
    for (Index t = 0; t < 3; ++t) {
      sum += psi[t] - 0.5 * std::exp(2.0 * psi[t]);
    }
    return sum;
  }
  // Predictors of all rows at (fixed effects, levels).
  [[nodiscard]] Matrix rows() const {
    Matrix v = Matrix::Zero(static_cast<Index>(data.rows()), 10);
    double scratch = 0.0;
    for (std::size_t n = 0; n < data.rows(); ++n) {
      const auto row = static_cast<Index>(n);
      const double x = data.row(n, &scratch).raw[0];
      const auto g = static_cast<Index>(data.factors()[0].codes[n]);
      v(row, 0) = 1.0;
      v(row, 1) = x;
      v(row, 2 + g) = 1.0;
      v(row, 5 + g) = x;
      v(row, 8 + static_cast<Index>(data.factors()[1].codes[n])) = 1.0;
    }
    return v;
  }

  std::unique_ptr<RowModel> model;
  Dataset data;
  Memberships memberships;
  FixedPrior prior;
  GroupScales scales;
  CrossedProblem problem;
};

std::unique_ptr<RowModel> normal_model() {
  return std::make_unique<GaussianModel>(&test::as_it_is);
}
std::unique_ptr<RowModel> logistic_model() {
  return std::make_unique<RowModelOf<Logistic>>(Logistic{});
}

TEST(CorrelatedCrossed, LogDensityIsAsDefined) {
  for (const bool normal : {true, false}) {
    const Correlated rows(normal ? normal_model() : logistic_model());
    const CrossedBounds bounds =
        make_crossed_bounds(rows.problem, Vector::Zero(2), {.rows = {.all_beacons = !normal}});
    CrossedTarget target({rows.problem, bounds});
    const Matrix v = rows.rows();
    Point point(target.dimension());
    Stream stream(3, 0, Purpose::kTest, 0);
    Vector theta(target.dimension());
    ASSERT_EQ(theta.size(), 2 + 8 + 4);
    double constant = 0.0;
    for (int i = 0; i < 50; ++i) {
      for (double& value : theta) {
        value = 0.7 * stream.normal();
      }
      target.from_theta(theta, point);
      target.evaluate(point, Order::kValue);
      const Vector psi = theta.tail(4), all = theta.head(10);
      const Vector off = all.head(2) - rows.prior.mean, u = all.tail(8);
      const test::LevelsPrior levels = Correlated::levels_prior(psi);
      double defined = Correlated::log_prior(psi) + levels.half_log_det -
                       0.5 * u.dot(levels.precision * u) -
                       0.5 * rows.prior.precision.dot(off.cwiseAbs2().eval());
      const Vector eta = v * all;
      for (std::size_t n = 0; n < rows.data.rows(); ++n) {
        const double at = rows.data.offset(n) + eta[static_cast<Index>(n)];
        const double y = rows.data.response(n);
        defined +=
            normal ? -0.5 * std::pow((y - at) / kKnownSigma, 2) : -std::log1p(std::exp(-y * at));
      }
      constant = i == 0 ? defined - point.log_density : constant;
      ASSERT_NEAR(defined - point.log_density, constant, 1e-8) << i;
    }
  }
}

// Two coefficients of one level that count alike in every row could be traded, but their prior ties
// them: a nest is of two priors that do not know of each other.
TEST(CorrelatedCrossed, NoNestIsWithinOneBlock) {
  Table table = correlated_table(false);
  std::ranges::fill(table.x, 1.0);
  const Dataset data(std::move(table), {});
  const auto nests = [&](std::vector<Index> blocks) {
    const Memberships memberships(data, data.factors(),
                                  {{.factor = "g", .slopes = {"x"}}, {.factor = "h"}});
    const auto model = std::make_unique<RowModelOf<Logistic>>(Logistic{});
    const FixedPrior prior{Vector::Zero(2), Vector::Ones(2)};
    const GroupScales scales(
        std::vector<PriorTerm>(3, {.kind = PriorKind::kHalfNormal, .scale = 1.0}),
        std::move(blocks));
    const CrossedProblem problem{data, memberships, *model, prior, scales};
    return make_crossed_bounds(problem, Vector::Zero(2), {.few_levels = 0}).nests.size();
  };
  EXPECT_EQ(nests({2, 1}), 0U);
  EXPECT_EQ(nests({1, 1, 1}), 6U);
}

// Means and squares of coefficients and psi.
Vector correlated_quadrature() {
  const Correlated rows(normal_model());
  const auto n = static_cast<Index>(rows.data.rows());
  test::DenseRows dense{rows.rows(), Vector(n), Vector::Ones(n)};
  for (Index i = 0; i < n; ++i) {
    const auto row = static_cast<std::size_t>(i);
    dense.y[i] = rows.data.response(row) - rows.data.offset(row);
  }
  // sigma is a number: a grid of one
  const auto with_sigma = [](const Vector& psi) { return Vector(psi.head(4)); };
  const Vector moments = test::normal_quadrature(
      dense, rows.prior,
      [&](const Vector& psi) { return Correlated::levels_prior(with_sigma(psi)); },
      [&](const Vector& psi) { return Correlated::log_prior(with_sigma(psi)); },
      {{-8.0, 1.9, 26},
       {-8.0, 1.9, 26},
       {-8.0, 1.9, 26},
       {-4.0, 4.0, 25},
       {std::log(kKnownSigma), std::log(kKnownSigma) + 1e-12, 2}});
  Vector out(28);
  out << moments.head(14), moments.segment(15, 14);
  return out;
}

TEST(CorrelatedCrossedQuadrature, ChainHasTheMomentsOfThePosterior) {
  const Vector expected = correlated_quadrature();
  const Correlated rows(normal_model());
  for (const std::size_t few : {0, 2, 50}) {
    const CrossedBounds bounds =
        make_crossed_bounds(rows.problem, Vector::Zero(2), {.few_levels = few});
    test::expect_normal_moments(CrossedSetting{rows.problem, bounds}, expected, CrossedMoveSet{});
  }
}

// Draws of all rows, by moves that the moments above have checked but for rows; then each move
// alone with coins.
TEST(CorrelatedCrossed, EveryMoveIsStationary) {
  const Correlated rows(logistic_model());
  const Vector start = Vector::Zero(2);
  const CrossedBounds all =
      make_crossed_bounds(rows.problem, start, {.rows = {.all_beacons = true}, .few_levels = 0});
  const std::vector<Vector> draws =
      test::posterior_draws(CrossedSetting{rows.problem, all}, test::wanted(8'000));
  constexpr CrossedMoveSet kNone{false, false, false, false, false, false, false};
  CrossedMoveSet levels = kNone, block = kNone, centred = kNone, collapsed = kNone,
                 proportional = kNone;
  levels.levels = block.block = centred.centred = collapsed.collapsed = proportional.proportional =
      true;
  for (const std::size_t few : {0, 50}) {
    const CrossedBounds bounds = make_crossed_bounds(
        rows.problem, start,
        {.rows = {.level_radius = 0.8, .fixed_radius = 0.8, .beacons = false}, .few_levels = few});
    const CrossedSetting setting{rows.problem, bounds};
    for (const CrossedMoveSet& moves :
         {levels, block, centred, collapsed, proportional, CrossedMoveSet{}}) {
      test::expect_stationary<CrossedTarget, CrossedMoves>(setting, draws, moves);
    }
  }
}

}  // namespace
}  // namespace flymc
