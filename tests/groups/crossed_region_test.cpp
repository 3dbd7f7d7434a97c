// What is common leaves its region however many rows that takes along: a chain with coins against
// one of all rows, which has no regions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "flymc/family/poisson.hpp"
#include "groups/one_step.hpp"

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

TEST(CrossedRegion, WhatIsCommonLeavesItHoweverManyRowsAreLocal) {
  const Dataset data(rare_table(), {});
  const Memberships memberships(data, data.factors(), {{.factor = "g"}, {.factor = "h"}});
  const RowModelOf<Poisson> model{Poisson{}};
  const FixedPrior prior{Vector::Zero(2), Vector::Constant(2, 1.0 / 9.0)};
  const GroupScales scales(
      std::vector<PriorTerm>(2, {.kind = PriorKind::kHalfNormal, .scale = 1.0}), false);
  const CrossedProblem problem{data, memberships, model, prior, scales};
  const auto mean_of = [&](const GroupOptions& how, double& outside) {
    const CrossedBounds bounds =
        make_crossed_bounds(problem, Vector::Zero(2), {.rows = how, .few_levels = 0});
    EXPECT_GT(
        std::ranges::count(bounds.kind, how.all_beacons ? RowBound::kBeacon : RowBound::kLocal),
        1000);
    const CrossedSetting setting{problem, bounds};
    const GroupTuning tuning{.psi_mean = bounds.psi,
                             .psi_factor = bounds.psi_spread.diagonal().cwiseSqrt().asDiagonal()};
    const Streams streams{3, 0};
    ChainParts parts = make_group_parts(setting, tuning, streams);
    const Density& target = *parts.density;
    ChainCore chain(std::move(parts), group_start(setting, tuning, streams.at(1, Purpose::kInit)));
    constexpr std::size_t kIterations = 10'000;
    exact::BatchMean mean(kIterations);
    Vector theta;
    outside = 0.0;
    for (std::size_t i = 0; i < kIterations; ++i) {
      std::ignore = chain.iterate({});
      target.to_theta(chain.current(), theta);
      mean.add(theta[1]);
      outside += bounds.region.common_norm(theta.head(problem.size()) - bounds.anchor) >
                         bounds.fixed_radius
                     ? 1.0 / kIterations
                     : 0.0;
    }
    return mean;
  };
  double outside = 0.0, ignored = 0.0;
  const exact::BatchMean all = mean_of({.all_beacons = true}, ignored);
  const exact::BatchMean coins = mean_of({.fixed_radius = 2.5}, outside);
  EXPECT_GT(outside, 0.01);
  EXPECT_LT(std::abs(all.mean() - coins.mean()),
            test::kMostZ * std::hypot(all.standard_error(), coins.standard_error()))
      << all.mean() << " " << coins.mean();
}

}  // namespace
}  // namespace flymc
