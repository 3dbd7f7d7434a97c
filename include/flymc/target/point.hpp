// A position of a chain with everything a target has computed there: acceptance is a swap, and the
// z-update reads what the theta-update left, without another query.
#pragma once

#include <limits>

#include "flymc/core/buffer.hpp"
#include "flymc/core/linalg.hpp"

namespace flymc {

enum class Order { kValue, kGradient };

struct Point {
  Vector eta;  // frame coordinates: theta = anchor + F eta
  double log_density = -std::numeric_limits<double>::infinity();
  Vector gradient;  // of log_density in eta; valid after evaluation with Order::kGradient

  // What the target left here; empty for one without brightness. Bright data in slot order.
  double log_baseline = 0.0;   // prior and collapsed bounds
  Buffer<double> log_factors;  // log(L/B - 1)
  Buffer<double> slopes;       // its derivative in the predictors, predictor_count each

  explicit Point(Index dimension = 0)
      : eta(Vector::Zero(dimension)), gradient(Vector::Zero(dimension)) {}
};

}  // namespace flymc
