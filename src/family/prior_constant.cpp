#include "family/prior_constant.hpp"

#include <cmath>
#include <numbers>

#include "flymc/detail/core/special.hpp"

namespace flymc {

double log_constant(const PriorTerm& term) noexcept {
  const double log_scale = std::log(term.scale);
  switch (term.kind) {
    case PriorKind::kNormal:
      return -log_scale - 0.5 * std::log(2.0 * std::numbers::pi);
    case PriorKind::kLaplace:
      return -log_scale - std::numbers::ln2;
    case PriorKind::kExponential:
      return -log_scale;
    case PriorKind::kHalfNormal:
      return -log_scale + 0.5 * std::log(2.0 / std::numbers::pi);
    case PriorKind::kHalfT:
      return std::numbers::ln2 + log_gamma(0.5 * (term.shape + 1.0)) - log_gamma(0.5 * term.shape) -
             0.5 * std::log(term.shape * std::numbers::pi) - log_scale;
    case PriorKind::kGamma:
      return -log_gamma(term.shape) - term.shape * log_scale;
    case PriorKind::kInverseGamma:
      return term.shape * log_scale - log_gamma(term.shape);
    case PriorKind::kUniformShare:
    case PriorKind::kFlat:
    case PriorKind::kUniform:
      break;
  }
  return 0.0;
}

double log_constant(const Prior& prior) noexcept {
  double sum = 0.0;
  for (const PriorTerm& term : prior.terms()) {
    sum += log_constant(term);
  }
  return sum;
}

}  // namespace flymc
