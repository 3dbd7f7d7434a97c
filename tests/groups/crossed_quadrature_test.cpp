// Whole chains of models in which a row has several levels against quadrature, with regions so
// small that levels leave them all the time, and the default; with levels on their own, and in the
// block.
#include <gtest/gtest.h>

#include <map>

#include "groups/chain_moments.hpp"
#include "groups/small_crossed.hpp"

namespace flymc {
namespace {

using test::SmallCrossed;

struct CrossedCase {
  const char* name;
  const char* family;
  test::Design design;
  double radius;  // of all regions; 0: the default
  std::size_t few_levels = 0;
  bool all_beacons = false;
  CrossedMoveSet moves{};
};

class CrossedQuadrature : public ::testing::TestWithParam<CrossedCase> {};

TEST_P(CrossedQuadrature, ChainHasTheMomentsOfThePosterior) {
  const CrossedCase& given = GetParam();
  const SmallCrossed small = test::make_small_crossed(given.family, given.design);
  static std::map<std::pair<std::string, test::Design>, std::vector<double>> known;
  std::vector<double>& expected = known[{given.family, given.design}];
  if (expected.empty()) {
    expected = small.quadrature(given.family == std::string("student-t"));
  }
  const CrossedBounds bounds = make_crossed_bounds(small.problem, Vector::Zero(1),
                                                   {.rows = {.level_radius = given.radius,
                                                             .fixed_radius = given.radius,
                                                             .all_beacons = given.all_beacons,
                                                             .beacons = given.radius == 0.0},
                                                    .few_levels = given.few_levels});
  const CrossedSetting setting{small.problem, bounds};
  test::expect_chain_moments(setting, given.moves, expected,
                             [&](const Vector& theta) { return small.moments_of(theta.data()); });
}

using test::Design;

// One of each design first: a planted error shows in one of them.
INSTANTIATE_TEST_SUITE_P(
    Cases, CrossedQuadrature,
    ::testing::Values(
        CrossedCase{"logistic_signed_small", "logistic", Design::kSigned, 0.7},
        CrossedCase{"poisson_nested_small", "poisson", Design::kNested, 0.9},
        CrossedCase{"poisson_summed_small", "poisson", Design::kSummed, 0.7},
        CrossedCase{"poisson_crossed_small", "poisson", Design::kCrossed, 0.7},
        CrossedCase{"logistic_signed", "logistic", Design::kSigned, 0.0},
        CrossedCase{"logistic_signed_few", "logistic", Design::kSigned, 0.7, 50},
        CrossedCase{"logistic_signed_not_proportional",
                    "logistic",
                    Design::kSigned,
                    2.0,
                    0,
                    false,
                    {.proportional = false}},
        CrossedCase{"poisson_signed", "poisson", Design::kSigned, 0.0},
        CrossedCase{"poisson_signed_small", "poisson", Design::kSigned, 0.7},
        CrossedCase{"negative_binomial_signed", "negative-binomial", Design::kSigned, 0.0},
        CrossedCase{"negative_binomial_signed_small", "negative-binomial", Design::kSigned, 0.7},
        CrossedCase{"student_t_signed", "student-t", Design::kSigned, 0.0},
        CrossedCase{"student_t_signed_small", "student-t", Design::kSigned, 0.7},
        CrossedCase{"logistic_crossed", "logistic", Design::kCrossed, 0.0},
        CrossedCase{"logistic_crossed_small", "logistic", Design::kCrossed, 0.7},
        CrossedCase{"poisson_crossed", "poisson", Design::kCrossed, 0.0},
        CrossedCase{"poisson_crossed_few", "poisson", Design::kCrossed, 0.9, 2},
        CrossedCase{"logistic_nested", "logistic", Design::kNested, 0.0},
        CrossedCase{"poisson_crossed_all_rows", "poisson", Design::kCrossed, 0.0, 0, true}),
    [](const auto& tested) { return tested.param.name; });

// One way of moving scales, or two; and what is left of the other moves where one can be spared. Of
// these the block cannot: no other changes the fixed effects. Nor can scales move along the map
// about the collapsed Gaussian alone: it takes them to small ones once in many thousand iterations,
// and a chain long enough takes a minute. group_one_step_test.cpp needs no mixing and has it.
constexpr CrossedMoveSet kCentred{.collapsed = false, .proportional = false};
constexpr CrossedMoveSet kProportional{.centred = false, .collapsed = false};
constexpr CrossedMoveSet kNotCentred{.centred = false};
constexpr CrossedMoveSet kWithoutNests{.nests = false};
constexpr CrossedMoveSet kBlockAlone{.levels = false, .nests = false};

CrossedCase alone(const char* name, const char* family, test::Design design,
                  const CrossedMoveSet& moves, std::size_t few_levels = 0) {
  return {name, family, design, 0.9, few_levels, false, moves};
}
INSTANTIATE_TEST_SUITE_P(
    SomeMoves, CrossedQuadrature,
    ::testing::Values(alone("signed_centred", "logistic", Design::kSigned, kCentred),
                      alone("signed_proportional", "logistic", Design::kSigned, kProportional),
                      alone("signed_not_centred", "logistic", Design::kSigned, kNotCentred),
                      alone("signed_block_of_all", "logistic", Design::kSigned, kBlockAlone, 50),
                      alone("crossed_centred", "poisson", Design::kCrossed, kCentred),
                      alone("crossed_proportional", "poisson", Design::kCrossed, kProportional),
                      alone("crossed_not_centred", "poisson", Design::kCrossed, kNotCentred),
                      alone("crossed_block_of_all", "poisson", Design::kCrossed, kBlockAlone, 50),
                      alone("nested_centred", "poisson", Design::kNested, kCentred),
                      alone("nested_proportional", "poisson", Design::kNested, kProportional),
                      alone("nested_not_centred", "poisson", Design::kNested, kNotCentred),
                      alone("nested_without_nests", "poisson", Design::kNested, kWithoutNests)),
    [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace flymc
