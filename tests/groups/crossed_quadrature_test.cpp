// Whole chains of models in which a row has several levels against quadrature, with regions so
// small that levels leave them all the time, and the default; with levels on their own, and in the
// block.
#include <gtest/gtest.h>

#include <map>

#include "flymc/family/logistic.hpp"
#include "flymc/family/poisson.hpp"
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

SmallCrossed make_small(const CrossedCase& given) {
  const Sampling how{};
  if (given.family == std::string("logistic")) {
    return {given.design, std::make_unique<RowModelOf<Logistic>>(Logistic{}),
            [=](Stream& stream, double eta) {
              return Logistic{}.sample(stream, eta, how) > 0.0 ? 1.0 : -1.0;
            },
            [](double eta, double y) { return -std::log1p(std::exp(-y * eta)); }};
  }
  return {given.design, std::make_unique<RowModelOf<Poisson>>(Poisson{}),
          [=](Stream& stream, double eta) { return Poisson{}.sample(stream, eta, how); },
          [](double eta, double y) { return y * eta - std::exp(eta); }};
}

class CrossedQuadrature : public ::testing::TestWithParam<CrossedCase> {};

TEST_P(CrossedQuadrature, ChainHasTheMomentsOfThePosterior) {
  const CrossedCase& given = GetParam();
  const SmallCrossed small = make_small(given);
  static std::map<std::pair<std::string, test::Design>, std::vector<double>> known;
  std::vector<double>& expected = known[{given.family, given.design}];
  if (expected.empty()) {
    expected = small.quadrature();
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

constexpr CrossedMoveSet kCentred{.collapsed = false, .proportional = false};
constexpr CrossedMoveSet kCollapsed{.proportional = false};
constexpr CrossedMoveSet kProportional{.centred = false, .collapsed = false};
using test::Design;

// One of each design first: a planted error shows in one of them.
INSTANTIATE_TEST_SUITE_P(
    Cases, CrossedQuadrature,
    ::testing::Values(CrossedCase{"logistic_signed_small", "logistic", Design::kSigned, 0.7},
                      CrossedCase{"poisson_nested_small", "poisson", Design::kNested, 0.9},
                      CrossedCase{"poisson_summed_small", "poisson", Design::kSummed, 0.7},
                      CrossedCase{"poisson_crossed_small", "poisson", Design::kCrossed, 0.7},
                      CrossedCase{"logistic_signed", "logistic", Design::kSigned, 0.0},
                      CrossedCase{"logistic_signed_few", "logistic", Design::kSigned, 0.7, 50},
                      CrossedCase{"logistic_signed_centred", "logistic", Design::kSigned, 2.0, 0,
                                  false, kCentred},
                      CrossedCase{"logistic_signed_collapsed", "logistic", Design::kSigned, 2.0, 0,
                                  false, kCollapsed},
                      CrossedCase{"logistic_signed_proportional", "logistic", Design::kSigned, 2.0,
                                  0, false, kProportional},
                      CrossedCase{"poisson_signed", "poisson", Design::kSigned, 0.0},
                      CrossedCase{"poisson_signed_small", "poisson", Design::kSigned, 0.7},
                      CrossedCase{"logistic_crossed", "logistic", Design::kCrossed, 0.0},
                      CrossedCase{"logistic_crossed_small", "logistic", Design::kCrossed, 0.7},
                      CrossedCase{"poisson_crossed", "poisson", Design::kCrossed, 0.0},
                      CrossedCase{"poisson_crossed_few", "poisson", Design::kCrossed, 0.9, 2},
                      CrossedCase{"logistic_nested", "logistic", Design::kNested, 0.0},
                      CrossedCase{"poisson_crossed_all_rows", "poisson", Design::kCrossed, 0.0, 0,
                                  true}),
    [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace flymc
