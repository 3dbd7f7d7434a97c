#include "mutation/probe.hpp"

namespace flymc::exact {

double worst_of_softmax(const Case& test) {
  const int classes = test.choice.model == ModelChoice::kSoftmaxTwo ? 2 : 3;
  return worst_z(softmax_problem(classes, test.choice.prior), test);
}

}  // namespace flymc::exact
