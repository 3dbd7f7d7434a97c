// A few chains against quadrature at high power: passes on the engine as it is, fails on a planted
// error. Prints the worst z-score; stops at the first combination that is wrong.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "support/exact_moments.hpp"

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
constexpr Case kCases[] = {
    {{kLogistic, kNormal, kMapTuned, kImplicit, kRandomWalk, kOscillator}, 800'000},
    {{kSoftmaxThree, kNormal, kUntuned, kImplicit, kMala, kPlain}, 300'000},
    {{kStudentT, kNormal, kUntuned, kShuffled, kSlice, kPlain}, 250'000},
    {{kSoftmaxThree, kNormal, kMapTuned, kSequential, kHmc, kWhitened}, 150'000},
    {{kLogistic, kNormal, kUntuned, kImplicitLazy, kIndependence, kPlain}, 600'000},
    {{kStudentT, kNormal, kMapTuned, kRandom, kRandomWalk, kOscillator}, 600'000},
    {{kSoftmaxTwo, PriorKind::kLaplace, kMapTuned, kImplicit, kSlice, kWhitened}, 100'000},
    {{kLogistic, kNormal, kMapTuned, ZChoice::kNone, kHmc, kPlain}, 100'000},
};

double worst_z(const Case& test) {
  double worst = 0.0;
  with_problem(test.choice.model, test.choice.prior, [&](const auto& problem) {
    const auto comparisons = compare_with_quadrature(problem, test.choice, 12345, test.draws);
    for (const Comparison& c : comparisons) {
      // A chain that stands still or leaves the numbers has no finite score.
      worst = std::isfinite(c.z) ? std::max(worst, std::abs(c.z)) : HUGE_VAL;
    }
    worst = comparisons.empty() ? HUGE_VAL : worst;
  });
  return worst;
}

int run() {
  double worst = 0.0;
  for (const Case& test : kCases) {
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
