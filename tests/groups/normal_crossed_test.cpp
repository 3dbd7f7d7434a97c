// A normal response whose rows have several levels: the log density against its definition, and
// whole chains against quadrature over two scales and sigma. Crossed, nested and signed.
#include <gtest/gtest.h>

#include <cmath>

#include "groups/normal_quadrature.hpp"

namespace flymc {
namespace {

enum class NormalDesign { kCrossed, kNested, kSigned };

// Three levels of each factor, or three and five within them, or three players.
struct NormalMembers {
  explicit NormalMembers(NormalDesign design)
      : data(make_table(design), {}),
        memberships(data, data.factors(), terms(design)),
        model(&test::as_it_is),
        prior{Vector::Constant(2, 0.3), Vector::Constant(2, 0.2)},
        scales(std::vector<PriorTerm>(memberships.terms(),
                                      {.kind = PriorKind::kHalfNormal, .scale = 1.0}),
               false, {.laws = {PriorTerm{.kind = PriorKind::kExponential, .scale = 0.8}}}),
        problem{data, memberships, model, prior, scales} {}

  static std::vector<GroupTerm> terms(NormalDesign design) {
    if (design == NormalDesign::kSigned) {
      return {{.factor = "a-b", .members = {{{"a"}}, {{"b"}, -1.0}}}};
    }
    return {{.factor = "a"}, {.factor = "b"}};
  }
  static Table make_table(NormalDesign design) {
    constexpr double kFirst[] = {-0.9, 0.2, 1.0}, kSecond[] = {0.6, -0.5, 0.1, 0.3, -0.2};
    constexpr std::uint32_t kOuter[] = {0, 0, 1, 2, 2};
    const bool nested = design == NormalDesign::kNested;
    Stream stream(29, 0, Purpose::kTest, 0);
    Table table;
    table.columns = {"x"};
    table.factors = {{"a", {"1", "2", "3"}, {}}, {"b", {"1", "2", "3"}, {}}};
    if (nested) {
      table.factors[1].labels = {"1", "2", "3", "4", "5"};
    }
    for (std::size_t n = 0; n < 17; ++n) {
      const auto b = static_cast<std::uint32_t>(stream.below(nested ? 5 : 3));
      const auto a = nested ? kOuter[b] : static_cast<std::uint32_t>(stream.below(3));
      table.factors[0].codes.push_back(a);
      table.factors[1].codes.push_back(b);
      table.x.push_back(stream.normal());
      table.offset.push_back(0.5 * stream.normal());
      table.weights.push_back(1.0 + static_cast<double>(stream.below(2)));
      table.response.values.push_back(0.4 + kFirst[a] + kSecond[b] + 0.3 * table.x.back() +
                                      table.offset.back() + 0.6 * stream.normal());
    }
    table.rows = table.offset.size();
    return table;
  }

  [[nodiscard]] test::DenseRows dense() const {
    const auto rows = static_cast<Index>(data.rows());
    test::DenseRows out{Matrix::Zero(rows, problem.size()), Vector(rows), Vector(rows)};
    MemberReader reader(data, memberships);
    for (Index n = 0; n < rows; ++n) {
      const auto row = static_cast<std::size_t>(n);
      reader.read(row);
      out.v.row(n).head(2) = ConstVectorView(reader.x().data(), 2).transpose();
      for (const Member& member : reader.members()) {
        out.v(n, 2 + static_cast<Index>(member.level)) += member.weight;
      }
      out.y[n] = data.response(row) - data.offset(row);
      out.weight[n] = data.weight(row);
    }
    return out;
  }
  [[nodiscard]] test::LevelsPrior levels_prior(const Vector& psi) const {
    const auto levels = static_cast<Index>(memberships.levels());
    test::LevelsPrior out{Matrix::Zero(levels, levels), 0.0};
    for (Index level = 0; level < levels; ++level) {
      const double l =
          psi[static_cast<Index>(memberships.term_of(static_cast<std::size_t>(level)))];
      out.precision(level, level) = std::exp(-2.0 * l);
      out.half_log_det -= l;
    }
    return out;
  }
  [[nodiscard]] double log_prior(const Vector& psi) const {
    const double log_sigma = psi[psi.size() - 1];
    double sum = log_sigma - std::exp(log_sigma) / 0.8;
    for (Index t = 0; t + 1 < psi.size(); ++t) {
      sum += psi[t] - 0.5 * std::exp(2.0 * psi[t]);
    }
    return sum;
  }

