#include "mutation/probe.hpp"
#include "support/exact_glm.hpp"
#include "support/exact_wide.hpp"

namespace flymc::exact {

double worst_of_logistic(const Case& test) {
  constexpr double kStretch = 12.0;
  const PriorKind prior = test.choice.prior;
  return worst_z(
      test.choice.local.name == "walls" ? wall_problem(prior, kStretch) : logistic_problem(prior),
      test);
}

double worst_of_wide() { return wide_score(); }

}  // namespace flymc::exact
