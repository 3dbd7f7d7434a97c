// Coins that are thrown for all rows at once, and the log likelihood of all rows, by definition.
#include "groups/all_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "flymc/family/logistic.hpp"
#include "flymc/family/poisson.hpp"
#include "groups/small_groups.hpp"

namespace flymc {
namespace {

constexpr std::size_t kRowsOfAll = 60;
constexpr std::size_t kLevelsOfAll = 6;

// An intercept and a slope that vary, a fixed column, offsets and weights.
struct SlopesOfAll {
  explicit SlopesOfAll(std::unique_ptr<RowModel> a_model, bool counts)
      : model(std::move(a_model)), data(make_table(counts), {}) {}

  static Table make_table(bool counts) {
    Stream stream(3, 0, Purpose::kTest, 0);
    Table table;
    table.columns = {"x"};
    table.rows = kRowsOfAll;
    for (std::size_t n = 0; n < kRowsOfAll; ++n) {
      table.x.push_back(stream.normal());
      table.offset.push_back(0.5 * stream.normal());
      table.weights.push_back(1.0 + static_cast<double>(n % 3));
      table.response.values.push_back(counts ? static_cast<double>(n % 4)
                                             : (stream.uniform() < 0.5 ? 1.0 : -1.0));
    }
    return table;
  }
  static std::vector<std::uint32_t> codes() {
    std::vector<std::uint32_t> codes;
    for (std::size_t n = 0; n < kRowsOfAll; ++n) {
      codes.push_back(static_cast<std::uint32_t>(n * 7 % kLevelsOfAll));
    }
    return codes;
  }

