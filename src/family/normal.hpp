// Normal regression with unknown standard deviation: predictors mu and s = log sigma,
//   log L = -((t - mu) e^-s)^2 / 2 - s - log(2 pi) / 2.
// The bound is derived (docs/method/automatic.md).
#pragma once

#include <array>
#include <cmath>
#include <numbers>

#include "flymc/family/automatic.hpp"
#include "flymc/family/family.hpp"

namespace flymc {

struct NormalDensity {
  static constexpr int kPredictors = 2;
  static constexpr bool kLocation = true;
  template <class T>
  T log_density(const std::array<T, 2>& eta, double t) const {
    return -0.5 * square((t - eta[0]) * exp(-eta[1])) - eta[1];
  }
  void units(const double* eta, double* out) const noexcept { out[0] = std::exp(eta[1]); }
};

class Normal : public Automatic<NormalDensity> {
 public:
  static constexpr const char* kWord = "normal";
  static constexpr ResponseKind kResponse = ResponseKind::kNumbers;
  static constexpr const char* kLink = "identity";
  static constexpr Auxiliary kAuxiliaries[] = {kSigma};
  static constexpr const char* kDensity = "-0.5*square((y - mu)*exp(-sigma)) - sigma";

  [[nodiscard]] static double gaussian(double response) noexcept { return response; }
  [[nodiscard]] double mean(const double* eta) const noexcept { return eta[0]; }
  [[nodiscard]] double spread(const double* eta) const noexcept { return std::exp(eta[1]); }
  [[nodiscard]] double log_constant(double /*response*/, double trials) const noexcept {
    return -0.5 * trials * std::log(2.0 * std::numbers::pi);
  }
  [[nodiscard]] static OpenSide open_side(double /*response*/) noexcept {
    return OpenSide::kNeither;
  }
  [[nodiscard]] double sample(Stream& stream, const double* eta,
                              const Sampling& /*how*/) const noexcept {
    return eta[0] + std::exp(eta[1]) * stream.normal();
  }
};

static_assert(BoundedMatrix<Normal>);

}  // namespace flymc
