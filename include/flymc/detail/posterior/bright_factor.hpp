// The factor by which a bright datum multiplies the joint density,
//   log(L/B - 1) = log(expm1(gap)),   gap = w (log L - log of its tangent) + slack.
#pragma once

#include <limits>

#include "flymc/detail/core/numeric.hpp"
#include "flymc/detail/family/tangent.hpp"
#include "flymc/detail/posterior/bright_rows.hpp"
#include "flymc/detail/posterior/point.hpp"

namespace flymc {

// Its logarithm, and with Order::kGradient the derivative in the predictors. A gap that rounds to
// zero or below has density zero: the datum cannot be bright here.
template <Order order, BoundedLikelihood M>
[[nodiscard]] double bright_factor(const M& model, const Tangent& tangent,
                                   const BrightRows::Facts& facts, const double* u,
                                   double* slopes) noexcept {
  double unused = 0.0;  // a slope nobody reads is not computed
  double* out = order == Order::kValue && ScalarLikelihood<M> ? &unused : slopes;
  const double gap = facts.weight * evaluate_gap(model, tangent, facts.memo, u, out) + facts.slack;
  if (!(gap > 0.0)) {
    return -std::numeric_limits<double>::infinity();
  }
  const LogExpm1 factor = log_expm1(gap);
  for (int k = 0; k < predictor_count(model); ++k) {
    out[k] *= facts.weight * factor.derivative;
  }
  return factor.value;
}

}  // namespace flymc
