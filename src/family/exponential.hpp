// Exponential regression: mean e^mu.
#pragma once

#include <cmath>

#include "family/auto/typed_density.hpp"
#include "flymc/family/family.hpp"

namespace flymc {

class Exponential : public Typed<1> {
 public:
  Exponential() : Typed("-mu - y*exp(-mu)", {"mu"}) {}

  static constexpr const char* kWord = "exponential";
  static constexpr ResponseKind kResponse = ResponseKind::kPositive;
  static constexpr const char* kLink = "log";
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
