// Exponential regression: mean e^mu. A response -t is right censored: more than t.
#pragma once

#include <cmath>

#include "family/auto/typed_density.hpp"
#include "flymc/family/family.hpp"

namespace flymc {

class Exponential : public Typed<1> {
 public:
  Exponential() : Typed("if(y > 0, -mu, 0) - abs(y)*exp(-mu)", {"mu"}) {}

  static constexpr const char* kWord = "exponential";
  static constexpr ResponseKind kResponse = ResponseKind::kPositive;
  static constexpr const char* kLink = "log";
  static constexpr bool kTakesCensored = true;
  static constexpr std::span<const Auxiliary> kAuxiliaries{};

  [[nodiscard]] double mean(const double* eta) const noexcept { return std::exp(eta[0]); }
  [[nodiscard]] double spread(const double* eta) const noexcept { return std::exp(eta[0]); }
  [[nodiscard]] double sample(Stream& stream, const double* eta,
                              const Sampling& /*how*/) const noexcept {
    return std::exp(eta[0]) * stream.exponential();
  }
};

static_assert(BoundedMatrix<Exponential>);

}  // namespace flymc
