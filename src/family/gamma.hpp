// Gamma regression: mean e^mu, shape k = e^shape; the variance is mean^2 / k.
#pragma once

#include <cmath>

#include "family/auto/typed_density.hpp"
#include "flymc/family/family.hpp"

namespace flymc {

class Gamma : public Typed<2> {
 public:
  Gamma()
      : Typed("k = exp(shape); k*(shape - mu + log(y) - y*exp(-mu)) - log(y) - lgamma(k)",
              {"mu", "shape"}) {}

  static constexpr const char* kWord = "gamma";
  static constexpr ResponseKind kResponse = ResponseKind::kPositive;
  static constexpr const char* kLink = "log";
  static constexpr Auxiliary kAuxiliaries[] = {concentration("shape", 2.0, 0.5)};

  [[nodiscard]] double mean(const double* eta) const noexcept { return std::exp(eta[0]); }
  [[nodiscard]] double spread(const double* eta) const noexcept {
    return std::exp(eta[0] - 0.5 * eta[1]);
  }
  [[nodiscard]] double sample(Stream& stream, const double* eta,
                              const Sampling& /*how*/) const noexcept {
    const double shape = std::exp(eta[1]);
    return std::exp(eta[0]) * stream.gamma(shape) / shape;
  }
};

static_assert(BoundedMatrix<Gamma>);

}  // namespace flymc
