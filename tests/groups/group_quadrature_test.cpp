// Whole chains against quadrature, with regions so small that levels leave them all the time.
#include <gtest/gtest.h>

#include "flymc/family/logistic.hpp"
#include "flymc/family/negative_binomial.hpp"
#include "flymc/family/poisson.hpp"
#include "groups/chain_moments.hpp"
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
  void (*amend)(GroupTuning&) = test::given_coins;
};
constexpr GroupCase without_coins(const char* name, const char* family, double radius) {
  return {name, family, radius, false, {}, test::summed_out};
}

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

class GroupQuadrature : public ::testing::TestWithParam<GroupCase> {};

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
  const auto moments_of = [](const Vector& theta) {
    return test::moments_of(theta[0], theta.data() + 1, theta[4]);
  };
  test::expect_chain_moments(setting, given.moves, expected, moments_of, 60'000, given.amend);
}

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
                      GroupCase{"poisson_not_centred", "poisson", 1.2, false, {.centred = false}},
                      GroupCase{"poisson_centred", "poisson", 1.2, false, {.scales = false}},
                      GroupCase{"negative_binomial_small", "negative-binomial", 1.0},
                      GroupCase{"negative_binomial_default", "negative-binomial", 0.0},
                      without_coins("logistic_summed_out_default", "logistic", 0.0),
                      without_coins("logistic_summed_out_small", "logistic", 0.7),
                      without_coins("poisson_summed_out_small", "poisson", 0.7),
                      without_coins("poisson_summed_out_middle", "poisson", 2.0)),
    [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace flymc
