// A normal response with groups: its log density against the definition, and whole chains against
// quadrature over the scales, the Gaussian part of which is dense linear algebra from the rows.
#include <gtest/gtest.h>

#include <cmath>

#include "groups/normal_quadrature.hpp"

namespace flymc {
namespace {

// Levels of 2, 4 and 7 rows, offsets, weights, a column; slopes of the column where asked for.
struct NormalRows {
  NormalRows(std::size_t varying, const SharedLaws& noise,
             const PriorTerm& law = {.kind = PriorKind::kHalfNormal, .scale = 1.5})
      : data(make_table(), {}),
        grouping(data, data.factors()[0], term(varying)),
        model(&test::as_it_is),
        prior{Vector::Constant(2, 0.3), Vector::Constant(2, 0.2)},
        scales(std::vector<PriorTerm>(varying, law), true, noise),
        problem{data, grouping, model, prior, scales} {}

  static GroupTerm term(std::size_t varying) {
    GroupTerm term{.factor = "g"};
    if (varying > 1) {
      term.slopes = {"a"};
    }
    return term;
  }
  static Table make_table() {
    constexpr double kLevels[] = {-1.0, 0.3, 1.2};
    Stream stream(23, 0, Purpose::kTest, 0);
    Table table;
    table.columns = {"a"};
    table.factors = {{"g", {"p", "q", "r"}, {2, 1, 0, 2, 2, 1, 2, 0, 2, 1, 2, 1, 2}}};
    for (const std::uint32_t code : table.factors[0].codes) {
      table.x.push_back(stream.normal());
      table.offset.push_back(0.8 * stream.normal());
      table.weights.push_back(1.0 + static_cast<double>(stream.below(2)));
      table.response.values.push_back(0.2 + kLevels[code] + 0.5 * table.x.back() +
                                      table.offset.back() + 0.7 * stream.normal());
    }
    table.rows = table.offset.size();
    return table;
  }

  // One row's (x, w of its level among all): its predictor is this times (beta, u).
  [[nodiscard]] Vector row(std::size_t n) const {
    const Index p = data.columns(), q = grouping.size();
    Vector scratch(p), x(p), w(q);
    const double* const raw = data.row(n, scratch.data()).raw;
    data.standardise(raw, x.data());
    grouping.copy(raw, w.data());
    Vector all = Vector::Zero(p + q * static_cast<Index>(grouping.levels()));
    all.head(p) = x;
    all.segment(p + q * static_cast<Index>(grouping.level(n)), q) = w;
    return all;
  }

