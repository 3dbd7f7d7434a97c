// A few chains against quadrature at high power: passes on the engine as it is, fails on a planted
// error.
#include <gtest/gtest.h>

#include <cctype>
#include <string>

#include "mutation/probe.hpp"

namespace flymc::exact {
namespace {

using enum ModelChoice;
using enum ZChoice;
using enum KernelChoice;
using enum FrameChoice;
using enum BoundKind;
constexpr PriorKind kNormal = PriorKind::kNormal;

// Every kernel, z-update, bound, model and frame occurs.
const Case kCases[] = {
    {{kLogistic, kNormal, kMapTuned, kImplicit, kRandomWalk, kOscillator}, 800'000},
    {{kSoftmaxThree, kNormal, kUntuned, kImplicit, kMala, kPlain}, 300'000},
    {{kStudentT, kNormal, kUntuned, kShuffled, kSlice, kPlain}, 250'000},
    {{kSoftmaxThree, kNormal, kMapTuned, kSequential, kHmc, kWhitened}, 150'000},
    {{kLogistic, kNormal, kUntuned, kImplicitLazy, kIndependence, kPlain}, 600'000},
    {{kStudentT, kNormal, kMapTuned, kRandom, kRandomWalk, kOscillator}, 600'000},
    {{kSoftmaxTwo, PriorKind::kLaplace, kMapTuned, kImplicit, kSlice, kWhitened}, 100'000},
    {{kLogistic, kNormal, kMapTuned, ZChoice::kNone, kHmc, kPlain}, 100'000},
};

const LocalChoice kLeftOften{
    .shells = {-0.9, 0.3}, .slack = 1.0, .anchor_shift = 0.7, .name = "left_often"};
const LocalChoice kTinyInner{
    .shells = {-1.3, 0.0, 0.6}, .slack = 0.0, .kappa = 5.0, .name = "tiny_inner"};
const LocalChoice kFarOut{.shells = {-1.0, 0.2}, .name = "far_out"};
const LocalChoice kOffTheMode{.shells = {-0.3, 1.5},
                              .beacons = BeaconShare::kSome,
                              .anchor_shift = 1.0,
                              .name = "off_the_mode"};
const LocalChoice kExactOutside{.shells = {-0.4}, .slack = 3.0, .name = "exact_outside"};
const LocalChoice kWalls{.shells = {0.5, 2.0}, .beacons = BeaconShare::kSome, .name = "walls"};

// Local bounds, shells left often; the last one on data with walls. Each planted error in bounds,
// beacons, weighted coins or split HMC shows in one of these.
const Case kLocalCases[] = {
    {{kLogistic, kNormal, kLocal, kWeighted, kSplitHmc, kOscillator, kLeftOften}, 250'000},
    {{kStudentT, PriorKind::kLaplace, kLocal, kWeighted, kSplitHmc, kOscillator, kOffTheMode},
     150'000},
    {{kPoisson, kNormal, kLocal, kWeighted, kElliptical, kOscillator, kExactOutside}, 150'000},
    {{kLogistic, kNormal, kLocal, kWeighted, kRandomWalk, kPlain, kTinyInner}, 400'000},
    {{kStudentT, kNormal, kLocal, kWeighted, kSplitHmc, kOscillator, kFarOut}, 100'000},
    {{kSoftmaxThree, kNormal, kLocal, kShuffled, kHmc, kWhitened, kLeftOften}, 50'000},
    {{kLogistic, kNormal, kLocal, kWeighted, kSplitHmc, kOscillator, kWalls}, 100'000},
};

double worst_of(const Case& test) {
  switch (test.choice.model) {
    case kSoftmaxTwo:
    case kSoftmaxThree:
      return worst_of_softmax(test);
    case kStudentT:
      return worst_of_student_t(test);
    case kPoisson:
      return worst_of_poisson(test);
    default:
      return worst_of_logistic(test);
  }
}

std::string test_name(const testing::TestParamInfo<Case>& test) {
  std::string name = name_of(test.param.choice);
  for (char& letter : name) {
    letter = std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '_';
  }
  return name;
}

TEST(ExactnessProbe, BetweenTwoModes) { EXPECT_LT(worst_of_modes(), kZThreshold); }

TEST(ExactnessProbe, SumsOfAWideTable) { EXPECT_LT(worst_of_wide(), kZThreshold); }

class ExactnessOf : public testing::TestWithParam<Case> {};

TEST_P(ExactnessOf, Chains) { EXPECT_LT(worst_of(GetParam()), kZThreshold); }

INSTANTIATE_TEST_SUITE_P(Local, ExactnessOf, testing::ValuesIn(kLocalCases), test_name);
INSTANTIATE_TEST_SUITE_P(Global, ExactnessOf, testing::ValuesIn(kCases), test_name);

}  // namespace
}  // namespace flymc::exact
