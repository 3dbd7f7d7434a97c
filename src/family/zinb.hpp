// Zero-inflated negative binomial: 0 with probability 1 / (1 + e^-zi), else negative binomial of
// mean e^mu and size e^size. log y! is left out.
#pragma once

#include <cmath>

#include "family/auto/typed_density.hpp"
#include "flymc/detail/core/numeric.hpp"
#include "flymc/detail/core/special.hpp"
#include "flymc/detail/family/samplers.hpp"
#include "flymc/family/family.hpp"

namespace flymc {

class Zinb : public Typed<3> {
 public:
  Zinb()
      : Typed(
            "r = exp(size); x = mu - size; dark = -r*softplus(x);"
            "if(y == 0, dark + softplus(zi - dark), lrising(r, y) + y*x - (r + y)*softplus(x))"
            "- softplus(zi)",
            {"mu", "size", "zi"}) {}

  static constexpr const char* kWord = "zinb";
  static constexpr ResponseKind kResponse = ResponseKind::kCounts;
  static constexpr const char* kLink = "log";
  static constexpr Auxiliary kAuxiliaries[] = {concentration("size", 5.0, 1.0, "a Poisson"),
                                               kExtraZeros};

  [[nodiscard]] double mean(const double* eta) const noexcept {
    return sigmoid(-eta[2]) * std::exp(eta[0]);
  }
  [[nodiscard]] double spread(const double* eta) const noexcept {
    const double all = std::exp(eta[0]);
    return std::sqrt(mean(eta) * (1.0 + all * (sigmoid(eta[2]) + std::exp(-eta[1]))));
  }
  [[nodiscard]] double log_constant(double response, double /*trials*/) const noexcept {
    return -log_gamma(response + 1.0);
  }
  [[nodiscard]] double sample(Stream& stream, const double* eta, const Sampling& /*how*/) const {
    if (stream.uniform() < sigmoid(eta[2])) {
      return 0.0;
    }
    const double size = std::exp(eta[1]);
    return sample_count(stream, std::exp(eta[0]) * stream.gamma(size) / size);
  }
};

static_assert(BoundedMatrix<Zinb>);

}  // namespace flymc
