// A few chains against quadrature at high power: passes on the engine as it is, fails on a planted
// error. Prints the worst z-score; stops at the first combination that is wrong.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "support/exact_local_chain.hpp"
#include "support/exact_modes.hpp"
#include "support/exact_wide.hpp"

namespace flymc::exact {
namespace {

struct Case {
  Combination choice;
  std::size_t draws;
};

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

double worst_of(const std::vector<Comparison>& comparisons) {
  double worst = comparisons.empty() ? HUGE_VAL : 0.0;
  for (const Comparison& c : comparisons) {
    // A chain that stands still or leaves the numbers has no finite score.
    worst = std::isfinite(c.z) ? std::max(worst, std::abs(c.z)) : HUGE_VAL;
  }
  return worst;
}

double worst_z(const Case& test) {
  constexpr std::uint64_t kSeed = 12345;
  constexpr double kStretch = 12.0;
  const Combination& choice = test.choice;
  double worst = HUGE_VAL;
  const auto local = [&](const auto& problem) {
    worst = worst_of(run_local(problem, choice, kSeed, test.draws).comparisons);
  };
  const auto either = [&](const auto& problem) {
    if (choice.bound == kLocal) {
      return local(problem);
    }
    worst = worst_of(compare_with_quadrature(problem, choice, kSeed, test.draws));
  };
  if (choice.local.name == "walls") {
    local(wall_problem(choice.prior, kStretch));
  } else if (choice.model == kPoisson) {
    local(poisson_problem(choice.prior));
  } else {
    with_problem(choice.model, choice.prior, either);
  }
  return worst;
}

// Two modes, of proposals whose weights are far from the truth.
double worst_of_modes() {
  constexpr std::size_t kDraws = 100'000;
  const Problem<StudentT> problem = two_modes();
  double worst = 0.0;
  for (const double z : mode_scores(problem, both_modes(problem, 2.0), 12345, kDraws)) {
    worst = std::isfinite(z) ? std::max(worst, std::abs(z)) : HUGE_VAL;
  }
  return worst;
}

int run() {
  double worst = worst_of_modes();
  if (!(worst < kZThreshold)) {
    std::printf("worst z %.1f between two modes\n", worst);
    return EXIT_FAILURE;
  }
  worst = std::max(worst, wide_score());
  if (!(worst < kZThreshold)) {
    std::printf("worst z %.1f in the sums of a wide table\n", worst);
    return EXIT_FAILURE;
  }
  std::vector<Case> all(std::begin(kLocalCases), std::end(kLocalCases));
  all.insert(all.end(), std::begin(kCases), std::end(kCases));
  for (const Case& test : all) {
    const double z = worst_z(test);
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

int main() {
  try {
    return flymc::exact::run();
  } catch (const std::exception& error) {
    std::printf("worst z inf: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