  Dataset data;
  Memberships memberships;
  GaussianModel model;
  FixedPrior prior;
  GroupScales scales;
  CrossedProblem problem;
};

TEST(NormalCrossed, LogDensityIsAsDefined) {
  for (const NormalDesign design :
       {NormalDesign::kCrossed, NormalDesign::kNested, NormalDesign::kSigned}) {
    const NormalMembers rows(design);
    const CrossedBounds bounds = make_crossed_bounds(rows.problem, Vector::Zero(2), {});
    CrossedTarget target({rows.problem, bounds});
    const test::DenseRows dense = rows.dense();
    Point point(target.dimension());
    Stream stream(3, 0, Purpose::kTest, 0);
    Vector theta(target.dimension());
    double constant = 0.0;
    for (int i = 0; i < 50; ++i) {
      for (double& value : theta) {
        value = 0.7 * stream.normal();
      }
      target.from_theta(theta, point);
      target.evaluate(point, Order::kValue);
      const Vector psi = theta.tail(rows.scales.size()), all = theta.head(rows.problem.size());
      const Vector u = all.tail(all.size() - 2), off = all.head(2) - rows.prior.mean;
      const double log_sigma = psi[psi.size() - 1];
      const test::LevelsPrior of_levels = rows.levels_prior(psi);
      const Vector residual = dense.y - dense.v * all;
      const double defined =
          rows.log_prior(psi) - 0.5 * rows.prior.precision.dot(off.cwiseAbs2().eval()) -
          0.5 * u.dot(of_levels.precision * u) + of_levels.half_log_det -
          dense.weight.sum() * log_sigma -
          0.5 * dense.weight.dot(residual.cwiseAbs2().eval()) * std::exp(-2.0 * log_sigma);
      constant = i == 0 ? defined - point.log_density : constant;
      ASSERT_NEAR(defined - point.log_density, constant, 1e-9) << i;
    }
  }
}

void expect_moments(NormalDesign design, const CrossedOptions& options, const Vector& expected,
                    const CrossedMoveSet& moves = {}) {
  const NormalMembers rows(design);
  const CrossedBounds bounds = make_crossed_bounds(rows.problem, Vector::Zero(2), options);
  test::expect_normal_moments(CrossedSetting{rows.problem, bounds}, expected, moves);
}

Vector quadrature(NormalDesign design, const std::vector<test::GridAxis>& axes) {
  const NormalMembers rows(design);
  return test::normal_quadrature(
      rows.dense(), rows.prior, [&](const Vector& psi) { return rows.levels_prior(psi); },
      [&](const Vector& psi) { return rows.log_prior(psi); }, axes);
}

// Levels on their own (of no factor so few that they are common), and in the block.
TEST(NormalCrossedQuadrature, ChainHasTheMomentsOfThePosterior) {
  const Vector expected =
      quadrature(NormalDesign::kCrossed, {{-12.0, 2.2, 60}, {-12.0, 2.2, 60}, {-1.8, 1.2, 30}});
  expect_moments(NormalDesign::kCrossed, {.few_levels = 0}, expected);
  expect_moments(NormalDesign::kCrossed, {.few_levels = 3}, expected);
  expect_moments(NormalDesign::kCrossed, {}, expected);
  // scales by nothing but steps in proportion
  expect_moments(NormalDesign::kCrossed, {.few_levels = 0}, expected,
                 {.centred = false, .collapsed = false});
}

TEST(NormalCrossedQuadrature, NestedChainHasTheMomentsOfThePosterior) {
  const Vector expected =
      quadrature(NormalDesign::kNested, {{-12.0, 2.2, 60}, {-12.0, 2.2, 60}, {-1.8, 1.2, 30}});
  expect_moments(NormalDesign::kNested, {.few_levels = 0}, expected);
}

TEST(NormalCrossedQuadrature, SignedChainHasTheMomentsOfThePosterior) {
  const Vector expected = quadrature(NormalDesign::kSigned, {{-14.0, 2.5, 200}, {-1.8, 1.5, 80}});
  expect_moments(NormalDesign::kSigned, {.few_levels = 0}, expected);
}

}  // namespace
}  // namespace flymc
