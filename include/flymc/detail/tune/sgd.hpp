// The paper's anchor search: stochastic gradient ascent on the log posterior, in minibatches, with
// per-coordinate steps that shrink with the gradients seen (AdaGrad) and averaging over the second
// half. Cheap and rough: the bounds are exact at any anchor, only the bright count pays.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "flymc/detail/core/linalg.hpp"
#include "flymc/family/prior.hpp"
#include "flymc/random.hpp"

namespace flymc {

// Gradient of the log likelihood of some rows, added up; counts one query a row.
using BatchGradient =
    std::function<void(const Vector& theta, std::span<const std::size_t> rows, Vector& gradient)>;

struct SgdOptions {
  double epochs = 2.0;  // queries over N
  std::size_t batch = 100;
  double step = 0.5;
  double unit = 1.0;  // of theta
};

[[nodiscard]] Vector stochastic_gradient(const Prior& prior, const BatchGradient& batch_gradient,
                                         std::size_t rows, const SgdOptions& options,
                                         Stream stream);

}  // namespace flymc