  Dataset data;
  Grouping grouping;
  GaussianModel model;
  FixedPrior prior;
  GroupScales scales;
  GroupProblem problem;
};

const SharedLaws kUnknown{.laws = {PriorTerm{.kind = PriorKind::kExponential, .scale = 0.8}}};
const SharedLaws kKnown{.laws = {}, .log_sigma = std::log(0.6)};

double log_posterior(const NormalRows& rows, const Vector& theta) {
  const Index p = 2, q = rows.grouping.size();
  const Index size = p + q * static_cast<Index>(rows.grouping.levels());
  const Vector coefficients = theta.head(size), psi = theta.tail(rows.scales.size());
  const double log_sigma = rows.scales.log_sigma(psi);
  const Matrix k = rows.scales.factor(psi);
  const Matrix sigma = k * k.transpose();
  double sum = rows.scales.log_prior_of_levels(psi);
  if (rows.scales.infers_sigma()) {
    sum += log_sigma - std::exp(log_sigma) / 0.8;
  }
  const Vector off = coefficients.head(p) - rows.prior.mean;
  sum -= 0.5 * rows.prior.precision.dot(off.cwiseAbs2().eval());
  for (Index g = 0; g < static_cast<Index>(rows.grouping.levels()); ++g) {
    const Vector u = coefficients.segment(p + g * q, q);
    sum -= 0.5 * (u.dot(sigma.ldlt().solve(u)) + std::log(sigma.determinant()));
  }
  for (std::size_t n = 0; n < rows.data.rows(); ++n) {
    const double off_row =
        rows.data.response(n) - rows.data.offset(n) - rows.row(n).dot(coefficients);
    sum -= rows.data.weight(n) * (log_sigma + 0.5 * off_row * off_row * std::exp(-2.0 * log_sigma));
  }
  return sum;
}

TEST(NormalGroups, LogDensityIsAsDefined) {
  for (const std::size_t varying : {1U, 2U}) {
    for (const SharedLaws& noise : {kUnknown, kKnown}) {
      const NormalRows rows(varying, noise);
      const NormalArrow arrow(rows.problem, Vector::Zero(2), 1);
      NormalTarget target({rows.problem, arrow});
      Point point(target.dimension());
      Stream stream(3, 0, Purpose::kTest, 0);
      Vector theta(target.dimension()), back;
      double constant = 0.0;
      for (int i = 0; i < 50; ++i) {
        for (double& value : theta) {
          value = 0.7 * stream.normal();
        }
        target.from_theta(theta, point);
        target.evaluate(point, Order::kValue);
        target.to_theta(point, back);
        EXPECT_LT((back - theta).cwiseAbs().maxCoeff(), 1e-11);
        const double defined = log_posterior(rows, theta);
        constant = i == 0 ? defined - point.log_density : constant;
        ASSERT_NEAR(defined - point.log_density, constant, 1e-9) << i;
      }
    }
  }
}

// The marginal keeps its digits where levels scatter 10^6 times as much as rows, and where they do
// not scatter at all.
TEST(NormalGroups, MarginalKeepsItsDigitsAtTheEdges) {
  const NormalRows rows(1, kUnknown, {.kind = PriorKind::kHalfT, .shape = 3.0});
  const NormalArrow arrow(rows.problem, Vector::Zero(2), 1);
  NormalPlace place(rows.problem.shape());
  Vector psi(2);
  psi << -40.0, -0.3;
  ASSERT_TRUE(arrow.set_scales(psi, place));
  const double at_none = place.log_marginal - rows.scales.log_prior(psi);
  psi[0] = -30.0;
  ASSERT_TRUE(arrow.set_scales(psi, place));
  EXPECT_NEAR(place.log_marginal - rows.scales.log_prior(psi), at_none, 1e-11);
  // levels of a flat prior: one more factor of tau for each
  psi[0] = 14.0;
  ASSERT_TRUE(arrow.set_scales(psi, place));
  const double wide = place.log_marginal - rows.scales.log_prior(psi);
  psi[0] = 15.0;
  ASSERT_TRUE(arrow.set_scales(psi, place));
  EXPECT_NEAR(place.log_marginal - rows.scales.log_prior(psi), wide - 3.0, 1e-9);
}

// --- quadrature ---

Vector quadrature(const NormalRows& rows, const std::vector<test::GridAxis>& axes) {
  const auto levels = static_cast<Index>(rows.grouping.levels());
  const Index q = rows.grouping.size();
  test::DenseRows dense{Matrix(static_cast<Index>(rows.data.rows()), 2 + q * levels),
                        Vector(static_cast<Index>(rows.data.rows())),
                        Vector(static_cast<Index>(rows.data.rows()))};
  for (std::size_t n = 0; n < rows.data.rows(); ++n) {
    const auto at = static_cast<Index>(n);
    dense.v.row(at) = rows.row(n).transpose();
    dense.y[at] = rows.data.response(n) - rows.data.offset(n);
    dense.weight[at] = rows.data.weight(n);
  }
  const auto prior = [&](const Vector& psi) -> test::LevelsPrior {
    const Matrix k = rows.scales.factor(psi);
    const Matrix lambda = (k * k.transpose()).inverse();
    Matrix precision = Matrix::Zero(q * levels, q * levels);
    for (Index g = 0; g < levels; ++g) {
      precision.block(g * q, g * q, q, q) = lambda;
    }
    return {precision, -static_cast<double>(levels) * k.diagonal().array().log().sum()};
  };
  const auto log_prior = [&](const Vector& psi) {
    const double log_sigma = psi[psi.size() - 1];
    return rows.scales.log_prior_of_levels(psi) + log_sigma - std::exp(log_sigma) / 0.8;
  };
  return test::normal_quadrature(dense, rows.prior, prior, log_prior, axes);
}

TEST(NormalGroupsQuadrature, ChainHasTheMomentsOfThePosterior) {
  const NormalRows rows(1, kUnknown);
  const NormalArrow arrow(rows.problem, Vector::Zero(2), 1);
  const NormalSetting setting{rows.problem, arrow};
  const Vector expected = quadrature(rows, {{-14.0, 3.0, 400}, {-2.5, 2.0, 200}});
  test::expect_normal_moments(setting, expected, NormalMoveSet{});
  test::expect_normal_moments(setting, expected, NormalMoveSet{.centred = false});
  // scales given three levels are slow to leave small ones: batches must be long
  test::expect_normal_moments(setting, expected, NormalMoveSet{.collapsed = false}, 1'000'000);
}

TEST(NormalGroupsQuadrature, SlopesHaveTheMomentsOfThePosterior) {
  const NormalRows rows(2, kUnknown);
  const NormalArrow arrow(rows.problem, Vector::Zero(2), 1);
  const Vector expected =
      quadrature(rows, {{-10.0, 2.5, 28}, {-10.0, 2.5, 28}, {-6.0, 6.0, 24}, {-2.2, 1.5, 20}});
  test::expect_normal_moments(NormalSetting{rows.problem, arrow}, expected, NormalMoveSet{});
}

}  // namespace
}  // namespace flymc
