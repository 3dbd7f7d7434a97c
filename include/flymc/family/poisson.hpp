// Poisson regression with a log link: phi(eta) = t eta - e^eta, response t in {0, 1, 2, ...}; the
// constant -log t! is left out at every eta.
//
// No parabola lies below -e^eta everywhere, so there is no global bound. Local bound for |u| <= U:
// the curvature needed at u is e^a 2 (e^u - 1 - u) / u^2, which rises in u, so
//     k = e^a 2 em(U) / U^2,  em(x) = e^x - 1 - x.
// See docs/method/families.md, Poisson.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "flymc/detail/core/numeric.hpp"
#include "flymc/detail/core/special.hpp"
#include "flymc/detail/family/samplers.hpp"
#include "flymc/family/family.hpp"
#include "flymc/family/likelihood.hpp"

namespace flymc {

struct Poisson {
  static constexpr bool kLogConcave = true;

  // -inf where e^eta overflows, and never NaN: for t = 0 the first term is 0 even at eta = -inf.
  [[nodiscard]] double log_likelihood(double eta, double response) const noexcept {
    const double mean = std::exp(eta);
    if (mean > std::numeric_limits<double>::max()) {
      return -std::numeric_limits<double>::infinity();
    }
    return response > 0.0 ? response * eta - mean : -mean;
  }
  [[nodiscard]] double log_likelihood(double eta, double response, double& slope) const noexcept {
    slope = response - std::exp(eta);
    return log_likelihood(eta, response);
  }
  [[nodiscard]] double information(double eta, double /*response*/) const noexcept {
    return std::exp(eta);
  }

  // Grows with the radius, so a least radius is a safe stand-in for none, where 0/0 would stand.
  // +inf where e^(a + U) overflows: there is no finite bound then, and none may be made up.
  [[nodiscard]] double local_curvature(double anchor, double response,
                                       double radius) const noexcept {
    constexpr double kLeastRadius = 1e-8;
    const double reach = std::max(radius, kLeastRadius);
    double slope = 0.0;
    return with_margin(-2.0 * remainder(anchor, reach, response, slope) / reach / reach);
  }

  // phi(a + u) - phi(a) - phi'(a) u = -e^a em(u): the response drops out. Relative error below
  // 1e-14 while |a| <= 40 and |u| <= 50: that of the arguments of exp. -inf where it overflows.
  [[nodiscard]] double remainder(double anchor, double u, double response,
                                 double& slope) const noexcept {
    return remainder_from(memo(anchor, response), anchor, u, slope);
  }

  [[nodiscard]] double memo(double anchor, double /*response*/) const noexcept {
    return std::exp(anchor);
  }
  [[nodiscard]] double remainder_from(double memo, double anchor, double u,
                                      double& slope) const noexcept {
    constexpr double kFar = 30.0;  // beyond, e^u may overflow where e^(a + u) does not
    if (u > kFar) {
      const double moved = std::exp(anchor + u);
      if (moved > std::numeric_limits<double>::max()) {
        slope = -moved;
        return -moved;
      }
      slope = -(moved - memo);
      return -(moved - memo * (1.0 + u));
    }
    const double excess = expm1_minus_x(u);
    slope = -memo * (excess + u);
    return -memo * excess;
  }

  static constexpr const char* kWord = "poisson";
  static constexpr ResponseKind kResponse = ResponseKind::kCounts;
  static constexpr const char* kLink = "log";

  [[nodiscard]] double mean(double eta) const noexcept { return std::exp(eta); }
  [[nodiscard]] double predictor(double mean) const noexcept { return std::log(mean); }
  [[nodiscard]] double spread(double mean) const noexcept { return std::sqrt(mean); }
  [[nodiscard]] double log_constant(double response, double /*trials*/) const noexcept {
    return -log_gamma(response + 1.0);
  }
  [[nodiscard]] static OpenSide open_side(double response) noexcept {
    return response == 0.0 ? OpenSide::kDown : OpenSide::kNeither;
  }
  [[nodiscard]] double sample(Stream& stream, double eta, const Sampling& /*how*/) const {
    return sample_count(stream, std::exp(eta));
  }
};

static_assert(LocalScalar<Poisson> && !GlobalScalar<Poisson>);

}  // namespace flymc
