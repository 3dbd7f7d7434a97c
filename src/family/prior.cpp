#include "flymc/family/prior.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "flymc/error.hpp"

namespace flymc {

Prior::Prior(std::vector<PriorTerm> terms) : terms_(std::move(terms)) {
  for (const auto& term : terms_) {
    const bool proper_scale = term.scale > 0.0 && std::isfinite(term.scale);
    if (term.kind != PriorKind::kFlat && !(proper_scale && std::isfinite(term.location))) {
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

bool Prior::has_laplace() const noexcept {
  return std::any_of(terms_.begin(), terms_.end(),
                     [](const auto& term) { return term.kind == PriorKind::kLaplace; });
}

bool Prior::has_flat() const noexcept {
  return std::any_of(terms_.begin(), terms_.end(),
                     [](const auto& term) { return term.kind == PriorKind::kFlat; });
}

double Prior::log_density(const Vector& theta) const noexcept {
  double sum = 0.0;
  for (std::size_t j = 0; j < terms_.size(); ++j) {
    const double t = (theta[static_cast<Index>(j)] - terms_[j].location) / terms_[j].scale;
    if (terms_[j].kind == PriorKind::kNormal) {
      sum -= 0.5 * t * t;
    } else if (terms_[j].kind == PriorKind::kLaplace) {
      sum -= std::abs(t);
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
    }
  }
}

void Prior::sample(Stream& stream, Vector& theta) const noexcept {
  for (std::size_t j = 0; j < terms_.size(); ++j) {
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
