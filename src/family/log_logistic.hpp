// Log-logistic regression: median e^mu, shape k = e^shape; odds of survival (y e^-mu)^-k. A
// response -t is right censored: more than t.
#pragma once

#include <cmath>

#include "family/auto/typed_density.hpp"
#include "flymc/family/family.hpp"

namespace flymc {

class LogLogistic : public Typed<2> {
 public:
  LogLogistic()
      : Typed(
            "t = abs(y); z = exp(shape)*(log(t) - mu);"
            "if(y > 0, shape + z - log(t) - 2*softplus(z), -softplus(z))",
            {"mu", "shape"}) {}

  static constexpr const char* kWord = "log-logistic";
  static constexpr ResponseKind kResponse = ResponseKind::kPositive;
  static constexpr const char* kLink = "log";
  static constexpr bool kTakesCensored = true;
  static constexpr Auxiliary kAuxiliaries[] = {concentration("shape", 2.0, 0.5)};

  // The median: with a shape of 1 or less there is no mean.
  [[nodiscard]] double mean(const double* eta) const noexcept { return std::exp(eta[0]); }
  // As wide as log y is, pi / (sqrt(3) k), times the median.
  [[nodiscard]] double spread(const double* eta) const noexcept {
    return 1.8137993642342178 * std::exp(eta[0] - eta[1]);
  }
  [[nodiscard]] double sample(Stream& stream, const double* eta,
                              const Sampling& /*how*/) const noexcept {
    const double share = stream.uniform();
    return std::exp(eta[0] + std::log(share / (1.0 - share)) * std::exp(-eta[1]));
  }
};

static_assert(BoundedMatrix<LogLogistic>);

}  // namespace flymc
