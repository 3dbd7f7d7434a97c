// Whole chains against quadrature, with regions so small that levels leave them all the time, and
// the default; scales moved in every one of the ways they have, and all of these together.
#include <gtest/gtest.h>

#include <map>

#include "groups/chain_moments.hpp"
#include "groups/small_groups.hpp"

namespace flymc {
namespace {

using test::kMoments;
using test::SmallGroups;

struct GroupCase {
  std::string name;
  const char* family;
  double radius;  // of both regions; 0: the default
  bool all_beacons = false;
  GroupMoveSet moves{};
  void (*amend)(GroupTuning&) = test::given_coins;
};
GroupCase without_coins(const char* name, const char* family, double radius) {
  return {name, family, radius, false, {}, test::summed_out};
}

class GroupQuadrature : public ::testing::TestWithParam<GroupCase> {};

TEST_P(GroupQuadrature, ChainHasTheMomentsOfThePosterior) {
  const GroupCase& given = GetParam();
  const SmallGroups small = test::make_small_groups(given.family);
  static std::map<std::string, std::array<double, kMoments>> known;
  if (!known.contains(given.family)) {
    known[given.family] = small.quadrature(test::small_family(given.family).log_likelihood);
  }
  const std::array<double, kMoments>& expected = known[given.family];
  const GroupOptions options{.level_radius = given.radius,
                             .fixed_radius = given.radius,
                             .all_beacons = given.all_beacons,
                             .beacons = given.radius == 0.0};
  const GroupBounds bounds = make_group_bounds(small.problem, Vector::Zero(1), options);
  const GroupSetting setting{small.problem, bounds};
  const auto moments_of = [](const Vector& theta) {
    return test::moments_of(theta[0], theta.data() + 1, theta[4]);
  };
  test::expect_chain_moments(setting, given.moves, expected, moments_of, 60'000, given.amend);
}

const auto kNameOf = [](const auto& tested) { return tested.param.name; };

INSTANTIATE_TEST_SUITE_P(
    Cases, GroupQuadrature,
    ::testing::Values(GroupCase{"logistic_default", "logistic", 0.0},
                      GroupCase{"logistic_small", "logistic", 0.7},
                      GroupCase{"logistic_middle", "logistic", 2.0},
                      GroupCase{"logistic_all_rows", "logistic", 0.0, true},
                      GroupCase{"poisson_default", "poisson", 0.0},
                      GroupCase{"poisson_small", "poisson", 0.7},
                      GroupCase{"poisson_middle", "poisson", 2.0},
                      GroupCase{"poisson_all_rows", "poisson", 0.0, true},
                      GroupCase{"negative_binomial_small", "negative-binomial", 1.0},
                      GroupCase{"negative_binomial_default", "negative-binomial", 0.0},
                      GroupCase{"student_t_default", "student-t", 0.0},
                      GroupCase{"student_t_small", "student-t", 0.7},
                      GroupCase{"student_t_all_rows", "student-t", 0.0, true},
                      without_coins("logistic_summed_out_default", "logistic", 0.0),
                      without_coins("logistic_summed_out_small", "logistic", 0.7),
                      without_coins("poisson_summed_out_small", "poisson", 0.7),
                      without_coins("poisson_summed_out_middle", "poisson", 2.0)),
    kNameOf);

// Every choice of the moves of scales but none and all. Levels and fixed effects keep theirs: no
// other move changes the coordinates that these move along.
std::vector<GroupCase> ways_of_scales() {
  std::vector<GroupCase> cases;
  for (const char* const family : {"logistic", "poisson"}) {
    for (int ways = 1; ways < 7; ++ways) {
      const GroupMoveSet moves{
          .scales = (ways & 1) != 0, .centred = (ways & 2) != 0, .held = (ways & 4) != 0};
      cases.push_back({std::string(family) + (moves.scales ? "_scales" : "") +
                           (moves.centred ? "_centred" : "") + (moves.held ? "_held" : ""),
                       family, 0.9, false, moves});
    }
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(WaysOfScales, GroupQuadrature, ::testing::ValuesIn(ways_of_scales()),
                         kNameOf);

}  // namespace
}  // namespace flymc
