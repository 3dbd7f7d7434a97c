// Log-normal regression: log y is normal with mean mu and standard deviation e^sigma.
#pragma once

#include <cmath>

#include "family/auto/typed_density.hpp"
#include "flymc/family/family.hpp"

namespace flymc {

class Lognormal : public Typed<2> {
 public:
  Lognormal()
      : Typed("-0.5*square((log(y) - mu)*exp(-sigma)) - sigma - log(y) - 0.918938533204672742",
              {"mu", "sigma"}) {}

  static constexpr const char* kWord = "lognormal";
  static constexpr ResponseKind kResponse = ResponseKind::kPositive;
  static constexpr const char* kLink = "log";
  static constexpr Auxiliary kAuxiliaries[] = {kSigma};

  [[nodiscard]] static double gaussian(double response) noexcept { return std::log(response); }
  [[nodiscard]] double mean(const double* eta) const noexcept {
    return std::exp(eta[0] + 0.5 * std::exp(2.0 * eta[1]));
  }
  [[nodiscard]] double spread(const double* eta) const noexcept {
    return mean(eta) * std::sqrt(std::expm1(std::exp(2.0 * eta[1])));
  }
  [[nodiscard]] double sample(Stream& stream, const double* eta,
                              const Sampling& /*how*/) const noexcept {
    return std::exp(eta[0] + std::exp(eta[1]) * stream.normal());
  }
};

static_assert(BoundedMatrix<Lognormal>);

}  // namespace flymc
