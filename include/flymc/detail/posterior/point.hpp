// A position of a chain with everything a target has computed there: acceptance is a swap, and the
// z-update reads what the theta-update left, without another query.
#pragma once

#include <limits>

#include "flymc/detail/core/buffer.hpp"
#include "flymc/detail/core/linalg.hpp"

namespace flymc {

enum class Order { kValue, kGradient };

// The log density is a Gaussian part plus these; beacons fill one part per level.
enum Part : Index { kBrightPart = 0, kRegionPart = 1, kPriorPart = 2, kFirstLevel = 3 };

struct Point {
  Vector zeta;  // frame coordinates: theta = anchor + F zeta
  double log_density = -std::numeric_limits<double>::infinity();
  Vector gradient;  // of log_density in zeta; valid after evaluation with Order::kGradient

  // What a target left here; empty for one without brightness. Bright data in slot order.
  Buffer<double> log_factors;  // log(L/B - 1)
  Buffer<double> slopes;       // its derivative in the predictors, predictor_count each
  Vector parts;                // value of each part
  Matrix forces;               // gradient of each part in zeta, one column a part
  double level_step = 0.0;     // the step for which beacons were dealt to levels; 0: all in one

  explicit Point(Index dimension = 0)
      : zeta(Vector::Zero(dimension)), gradient(Vector::Zero(dimension)) {}
};

}  // namespace flymc