  std::unique_ptr<RowModel> model;
  Dataset data;
  Factor factor{"g", {"a", "b", "c", "d", "e", "f"}, codes()};
  Grouping grouping{data, factor, {.factor = "g", .slopes = {"x"}}};
  FixedPrior prior{Vector::Zero(2), Vector::Ones(2)};
  GroupScales scales{std::vector<PriorTerm>(2, {.kind = PriorKind::kHalfNormal, .scale = 1.0}),
                     true};
  GroupProblem problem{data, grouping, *model, prior, scales};
};

// Somewhere: normal coordinates, so far out that levels leave small regions.
Point somewhere(const GroupTarget& target, const GroupBounds& bounds) {
  Stream stream(9, 0, Purpose::kTest, 1);
  Point point(target.dimension());
  for (double& zeta : point.zeta) {
    zeta = 1.5 * stream.normal();
  }
  point.zeta.tail(bounds.psi.size()) = bounds.psi;
  return point;
}

// Frequencies of bright coins against 1 - B/L, which query() says of one row after the other.
void expect_coins(const SlopesOfAll& all, double radius) {
  const GroupBounds bounds =
      make_group_bounds(all.problem, Vector::Zero(2),
                        {.level_radius = radius, .fixed_radius = 9.0, .beacons = radius == 0.0});
  ASSERT_LT(bounds.beacons, kRowsOfAll);
  GroupTarget target(GroupSetting{all.problem, bounds});
  const Point point = somewhere(target, bounds);
  const GroupCoefficients& at = target.place(point).at;
  std::vector<Datum> rows(kRowsOfAll);
  std::iota(rows.begin(), rows.end(), Datum{0});
  const auto queried = target.query(point, rows);
  const std::vector<double> factors(queried.begin(), queried.end());
  AllRows every(target);
  every.hold(at.fixed);
  constexpr int kThrows = 20'000;
  std::vector<double> bright(kRowsOfAll, 0.0);
  Stream stream(21, 0, Purpose::kTest, 2);
  for (int i = 0; i < kThrows; ++i) {
    for (const Datum n : every.throw_coins(at, stream)) {
      bright[n] += 1.0;
    }
  }
  for (std::size_t n = 0; n < kRowsOfAll; ++n) {
    const double p = 1.0 / (1.0 + std::exp(-factors[n]));
    const double sd = std::sqrt(kThrows * p * (1.0 - p));
    EXPECT_LE(std::abs(bright[n] - kThrows * p), 4.5 * sd + 1e-9) << "row " << n << ", p = " << p;
  }
}

TEST(AllRows, LogLikelihoodIsThatOfEveryRow) {
  for (const bool counts : {false, true}) {
    const SlopesOfAll all(counts ? std::unique_ptr<RowModel>(new RowModelOf<Poisson>(Poisson{}))
                                 : std::make_unique<RowModelOf<Logistic>>(Logistic{}),
                          counts);
    const GroupBounds bounds = make_group_bounds(all.problem, Vector::Zero(2), {});
    GroupTarget target(GroupSetting{all.problem, bounds});
    const Point point = somewhere(target, bounds);
    const GroupCoefficients& at = target.place(point).at;
    double expected = 0.0;
    GroupReader reader(all.data, all.grouping);
    for (std::size_t n = 0; n < kRowsOfAll; ++n) {
      Vector beta = bounds.anchor.beta + at.fixed.beta;
      Vector u(2);
      for (Index j = 0; j < 2; ++j) {
        const std::size_t i = all.grouping.level(n) * 2 + static_cast<std::size_t>(j);
        u[j] = bounds.anchor.u[i] + at.du[i];
      }
      reader.read(n);
      const double eta = all.data.offset(n) + reader.predict(beta.data(), u.data());
      expected +=
          all.data.weight(n) * (counts ? Poisson{}.log_likelihood(eta, all.data.response(n))
                                       : Logistic{}.log_likelihood(eta, all.data.response(n)));
    }
    AllRows every(target);
    every.hold(at.fixed);
    const std::uint64_t before = target.queries_total();
    EXPECT_NEAR(every.log_likelihood(at.du), expected, 1e-10 * std::abs(expected));
    EXPECT_EQ(target.queries_total() - before, kRowsOfAll);
  }
}

TEST(AllRows, CoinsAreThoseOfTheirBoundsLogistic) {
  const SlopesOfAll all(std::make_unique<RowModelOf<Logistic>>(Logistic{}), false);
  expect_coins(all, 0.0);
  expect_coins(all, 1.0);
}

TEST(AllRows, CoinsAreThoseOfTheirBoundsPoisson) {
  const SlopesOfAll all(std::make_unique<RowModelOf<Poisson>>(Poisson{}), true);
  expect_coins(all, 1.0);
  expect_coins(all, 2.5);
}

// With rows collapsed into tangents, and gaps for the rest, or each by itself: scales are left with
// the same, but for what beta and zeta decide.
TEST(AllRows, TangentsAndGapsAreTheLogLikelihood) {
  const SlopesOfAll all(std::make_unique<RowModelOf<Poisson>>(Poisson{}), true);
  const GroupBounds bounds = make_group_bounds(all.problem, Vector::Zero(2), {.all_beacons = true});
  GroupTarget target(GroupSetting{all.problem, bounds});
  const Point point = somewhere(target, bounds);
  GroupCoefficients at = target.place(point).at;
  HeldArrow held(bounds.sums, bounds.anchor);
  AllRows every(target);
  every.hold(at.fixed);
  target.sort_bright();
  const auto difference = [&](double collapsed) {
    Point there(target.dimension());
    target.evaluate_rows(at, there);
    return held.without_rows() + every.log_likelihood(at.du) - collapsed -
           GroupTarget::residual(there);
  };
  const double first = difference(
      held.hold(at.fixed.beta, at.fixed.shared, all.scales.factor(bounds.psi), at.du.data()));
  Stream stream(4, 0, Purpose::kTest, 3);
  for (int i = 0; i < 10; ++i) {
    Vector psi = bounds.psi;
    for (double& value : psi) {
      value += 0.5 * stream.normal();
    }
    EXPECT_NEAR(difference(held.move(all.scales.factor(psi), at.du.data())), first,
                1e-9 * std::abs(first));
  }
}

}  // namespace
}  // namespace flymc
