// Weibull regression: scale e^mu, shape k = e^shape; log survival -(y e^-mu)^k. A response -t is
// right censored: more than t.
#pragma once

#include <cmath>

#include "family/auto/typed_density.hpp"
#include "flymc/family/family.hpp"

namespace flymc {

class Weibull : public Typed<2> {
 public:
  Weibull()
      : Typed(
            "t = abs(y); z = exp(shape)*(log(t) - mu);"
            "if(y > 0, shape + z - log(t), 0) - exp(z)",
            {"mu", "shape"}) {}

  static constexpr const char* kWord = "weibull";
  static constexpr ResponseKind kResponse = ResponseKind::kPositive;
  static constexpr const char* kLink = "log";
  static constexpr bool kTakesCensored = true;
  static constexpr Auxiliary kAuxiliaries[] = {concentration("shape", 2.0, 0.5)};

  [[nodiscard]] double mean(const double* eta) const noexcept {
    return std::exp(eta[0]) * std::tgamma(1.0 + std::exp(-eta[1]));
  }
  [[nodiscard]] double spread(const double* eta) const noexcept {
    const double first = std::tgamma(1.0 + std::exp(-eta[1]));
    const double second = std::tgamma(1.0 + 2.0 * std::exp(-eta[1]));
    return std::exp(eta[0]) * std::sqrt(std::max(0.0, second - first * first));
  }
  [[nodiscard]] double sample(Stream& stream, const double* eta,
                              const Sampling& /*how*/) const noexcept {
    return std::exp(eta[0] + std::log(stream.exponential()) * std::exp(-eta[1]));
  }
};

static_assert(BoundedMatrix<Weibull>);

}  // namespace flymc
