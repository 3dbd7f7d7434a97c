// Binomial regression with a logit link: phi(eta) = y eta - log(1 + e^eta), y in [0, 1].
//
// A datum of s successes in m trials has the response y = s / m and the WEIGHT m, so that m phi is
// its log likelihood; the constant log of the binomial coefficient is left out at every eta.
// phi differs from a logistic one by a linear function of eta, which no remainder and no curvature
// sees: the bounds are those of Logistic.
// See docs/method/families.md, Binomial.
#pragma once

#include <cmath>

#include "flymc/detail/core/numeric.hpp"
#include "flymc/detail/core/special.hpp"
#include "flymc/family/family.hpp"
#include "flymc/family/likelihood.hpp"
#include "flymc/family/logistic.hpp"

namespace flymc {

struct Binomial {
  static constexpr bool kLogConcave = true;
  static constexpr double kUntunedXi = Logistic::kUntunedXi;

  // For eta > 0 as (y - 1) eta - log(1 + e^-eta): the digits of y = 1 stay.
  [[nodiscard]] double log_likelihood(double eta, double response) const noexcept {
    return eta > 0.0 ? (response - 1.0) * eta - softplus(-eta) : response * eta - softplus(eta);
  }
  [[nodiscard]] double log_likelihood(double eta, double response, double& slope) const noexcept {
    slope = response * sigmoid(-eta) - (1.0 - response) * sigmoid(eta);
    return log_likelihood(eta, response);
  }
  [[nodiscard]] double information(double eta, double response) const noexcept {
    return kLogistic.information(eta, response);
  }

  [[nodiscard]] double curvature(double anchor, double response) const noexcept {
    return kLogistic.curvature(anchor, response);
  }
  [[nodiscard]] double local_curvature(double anchor, double response,
                                       double radius) const noexcept {
    return kLogistic.local_curvature(anchor, response, radius);
  }
  // Logistic's +-xi at y = 0 and 1, 0 at an even split. Its sign does not matter to the bound.
  [[nodiscard]] double untuned_anchor(double response, double xi) const noexcept {
    return (2.0 * response - 1.0) * xi;
  }

  [[nodiscard]] double remainder(double anchor, double u, double response,
                                 double& slope) const noexcept {
    return kLogistic.remainder(anchor, u, response, slope);
  }
  [[nodiscard]] double memo(double anchor, double response) const noexcept {
    return kLogistic.memo(anchor, response);
  }
  [[nodiscard]] double remainder_from(double memo, double anchor, double u,
                                      double& slope) const noexcept {
    return kLogistic.remainder_from(memo, anchor, u, slope);
  }

  static constexpr const char* kWord = "binomial";
  static constexpr ResponseKind kResponse = ResponseKind::kSuccesses;
  static constexpr const char* kLink = "logit";
  static constexpr bool kInformationWithinSlope = true;

  // Of one trial.
  [[nodiscard]] double mean(double eta) const noexcept { return sigmoid(eta); }
  void means(ArrayView eta) const { kLogistic.means(eta); }
  // Of the share of successes.
  [[nodiscard]] double spread(double mean, double trials) const noexcept {
    return std::sqrt(mean * (1.0 - mean) / trials);
  }
  // The binomial coefficient.
  [[nodiscard]] double log_constant(double response, double trials) const noexcept {
    const double successes = std::round(response * trials);
    return log_gamma(trials + 1.0) - log_gamma(successes + 1.0) -
           log_gamma(trials - successes + 1.0);
  }
  [[nodiscard]] static OpenSide open_side(double response) noexcept {
    return response == 0.0 ? OpenSide::kDown : response == 1.0 ? OpenSide::kUp : OpenSide::kNeither;
  }
  // Trial by trial.
  [[nodiscard]] double sample(Stream& stream, double eta, const Sampling& how) const noexcept {
    if (how.certain) {
      return eta > 0.0 ? how.trials : 0.0;
    }
    const double p = sigmoid(eta);
    double successes = 0.0;
    for (double trial = 0.0; trial < how.trials; trial += 1.0) {
      successes += stream.uniform() < p ? 1.0 : 0.0;
    }
    return successes;
  }

 private:
  static constexpr Logistic kLogistic{};
};

static_assert(GlobalScalar<Binomial> && LocalScalar<Binomial>);

}  // namespace flymc
