// Whole chains against quadrature, with regions so small that levels leave them all the time.
#include <gtest/gtest.h>

#include "flymc/family/logistic.hpp"
#include "flymc/family/negative_binomial.hpp"
#include "flymc/family/poisson.hpp"
#include "groups/small_groups.hpp"

namespace flymc {
namespace {

using test::kMoments;
using test::SmallGroups;

struct GroupCase {
  const char* name;
  const char* family;
  double radius;  // of both regions; 0: the default
  bool all_beacons = false;
  GroupMoveSet moves{};
};

template <class M>
SmallGroups small_problem(const M& model, const std::function<double(Stream&, double)>& respond) {
  return {std::make_unique<RowModelOf<M>>(model), respond, 5};
}

SmallGroups make_small(const std::string& family) {
  const Sampling how{};
  if (family == "logistic") {
    return small_problem(Logistic{}, [=](Stream& stream, double eta) {
      return Logistic{}.sample(stream, eta, how) > 0.0 ? 1.0 : -1.0;
    });
  }
  if (family == "poisson") {
    return small_problem(
        Poisson{}, [=](Stream& stream, double eta) { return Poisson{}.sample(stream, eta, how); });
  }
  return small_problem(NegativeBinomial{2.0}, [=](Stream& stream, double eta) {
    return NegativeBinomial{2.0}.sample(stream, eta, how);
  });
}

test::LogLikelihood log_likelihood_of(const std::string& family) {
  if (family == "logistic") {
    return [](double eta, double y) { return -std::log1p(std::exp(-y * eta)); };
  }
  if (family == "poisson") {
    return [](double eta, double y) { return y * eta - std::exp(eta); };
  }
  return [](double eta, double y) { return y * eta - (y + 2.0) * std::log(2.0 + std::exp(eta)); };
}

class GroupQuadrature : public testing::TestWithParam<GroupCase> {};

TEST_P(GroupQuadrature, ChainHasTheMomentsOfThePosterior) {
  const GroupCase& given = GetParam();
  const SmallGroups small = make_small(given.family);
  const auto expected = small.quadrature(log_likelihood_of(given.family));
  const GroupOptions options{.level_radius = given.radius,
                             .fixed_radius = given.radius,
                             .all_beacons = given.all_beacons,
                             .beacons = given.radius == 0.0};
  const GroupBounds bounds = make_group_bounds(small.problem, Vector::Zero(1), options);
  const GroupSetting setting{small.problem, bounds};
  std::uint64_t queries = 0;
  const GroupTuning tuning = tune_groups(setting, 1, queries);
  const Streams streams{11, 0};
  ChainParts parts = make_group_parts(setting, tuning, streams, given.moves);
  const GroupTarget& target = static_cast<const GroupTarget&>(*parts.density);
  ChainCore chain(std::move(parts), group_start(setting, tuning, streams.at(1, Purpose::kInit)));

  constexpr std::size_t kBatches = 100;
  const char* const longer = std::getenv("FLYMC_LONG");
  const std::size_t iterations = longer != nullptr ? std::stoul(longer) : 60'000;
  for (int i = 0; i < 2000; ++i) {
    std::ignore = chain.iterate({});
  }
  std::vector<std::array<double, kMoments>> batches(kBatches);
  Vector theta;
  for (auto& batch : batches) {
    for (std::size_t i = 0; i < iterations / kBatches; ++i) {
      std::ignore = chain.iterate({});
      target.to_theta(chain.current(), theta);
      const auto here = test::moments_of(theta[0], theta.data() + 1, theta[4]);
      for (std::size_t k = 0; k < kMoments; ++k) {
        batch[k] += here[k] / static_cast<double>(iterations / kBatches);
      }
    }
  }
  for (std::size_t k = 0; k < kMoments; ++k) {
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

INSTANTIATE_TEST_SUITE_P(
    Cases, GroupQuadrature,
    testing::Values(GroupCase{"logistic_default", "logistic", 0.0},
                    GroupCase{"logistic_small", "logistic", 0.7},
                    GroupCase{"logistic_middle", "logistic", 2.0},
                    GroupCase{"logistic_all_rows", "logistic", 0.0, true},
                    GroupCase{"poisson_default", "poisson", 0.0},
                    GroupCase{"poisson_small", "poisson", 0.7},
                    GroupCase{"poisson_middle", "poisson", 2.0},
                    GroupCase{"poisson_all_rows", "poisson", 0.0, true},
                    GroupCase{"poisson_not_centred", "poisson", 1.2, false, {.centred = false}},
                    GroupCase{"poisson_centred", "poisson", 1.2, false, {.scales = false}},
                    GroupCase{"negative_binomial_small", "negative-binomial", 1.0},
                    GroupCase{"negative_binomial_default", "negative-binomial", 0.0}),
    [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace flymc
