// Binary regression with the complementary log-log link: P(+1) = 1 - exp(-e^mu); y is -1 or +1.
#pragma once

#include <cmath>

#include "family/auto/typed_density.hpp"
#include "flymc/family/family.hpp"

namespace flymc {

class Cloglog : public Typed<1> {
 public:
  Cloglog() : Typed("if(y > 0, log1mexp(exp(mu)), -exp(mu))", {"mu"}) {}

  static constexpr const char* kWord = "cloglog";
  static constexpr ResponseKind kResponse = ResponseKind::kTwoClasses;
  static constexpr const char* kLink = "cloglog";
  static constexpr bool kInformationWithinSlope = false;  // of +1 far up
  static constexpr std::span<const Auxiliary> kAuxiliaries{};

  [[nodiscard]] double mean(const double* eta) const noexcept {
    return -std::expm1(-std::exp(eta[0]));
  }
  [[nodiscard]] static OpenSide open_side(double response) noexcept {
    return response > 0.0 ? OpenSide::kUp : OpenSide::kDown;
  }
  [[nodiscard]] double sample(Stream& stream, const double* eta,
                              const Sampling& how) const noexcept {
    const double p = mean(eta);
    return (how.certain ? p > 0.5 : stream.uniform() < p) ? 1.0 : 0.0;
  }
};

static_assert(BoundedMatrix<Cloglog>);

}  // namespace flymc
