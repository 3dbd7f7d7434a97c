// Hurdle Poisson: 0 with probability 1 / (1 + e^-zi), else a Poisson count of e^mu that is not 0.
// log y! is left out.
#pragma once

#include <cmath>

#include "family/auto/typed_density.hpp"
#include "flymc/detail/core/numeric.hpp"
#include "flymc/detail/core/special.hpp"
#include "flymc/detail/family/samplers.hpp"
#include "flymc/family/family.hpp"

namespace flymc {

class HurdlePoisson : public Typed<2> {
 public:
  HurdlePoisson()
      : Typed("m = exp(mu); if(y == 0, -softplus(-zi), y*mu - m - log1mexp(m) - softplus(zi))",
              {"mu", "zi"}) {}

  static constexpr const char* kWord = "hurdle-poisson";
  static constexpr ResponseKind kResponse = ResponseKind::kCounts;
  static constexpr const char* kLink = "log";
  static constexpr Auxiliary kAuxiliaries[] = {kExtraZeros};

  [[nodiscard]] double mean(const double* eta) const noexcept {
    const double all = std::exp(eta[0]);
    return sigmoid(-eta[1]) * all / -std::expm1(-all);
  }
  [[nodiscard]] double spread(const double* eta) const noexcept {
    const double one = mean(eta);
    return std::sqrt(std::max(0.0, one * (1.0 + std::exp(eta[0]) - one)));
  }
  [[nodiscard]] double log_constant(double response, double /*trials*/) const noexcept {
    return -log_gamma(response + 1.0);
  }
  // Of counts that are not 0: the first of a Poisson process within 1, then as many as fit behind.
  [[nodiscard]] double sample(Stream& stream, const double* eta, const Sampling& /*how*/) const {
    if (stream.uniform() < sigmoid(eta[1])) {
      return 0.0;
    }
    const double all = std::exp(eta[0]);
    const double first = -std::log1p(stream.uniform() * std::expm1(-all));
    return 1.0 + sample_count(stream, std::max(0.0, all - first));
  }
};

static_assert(BoundedMatrix<HurdlePoisson>);

}  // namespace flymc
