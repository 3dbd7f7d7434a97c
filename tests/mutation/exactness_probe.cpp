// A few chains against quadrature at high power: passes on the engine as it is, fails on a planted
// error. Prints the worst z-score; stops at the first combination that is wrong.
//   exactness_probe [PART]   of one family alone: logistic, softmax, student_t or poisson
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string_view>
#include <vector>

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

struct Part {
  std::string_view name;
  double (*worst)(const Case& test);
};
constexpr Part kLogisticPart{"logistic", worst_of_logistic};
constexpr Part kSoftmaxPart{"softmax", worst_of_softmax};
constexpr Part kStudentTPart{"student_t", worst_of_student_t};
constexpr Part kPoissonPart{"poisson", worst_of_poisson};

const Part& part_of(const Case& test) {
  switch (test.choice.model) {
    case kSoftmaxTwo:
    case kSoftmaxThree:
      return kSoftmaxPart;
    case kStudentT:
      return kStudentTPart;
    case kPoisson:
      return kPoissonPart;
    default:
      return kLogisticPart;
  }
}

// `only`: empty for all parts.
int run(std::string_view only) {
  double worst = 0.0;
  if (only.empty() || only == kStudentTPart.name) {
    worst = worst_of_modes();
    if (!(worst < kZThreshold)) {
      std::printf("worst z %.1f between two modes\n", worst);
      return EXIT_FAILURE;
    }
  }
  if (only.empty() || only == kLogisticPart.name) {
    worst = std::max(worst, worst_of_wide());
    if (!(worst < kZThreshold)) {
      std::printf("worst z %.1f in the sums of a wide table\n", worst);
      return EXIT_FAILURE;
    }
  }
  std::vector<Case> all(std::begin(kLocalCases), std::end(kLocalCases));
  all.insert(all.end(), std::begin(kCases), std::end(kCases));
  for (const Case& test : all) {
    const Part& part = part_of(test);
    if (!only.empty() && only != part.name) {
      continue;
    }
    const double z = part.worst(test);
    worst = std::max(worst, z);
    if (!(z < kZThreshold)) {
      std::printf("worst z %.1f in %s\n", z, name_of(test.choice).c_str());
      return EXIT_FAILURE;
    }
  }
  std::printf("worst z %.1f, all within %.1f\n", worst, kZThreshold);
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace flymc::exact

int main(int count, char** words) {
  try {
    return flymc::exact::run(count > 1 ? words[1] : "");
  } catch (const std::exception& error) {
    std::printf("worst z inf: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
