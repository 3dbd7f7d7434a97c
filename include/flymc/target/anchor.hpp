// Where the tangents touch and what the posterior looks like there: the result of a MAP search.
#pragma once

#include <cstdint>

#include "flymc/core/linalg.hpp"

namespace flymc {

struct Anchor {
  Vector theta;            // (approximately) the MAP
  Matrix precision;        // positive definite: minus the Hessian of the log posterior near theta
  double decrement = 0.0;  // length of the last step in the posterior norm
  int passes = 0;          // over all rows
  std::uint64_t queries = 0;
};

}  // namespace flymc
