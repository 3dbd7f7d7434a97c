// Beta regression of shares in (0, 1): mean p = 1 / (1 + e^-mu), precision f = e^phi; the variance
// is p (1 - p) / (1 + f).
#pragma once

#include <cmath>

#include "family/auto/typed_density.hpp"
#include "flymc/detail/core/numeric.hpp"
#include "flymc/family/family.hpp"

namespace flymc {

class Beta : public Typed<2> {
 public:
  Beta()
      : Typed(
            "f = exp(phi); a = sigmoid(mu)*f; b = sigmoid(-mu)*f;"
            "lgamma(f) - lgamma(a) - lgamma(b) + a*log(y) + b*log(1 - y) - log(y) - log(1 - y)",
            {"mu", "phi"}) {}

  static constexpr const char* kWord = "beta";
  static constexpr ResponseKind kResponse = ResponseKind::kShares;
  static constexpr const char* kLink = "logit";
  static constexpr Auxiliary kAuxiliaries[] = {concentration("phi", 10.0, 1.5)};

  [[nodiscard]] double mean(const double* eta) const noexcept { return sigmoid(eta[0]); }
  [[nodiscard]] double spread(const double* eta) const noexcept {
    return std::sqrt(sigmoid(eta[0]) * sigmoid(-eta[0]) / (1.0 + std::exp(eta[1])));
  }
  [[nodiscard]] double sample(Stream& stream, const double* eta,
                              const Sampling& /*how*/) const noexcept {
    const double a = stream.gamma(sigmoid(eta[0]) * std::exp(eta[1]));
    const double b = stream.gamma(sigmoid(-eta[0]) * std::exp(eta[1]));
    constexpr double kLeast = 1e-300;  // no share is 0 or 1
    return std::clamp(a / (a + b), kLeast, 1.0 - 1e-16);
  }
};

static_assert(BoundedMatrix<Beta>);

}  // namespace flymc
