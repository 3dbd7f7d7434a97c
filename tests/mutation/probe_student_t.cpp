#include "mutation/probe.hpp"
#include "support/exact_modes.hpp"

namespace flymc::exact {

double worst_of_student_t(const Case& test) {
  return worst_z(student_t_problem(test.choice.prior), test);
}

double worst_of_modes() {
  constexpr std::size_t kDraws = 100'000;
  const Problem<StudentT> problem = two_modes();
  double result = 0.0;
  for (const double z : mode_scores(problem, both_modes(problem, 2.0), kSeed, kDraws)) {
    result = worst(z, result);
  }
  return result;
}

}  // namespace flymc::exact
