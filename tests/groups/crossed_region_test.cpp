// What is common, and what rows share, leave their regions however many rows that takes along: a
// chain with coins against one of all rows, which has no regions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "flymc/family/poisson.hpp"
#include "groups/one_step.hpp"
#include "groups/small_shared.hpp"

namespace flymc {
namespace {

constexpr std::size_t kRareRows = 1500;

Table rare_table() {
  Stream stream(53, 0, Purpose::kTest, 0);
  Table table;
  table.columns = {"rare"};
  table.factors = {{"g", {"1", "2", "3"}, {}}, {"h", {"1", "2"}, {}}};
  for (std::size_t n = 0; n < kRareRows; ++n) {
    table.factors[0].codes.push_back(static_cast<std::uint32_t>(n % 3));
    table.factors[1].codes.push_back(static_cast<std::uint32_t>(n / 3 % 2));
    table.x.push_back(n % 100 == 0 ? 1.0 : 0.0);
    // no event where it is rare: the posterior of its coefficient is long to one side
    table.response.values.push_back(n % 100 == 0 ? 0.0 : Poisson{}.sample(stream, 0.3, {}));
  }
  table.rows = kRareRows;
  return table;
}

// Of one coordinate of theta, along a chain of these bounds.
struct RegionRun {
  std::size_t iterations = 0;
  std::size_t warm_up = 0;
  std::function<void(const CrossedBounds&, Vector&)> begin{};  // where it begins, from a start
  std::function<double(const Vector&)> coordinate;
  std::function<bool(const CrossedBounds&, const Vector&)> is_outside;
};
struct RegionMean {
  exact::BatchMean mean;
  double outside = 0.0;  // share of the draws
};
RegionMean mean_along(const CrossedProblem& problem, const GroupOptions& how,
                      const RegionRun& run) {
  const CrossedBounds bounds =
      make_crossed_bounds(problem, Vector::Zero(problem.fixed()), {.rows = how, .few_levels = 0});
  EXPECT_GT(std::ranges::count(bounds.kind, how.all_beacons ? RowBound::kBeacon : RowBound::kLocal),
            1000);
  const CrossedSetting setting{problem, bounds};
  const GroupTuning tuning{.psi_mean = bounds.psi,
                           .psi_factor = bounds.psi_spread.diagonal().cwiseSqrt().asDiagonal()};
  const Streams streams{3, 0};
  ChainParts parts = make_group_parts(setting, tuning, streams);
  const Density& target = *parts.density;
  Vector theta = group_start(setting, tuning, streams.at(1, Purpose::kInit));
  if (run.begin) {
    run.begin(bounds, theta);
  }
  ChainCore chain(std::move(parts), theta);
  RegionMean found{exact::BatchMean(run.iterations)};
  for (std::size_t i = 0; i < run.warm_up + run.iterations; ++i) {
    std::ignore = chain.iterate({});
    target.to_theta(chain.current(), theta);
    if (i >= run.warm_up) {
      found.mean.add(run.coordinate(theta));
      found.outside +=
          run.is_outside(bounds, theta) ? 1.0 / static_cast<double>(run.iterations) : 0.0;
    }
  }
  return found;
}
void expect_same(const exact::BatchMean& all, const exact::BatchMean& coins) {
  EXPECT_LT(std::abs(all.mean() - coins.mean()),
            test::kMostZ * std::hypot(all.standard_error(), coins.standard_error()))
      << all.mean() << " " << coins.mean();
}

TEST(CrossedRegion, WhatIsCommonLeavesItHoweverManyRowsAreLocal) {
  const Dataset data(rare_table(), {});
  const Memberships memberships(data, data.factors(), {{.factor = "g"}, {.factor = "h"}});
  const RowModelOf<Poisson> model{Poisson{}};
  const FixedPrior prior{Vector::Zero(2), Vector::Constant(2, 1.0 / 9.0)};
  const GroupScales scales(
      std::vector<PriorTerm>(2, {.kind = PriorKind::kHalfNormal, .scale = 1.0}), false);
  const CrossedProblem problem{data, memberships, model, prior, scales};
  const RegionRun run{.iterations = 5'000,
                      .coordinate = [](const Vector& theta) { return theta[1]; },
                      .is_outside =
                          [&](const CrossedBounds& bounds, const Vector& theta) {
                            const Vector d = theta.head(problem.size()) - bounds.anchor;
                            return bounds.region.common_norm(d) > bounds.fixed_radius;
                          }};
  const RegionMean all = mean_along(problem, {.all_beacons = true}, run);
  const RegionMean coins = mean_along(problem, {.fixed_radius = 2.5}, run);
  EXPECT_GT(coins.outside, 0.01);
  expect_same(all.mean, coins.mean);
}

Table scattered_table() {
  Stream stream(57, 0, Purpose::kTest, 0);
  Table table;
  table.rows = 1200;
  table.factors = {{"g", {"1", "2", "3"}, {}}, {"h", {"1", "2"}, {}}};
  for (std::size_t n = 0; n < table.rows; ++n) {
    table.factors[0].codes.push_back(static_cast<std::uint32_t>(n % 3));
    table.factors[1].codes.push_back(static_cast<std::uint32_t>(n / 3 % 2));
    table.response.values.push_back(test::shared_response(test::Kind::kScale, stream, 0.3));
  }
  return table;
}

// The chain with coins begins far outside, and comes back.
TEST(CrossedRegion, WhatRowsShareLeavesItAndComesBackHoweverManyRowsAreLocal) {
  const Dataset data(scattered_table(), {});
  const Memberships memberships(data, data.factors(), {{.factor = "g"}, {.factor = "h"}});
  const auto model = test::shared_model(test::Kind::kScale);
  const FixedPrior prior{Vector::Zero(1), Vector::Constant(1, 1.0)};
  const GroupScales scales(
      std::vector<PriorTerm>(2, {.kind = PriorKind::kHalfNormal, .scale = 1.0}), false,
      {.laws = {test::law_of(test::Kind::kScale)}});
  const CrossedProblem problem{data, memberships, *model, prior, scales};
  const auto leaves = [](const CrossedBounds& bounds, const Vector& theta) {
    return bounds.leaves_shared(theta.tail(1) - bounds.shared);
  };
  const RegionRun run{.iterations = 2000,
                      .warm_up = 200,
                      .begin =
                          [&](const CrossedBounds& bounds, Vector& theta) {
                            EXPECT_FALSE(leaves(bounds, theta));
                            theta.tail(1) = bounds.shared + 2.0 * bounds.shared_region.col(0);
                          },
                      .coordinate = [](const Vector& theta) { return theta[theta.size() - 1]; },
                      .is_outside = leaves};
  const RegionMean all = mean_along(problem, {.all_beacons = true}, run);
  const RegionMean coins = mean_along(problem, {.fixed_radius = 2.0, .beacons = false}, run);
  EXPECT_GT(coins.outside, 0.005);
  EXPECT_LT(coins.outside, 0.5);
  expect_same(all.mean, coins.mean);
}

}  // namespace
}  // namespace flymc
