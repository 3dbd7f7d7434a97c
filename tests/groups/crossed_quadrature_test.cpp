// Whole chains of models in which a row has several levels against quadrature, with regions so
// small that levels leave them all the time, and the default; with levels on their own, and in the
// block.
#include <gtest/gtest.h>

#include <map>

#include "flymc/family/logistic.hpp"
#include "flymc/family/poisson.hpp"
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

class CrossedQuadrature : public testing::TestWithParam<CrossedCase> {};

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
  std::uint64_t queries = 0;
  const GroupTuning tuning = tune_groups(setting, 1, queries);
  const Streams streams{11, 0};
  ChainParts parts = make_group_parts(setting, tuning, streams, given.moves);
  const auto& target = static_cast<const CrossedTarget&>(*parts.density);
  ChainCore chain(std::move(parts), group_start(setting, tuning, streams.at(1, Purpose::kInit)));

  constexpr std::size_t kBatches = 100;
  const char* const longer = std::getenv("FLYMC_LONG");
  const std::size_t iterations = longer != nullptr ? std::stoul(longer) : 60'000;
  for (int i = 0; i < 2000; ++i) {
    std::ignore = chain.iterate({});
  }
  std::vector<std::vector<double>> batches(kBatches, std::vector<double>(expected.size()));
  Vector theta;
  for (auto& batch : batches) {
    for (std::size_t i = 0; i < iterations / kBatches; ++i) {
      std::ignore = chain.iterate({});
      target.to_theta(chain.current(), theta);
      const std::vector<double> here = small.moments_of(theta.data());
      for (std::size_t k = 0; k < here.size(); ++k) {
        batch[k] += here[k] / static_cast<double>(iterations / kBatches);
      }
    }
  }
  for (std::size_t k = 0; k < expected.size(); ++k) {
    double mean = 0.0, square = 0.0;
    for (const auto& batch : batches) {
      mean += batch[k] / kBatches;
    }
    for (const auto& batch : batches) {
      square += (batch[k] - mean) * (batch[k] - mean);
    }
    const double error = std::sqrt(square / (kBatches - 1) / kBatches);
    const double z = (mean - expected[k]) / error;
    EXPECT_LT(std::abs(z), 4.5) << "moment " << k << ": " << mean << " for " << expected[k];
    if (longer != nullptr) {
      std::printf("%6.2f", z);
    }
  }
  if (longer != nullptr) {
    std::printf("  queries an iteration %.1f\n",
                static_cast<double>(target.queries_total()) / static_cast<double>(iterations));
  }
}

constexpr CrossedMoveSet kCentred{.collapsed = false, .proportional = false};
constexpr CrossedMoveSet kCollapsed{.proportional = false};
constexpr CrossedMoveSet kProportional{.centred = false, .collapsed = false};
using test::Design;

INSTANTIATE_TEST_SUITE_P(
    Cases, CrossedQuadrature,
    testing::Values(CrossedCase{"logistic_signed", "logistic", Design::kSigned, 0.0},
                    CrossedCase{"logistic_signed_small", "logistic", Design::kSigned, 0.7},
                    CrossedCase{"logistic_signed_few", "logistic", Design::kSigned, 0.7, 50},
                    CrossedCase{"logistic_signed_centred", "logistic", Design::kSigned, 2.0, 0,
                                false, kCentred},
                    CrossedCase{"logistic_signed_collapsed", "logistic", Design::kSigned, 2.0, 0,
                                false, kCollapsed},
                    CrossedCase{"logistic_signed_proportional", "logistic", Design::kSigned, 2.0, 0,
                                false, kProportional},
                    CrossedCase{"poisson_signed", "poisson", Design::kSigned, 0.0},
                    CrossedCase{"poisson_signed_small", "poisson", Design::kSigned, 0.7},
                    CrossedCase{"poisson_summed_small", "poisson", Design::kSummed, 0.7},
                    CrossedCase{"logistic_crossed", "logistic", Design::kCrossed, 0.0},
                    CrossedCase{"logistic_crossed_small", "logistic", Design::kCrossed, 0.7},
                    CrossedCase{"poisson_crossed", "poisson", Design::kCrossed, 0.0},
                    CrossedCase{"poisson_crossed_small", "poisson", Design::kCrossed, 0.7},
                    CrossedCase{"poisson_crossed_few", "poisson", Design::kCrossed, 0.9, 2},
                    CrossedCase{"logistic_nested", "logistic", Design::kNested, 0.0},
                    CrossedCase{"poisson_nested_small", "poisson", Design::kNested, 0.9},
                    CrossedCase{"poisson_crossed_all_rows", "poisson", Design::kCrossed, 0.0, 0,
                                true}),
    [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace flymc
