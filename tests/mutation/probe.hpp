// The parts of the exactness probe, one a family: a planted error is compiled into one at a time.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/exact_local_chain.hpp"

namespace flymc::exact {

struct Case {
  Combination choice;
  std::size_t draws;
};

constexpr std::uint64_t kSeed = 12345;

// The largest z-score of a chain against quadrature, of each part's own cases.
[[nodiscard]] double worst_of_logistic(const Case& test);
[[nodiscard]] double worst_of_softmax(const Case& test);
[[nodiscard]] double worst_of_student_t(const Case& test);
[[nodiscard]] double worst_of_poisson(const Case& test);
// Logistic, of a table of indicators.
[[nodiscard]] double worst_of_wide();
// Student-t with two modes, by proposals whose weights are far from the truth.
[[nodiscard]] double worst_of_modes();

// A chain that stands still or leaves the numbers has no finite score.
[[nodiscard]] inline double worst(double z, double other) {
  return std::isfinite(z) ? std::max(std::abs(z), other) : HUGE_VAL;
}

template <class M>
[[nodiscard]] double worst_z(const Problem<M>& problem, const Case& test) {
  const Combination& choice = test.choice;
  std::vector<Comparison> comparisons;
  if (choice.bound == BoundKind::kLocal) {
    comparisons = run_local(problem, choice, kSeed, test.draws).comparisons;
  } else if constexpr (kHasGlobalBound<M>) {
    comparisons = compare_with_quadrature(problem, choice, kSeed, test.draws);
  }
  double result = comparisons.empty() ? HUGE_VAL : 0.0;
  for (const Comparison& comparison : comparisons) {
    result = worst(comparison.z, result);
  }
  return result;
}

}  // namespace flymc::exact
