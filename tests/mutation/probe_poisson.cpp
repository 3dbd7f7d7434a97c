#include "mutation/probe.hpp"
#include "support/exact_glm.hpp"

namespace flymc::exact {

double worst_of_poisson(const Case& test) {
  return worst_z(poisson_problem(test.choice.prior), test);
}

}  // namespace flymc::exact
