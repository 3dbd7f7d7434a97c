#include "flymc/family/prior.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "flymc/detail/core/numeric.hpp"
#include "flymc/detail/family/samplers.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

// Value, slope and minus the second derivative in t.
struct NaturalExpansion {
  double value = 0.0;
  double slope = 0.0;
  double precision = 0.0;
};

// log density of t = log s: log p(s) + t; of a logit: log p(s) + log s (1 - s).
NaturalExpansion natural_expansion(const PriorTerm& term, double t) noexcept {
  switch (term.kind) {
    case PriorKind::kExponential: {
      const double x = std::exp(t) / term.scale;
      return {t - x, 1.0 - x, x};
    }
    case PriorKind::kHalfNormal: {
      const double x = std::exp(t) / term.scale;
      return {t - 0.5 * x * x, 1.0 - x * x, 2.0 * x * x};
    }
    case PriorKind::kHalfT: {
      const double z = 2.0 * (t - std::log(term.scale)) - std::log(term.shape);  // log s^2/(nu a^2)
      const double share = sigmoid(z);
      const double power = 0.5 * (term.shape + 1.0);
      return {t - power * softplus(z), 1.0 - 2.0 * power * share,
              4.0 * power * share * (1.0 - share)};
    }
    case PriorKind::kGamma: {
      const double x = std::exp(t) / term.scale;
      return {term.shape * t - x, term.shape - x, x};
    }
    case PriorKind::kInverseGamma: {
      const double x = term.scale * std::exp(-t);
      return {-term.shape * t - x, x - term.shape, x};
    }
    case PriorKind::kUniform:
      return {t, 1.0, 0.0};
    case PriorKind::kUniformShare: {
      const double share = sigmoid(t);
      return {-softplus(t) - softplus(-t), 1.0 - 2.0 * share, 2.0 * share * (1.0 - share)};
    }
    default:
      return {};
  }
}

double natural_draw(const PriorTerm& term, Stream& stream) noexcept {
  switch (term.kind) {
    case PriorKind::kExponential:
      return std::log(term.scale * stream.exponential());
    case PriorKind::kHalfNormal:
      return std::log(term.scale * std::abs(stream.normal()));
    case PriorKind::kHalfT:
      return std::log(term.scale * std::abs(sample_t(stream, term.shape)));
    case PriorKind::kGamma:
      return std::log(term.scale * stream.gamma(term.shape));
    case PriorKind::kInverseGamma:
      return std::log(term.scale / stream.gamma(term.shape));
    case PriorKind::kUniformShare: {
      const double share = stream.uniform();
      return std::log(share / (1.0 - share));
    }
    default:
      return term.location;
  }
}

}  // namespace

Prior::Prior(std::vector<PriorTerm> terms) : terms_(std::move(terms)) {
  for (const auto& term : terms_) {
    const bool proper_scale = term.scale > 0.0 && std::isfinite(term.scale);
    const bool proper_shape = term.shape > 0.0 && std::isfinite(term.shape);
    if (term.kind != PriorKind::kFlat &&
        !(proper_scale && proper_shape && std::isfinite(term.location))) {
      throw Error(ErrorKind::kUsage, "prior: the scale must be positive and finite.");
    }
  }
}

Vector Prior::location() const {
  Vector location(dimension());
  for (std::size_t j = 0; j < terms_.size(); ++j) {
    location[static_cast<Index>(j)] = terms_[j].location;
  }
  return location;
}

Vector Prior::start() const {
  Vector start = location();
  for (std::size_t j = 0; j < terms_.size(); ++j) {
    start[static_cast<Index>(j)] = terms_[j].start.value_or(terms_[j].location);
  }
  return start;
}

bool Prior::is_parabola() const noexcept {
  return std::all_of(terms_.begin(), terms_.end(), [](const auto& term) {
    return term.kind == PriorKind::kNormal || term.kind == PriorKind::kFlat;
  });
}

