// A family that flymc does not have, in one file: numbers with noise of the logistic distribution,
//   z = (t - eta) / w,  phi = -2 log(2 cosh(z / 2)) - log w.
//
// Twice a logistic likelihood of z but for a linear term, which no remainder and no curvature sees:
// the bounds are twice those of Logistic, in units of w.
#pragma once

#include <cmath>

#include "flymc/detail/core/numeric.hpp"
#include "flymc/family/family.hpp"
#include "flymc/family/likelihood.hpp"
#include "flymc/family/logistic.hpp"

namespace flymc {

class Toy {
 public:
  static constexpr bool kLogConcave = true;
  static constexpr double kUntunedXi = 0.0;

  explicit Toy(double width) : width_(width) {}

  [[nodiscard]] double log_likelihood(double eta, double response) const noexcept {
    const double z = std::abs(response - eta) / width_;
    return -z - 2.0 * softplus(-z) - std::log(width_);
  }
  [[nodiscard]] double log_likelihood(double eta, double response, double& slope) const noexcept {
    slope = std::tanh(0.5 * (response - eta) / width_) / width_;
    return log_likelihood(eta, response);
  }
  [[nodiscard]] double information(double eta, double response) const noexcept {
    return kTwice / (width_ * width_) * kLogistic.information((response - eta) / width_, 1.0);
  }
  [[nodiscard]] double curvature(double anchor, double response) const noexcept {
    return kTwice / (width_ * width_) * kLogistic.curvature((response - anchor) / width_, 1.0);
  }
  [[nodiscard]] double local_curvature(double anchor, double response,
                                       double radius) const noexcept {
    return kTwice / (width_ * width_) *
           kLogistic.local_curvature((response - anchor) / width_, 1.0, radius / width_);
  }
  [[nodiscard]] double untuned_anchor(double response, double xi) const noexcept {
    return response - xi * width_;
  }
  [[nodiscard]] double remainder(double anchor, double u, double response,
                                 double& slope) const noexcept {
    const double z = (response - anchor) / width_;
    const double value = kTwice * kLogistic.remainder(z, -u / width_, 1.0, slope);
    slope *= -kTwice / width_;
    return value;
  }

  static constexpr const char* kWord = "toy";
  static constexpr ResponseKind kResponse = ResponseKind::kNumbers;
  static constexpr const char* kLink = "identity";
  static constexpr OwnSetting kSettings[] = {
      {.name = "width",
       .absent = Absent::kDefault,
       .usual = 0.5,
       .fit_help = "of toy: scale of the noise, default 0.5",
       .simulate_help = "toy: scale of the noise, default 0.5"}};
  static constexpr const char* kSettingsWords = "logistic with width {}, fixed";

  [[nodiscard]] double mean(double eta) const noexcept { return eta; }
  [[nodiscard]] double spread(double /*mean*/) const noexcept { return width_; }
  [[nodiscard]] static OpenSide open_side(double /*response*/) noexcept {
    return OpenSide::kNeither;
  }
  [[nodiscard]] double sample(Stream& stream, double eta, const Sampling& /*how*/) const noexcept {
    const double p = stream.uniform();
    return eta + width_ * std::log(p / (1.0 - p));
  }

 private:
  static constexpr Logistic kLogistic{};
  static constexpr double kTwice = 2.0;

  double width_;
};

static_assert(GlobalScalar<Toy> && LocalScalar<Toy>);

}  // namespace flymc
