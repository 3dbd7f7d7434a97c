// Zero-inflated Poisson: 0 with probability 1 / (1 + e^-zi), else Poisson of mean e^mu. log y! is
// left out.
#pragma once

#include <cmath>

#include "family/auto/typed_density.hpp"
#include "flymc/detail/core/numeric.hpp"
#include "flymc/detail/core/special.hpp"
#include "flymc/detail/family/samplers.hpp"
#include "flymc/family/family.hpp"

namespace flymc {

class Zip : public Typed<2> {
 public:
  Zip()
      : Typed("m = exp(mu); if(y == 0, softplus(zi + m), y*mu) - softplus(zi) - m", {"mu", "zi"}) {}

  static constexpr const char* kWord = "zip";
  static constexpr ResponseKind kResponse = ResponseKind::kCounts;
  static constexpr const char* kLink = "log";
  static constexpr Auxiliary kAuxiliaries[] = {kExtraZeros};

  [[nodiscard]] double mean(const double* eta) const noexcept {
    return sigmoid(-eta[1]) * std::exp(eta[0]);
  }
  [[nodiscard]] double spread(const double* eta) const noexcept {
    return std::sqrt(mean(eta) * (1.0 + sigmoid(eta[1]) * std::exp(eta[0])));
  }
  [[nodiscard]] double log_constant(double response, double /*trials*/) const noexcept {
    return -log_gamma(response + 1.0);
  }
  [[nodiscard]] double sample(Stream& stream, const double* eta, const Sampling& /*how*/) const {
    return stream.uniform() < sigmoid(eta[1]) ? 0.0 : sample_count(stream, std::exp(eta[0]));
  }
};

static_assert(BoundedMatrix<Zip>);

}  // namespace flymc