bool Prior::has_flat() const noexcept {
  return std::any_of(terms_.begin(), terms_.end(), [](const auto& term) {
    return term.kind == PriorKind::kFlat || term.kind == PriorKind::kUniform;
  });
}

double Prior::log_density(const Vector& theta) const noexcept {
  double sum = 0.0;
  for (std::size_t j = 0; j < terms_.size(); ++j) {
    const double t = (theta[static_cast<Index>(j)] - terms_[j].location) / terms_[j].scale;
    if (terms_[j].kind == PriorKind::kNormal) {
      sum -= 0.5 * t * t;
    } else if (terms_[j].kind == PriorKind::kLaplace) {
      sum -= std::abs(t);
    } else if (is_natural(terms_[j].kind)) {
      sum += natural_expansion(terms_[j], theta[static_cast<Index>(j)]).value;
    }
  }
  return sum;
}

void Prior::add_gradient(const Vector& theta, Vector& gradient) const noexcept {
  for (std::size_t j = 0; j < terms_.size(); ++j) {
    const auto i = static_cast<Index>(j);
    const double t = (theta[i] - terms_[j].location) / terms_[j].scale;
    if (terms_[j].kind == PriorKind::kNormal) {
      gradient[i] -= t / terms_[j].scale;
    } else if (terms_[j].kind == PriorKind::kLaplace && t != 0.0) {
      gradient[i] -= std::copysign(1.0 / terms_[j].scale, t);
    } else if (is_natural(terms_[j].kind)) {
      gradient[i] += natural_expansion(terms_[j], theta[i]).slope;
    }
  }
}

double Prior::smooth_log_density(const Vector& theta, const Vector& smoothing) const noexcept {
  double sum = 0.0;
  for (std::size_t j = 0; j < terms_.size(); ++j) {
    const auto i = static_cast<Index>(j);
    const double t = theta[i] - terms_[j].location;
    if (terms_[j].kind == PriorKind::kNormal) {
      sum -= 0.5 * t * t / (terms_[j].scale * terms_[j].scale);
    } else if (terms_[j].kind == PriorKind::kLaplace) {
      sum -= std::hypot(t, smoothing[i]) / terms_[j].scale;
    } else if (is_natural(terms_[j].kind)) {
      sum += natural_expansion(terms_[j], theta[i]).value;
    }
  }
  return sum;
}

void Prior::add_smooth_derivatives(const Vector& theta, const Vector& smoothing, Vector& gradient,
                                   Vector& precision) const noexcept {
  for (std::size_t j = 0; j < terms_.size(); ++j) {
    const auto i = static_cast<Index>(j);
    const double t = theta[i] - terms_[j].location;
    const double scale = terms_[j].scale;
    if (terms_[j].kind == PriorKind::kNormal) {
      gradient[i] -= t / (scale * scale);
      precision[i] += 1.0 / (scale * scale);
    } else if (terms_[j].kind == PriorKind::kLaplace) {
      const double root = std::hypot(t, smoothing[i]);
      const double share = smoothing[i] / root;
      gradient[i] -= t / (root * scale);
      precision[i] += share * share / (root * scale);
    } else if (is_natural(terms_[j].kind)) {
      const NaturalExpansion at = natural_expansion(terms_[j], theta[i]);
      gradient[i] += at.slope;
      precision[i] += at.precision;
    }
  }
}

void Prior::sample(Stream& stream, Vector& theta) const noexcept {
  for (std::size_t j = 0; j < terms_.size(); ++j) {
    if (is_natural(terms_[j].kind)) {
      theta[static_cast<Index>(j)] = natural_draw(terms_[j], stream);
      continue;
    }
    double unit = 0.0;
    if (terms_[j].kind == PriorKind::kNormal) {
      unit = stream.normal();
    } else if (terms_[j].kind == PriorKind::kLaplace) {
      const double magnitude = stream.exponential();
      unit = stream.uniform() < 0.5 ? magnitude : -magnitude;
    }
    theta[static_cast<Index>(j)] = terms_[j].location + terms_[j].scale * unit;
  }
}

}  // namespace flymc
