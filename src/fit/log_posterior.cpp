#include "fit/log_posterior.hpp"

#include "fit/family_engine.hpp"

namespace flymc {

double log_posterior(const Problem& problem, const Vector& theta) {
  return engine_of(*problem.family).log_posterior(problem, theta);
}

}  // namespace flymc
