// Chains with a parameter that all rows share against quadrature: the size of counts, the scale of
// Student's t; regions so small that levels and the parameter leave them all the time, and default.
// (Not a scale in small regions with one factor: of 13 rows it turns over once in 3,000 iterations,
// and a chain long enough takes a minute. group_one_step_test.cpp needs no mixing and has it.)
#include <gtest/gtest.h>

#include "groups/chain_moments.hpp"
#include "groups/small_shared.hpp"

namespace flymc {
namespace {

using test::Kind;
using test::SmallGroups;

struct SharedCase {
  const char* name;
  test::Kind kind;
  double radius;  // of all regions; 0: the default
  bool all_beacons = false;
};

class SharedQuadrature : public ::testing::TestWithParam<SharedCase> {};

TEST_P(SharedQuadrature, ChainHasTheMomentsOfThePosterior) {
  const SharedCase& given = GetParam();
  const SmallGroups small = test::make_small_shared(given.kind);
  const test::SharedMoments& expected = test::shared_quadrature(given.kind);
  const GroupBounds bounds = make_group_bounds(small.problem, Vector::Zero(1),
                                               {.level_radius = given.radius,
                                                .fixed_radius = given.radius,
                                                .all_beacons = given.all_beacons,
                                                .beacons = given.radius == 0.0});
  const GroupSetting setting{small.problem, bounds};
  test::expect_chain_moments(setting, GroupMoveSet{}, expected,
                             [](const Vector& theta) { return test::shared_moments_of(theta); });
}

// The engine for several factors, of one.
struct SharedCrossedCase {
  const char* name;
  test::Kind kind;
  double radius;
  std::size_t few_levels = 0;
  CrossedMoveSet moves{};
};
class SharedCrossedQuadrature : public ::testing::TestWithParam<SharedCrossedCase> {};

TEST_P(SharedCrossedQuadrature, ChainHasTheMomentsOfThePosterior) {
  const SharedCrossedCase& given = GetParam();
  const SmallGroups small = test::make_small_shared(given.kind);
  const test::SharedMoments& expected = test::shared_quadrature(given.kind);
  const std::vector<Factor> factors = {small.factor};
  const Memberships memberships(small.data, factors, {{.factor = "g"}});
  const CrossedProblem problem{small.data, memberships, *small.model, small.prior, small.scales};
  const CrossedBounds bounds = make_crossed_bounds(problem, Vector::Zero(1),
                                                   {.rows = {.level_radius = given.radius,
                                                             .fixed_radius = given.radius,
                                                             .beacons = given.radius == 0.0},
                                                    .few_levels = given.few_levels});
  const CrossedSetting setting{problem, bounds};
  test::expect_chain_moments(setting, given.moves, expected,
                             [](const Vector& theta) { return test::shared_moments_of(theta); });
}

INSTANTIATE_TEST_SUITE_P(
    Cases, SharedCrossedQuadrature,
    ::testing::Values(SharedCrossedCase{"size_small", Kind::kSize, 0.7},
                      SharedCrossedCase{"size_default", Kind::kSize, 0.0},
                      SharedCrossedCase{"size_given", Kind::kSize, 2.0, 0, {.shared_along = false}},
                      SharedCrossedCase{"size_few_levels", Kind::kSize, 0.7, 50},
                      SharedCrossedCase{"scale_small", Kind::kScale, 0.7}),
    [](const auto& tested) { return tested.param.name; });

INSTANTIATE_TEST_SUITE_P(Cases, SharedQuadrature,
                         ::testing::Values(SharedCase{"size_default", Kind::kSize, 0.0},
                                           SharedCase{"size_small", Kind::kSize, 0.7},
                                           SharedCase{"size_middle", Kind::kSize, 2.0},
                                           SharedCase{"size_all_rows", Kind::kSize, 0.0, true},
                                           SharedCase{"scale_default", Kind::kScale, 0.0},
                                           SharedCase{"scale_all_rows", Kind::kScale, 0.0, true}),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace flymc
