// Where the tangents touch and what the posterior looks like there: the result of a MAP search, or
// of a pilot run (then mean and inverse covariance).
#pragma once

#include <cstdint>

#include "flymc/detail/core/linalg.hpp"

namespace flymc {

struct Anchor {
  Vector theta;            // (approximately) the MAP
  Matrix precision;        // positive definite: minus the Hessian of the log posterior near theta
  double decrement = 0.0;  // length of the last step in the posterior norm
  bool sampled = false;    // that step came from a sample of the rows: what is left is unknown
  bool majorised = false;  // the Hessian is not positive definite, which it is at a mode
  int passes = 0;          // over all rows
  std::uint64_t queries = 0;
};

// One of the modes of a posterior that is not log-concave.
struct Mode {
  Anchor anchor;
  double log_evidence = 0.0;  // Laplace's, up to a constant that all modes share
};

}  // namespace flymc
