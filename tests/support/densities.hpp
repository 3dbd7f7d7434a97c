// Log densities as a person would write them: one expression, any scalar type, y is data.
#pragma once

#include <array>
#include <cmath>
#include <tuple>
#include <variant>

#include "flymc/family/negative_binomial.hpp"
#include "flymc/family/response.hpp"
#include "flymc/random.hpp"

namespace flymc::unit {

// One predictor. draw() gives a response that may occur at this predictor.

struct LogisticDensity {
  template <class T>
  [[nodiscard]] T log_density(const T& eta, double y) const {
    return log_sigmoid(y * eta);
  }
  [[nodiscard]] static double draw(Stream& stream, double /*eta*/) {
    return stream.uniform() < 0.5 ? -1.0 : 1.0;
  }
};

struct ProbitDensity {
  template <class T>
  [[nodiscard]] T log_density(const T& eta, double y) const {
    return std_normal_lcdf(y * eta);
  }
  [[nodiscard]] static double draw(Stream& stream, double eta) {
    return LogisticDensity::draw(stream, eta);
  }
};

inline double draw_count(Stream& stream, double mean) {
  return std::floor(mean * -std::log(stream.uniform()));  // any count will do
}

struct PoissonDensity {
  template <class T>
  [[nodiscard]] T log_density(const T& eta, double y) const {
    return y * eta - exp(eta);
  }
  [[nodiscard]] static double draw(Stream& stream, double eta) {
    return draw_count(stream, std::exp(eta));
  }
};

struct NegativeBinomialDensity {
  double size = 1.7;
  template <class T>
  [[nodiscard]] T log_density(const T& eta, double y) const {
    return y * eta - (size + y) * softplus(eta - std::log(size));
  }
  [[nodiscard]] static double draw(Stream& stream, double eta) {
    return draw_count(stream, std::exp(eta));
  }
};

struct StudentDensity {
  double nu = 4.0;
  double scale = 1.0;
  template <class T>
  [[nodiscard]] T log_density(const T& eta, double y) const {
    return -0.5 * (nu + 1.0) * log1p(square((y - eta) / scale) / nu);
  }
  [[nodiscard]] double draw(Stream& stream, double eta) const {
    return eta + 2.0 * scale * stream.normal();
  }
};

// Bernoulli with the complementary log-log link: P(1) = 1 - exp(-e^eta).
struct CloglogDensity {
  template <class T>
  [[nodiscard]] T log_density(const T& eta, double y) const {
    return y > 0.5 ? log1mexp(exp(eta)) : -exp(eta);
  }
  [[nodiscard]] static double draw(Stream& stream, double /*eta*/) {
    return stream.uniform() < 0.5 ? 0.0 : 1.0;
  }
};

struct ExponentialDensity {
  template <class T>
  [[nodiscard]] T log_density(const T& eta, double y) const {
    return -eta - y * exp(-eta);
  }
  [[nodiscard]] static double draw(Stream& stream, double eta) {
    return std::exp(eta) * -std::log(stream.uniform());
  }
};

// Exponential times whose rate is the predictor itself: no number where that is not positive.
struct RateDensity {
  template <class T>
  [[nodiscard]] T log_density(const T& eta, double y) const {
    return log(eta) - y * eta;
  }
  [[nodiscard]] static double draw(Stream& stream, double eta) {
    return -std::log(stream.uniform()) / eta;
  }
};

using OnePredictor =
    std::tuple<LogisticDensity, ProbitDensity, PoissonDensity, NegativeBinomialDensity,
               StudentDensity, CloglogDensity, ExponentialDensity>;

// Several predictors.

struct NormalDensity {
  static constexpr int kPredictors = 2;
  template <class T>
  [[nodiscard]] T log_density(const std::array<T, 2>& eta, double y) const {
    return -eta[1] - 0.5 * square((y - eta[0]) * exp(-eta[1]));
  }
  [[nodiscard]] static double draw(Stream& stream, const std::array<double, 2>& eta) {
    return eta[0] + std::exp(eta[1]) * stream.normal();
  }
};

struct NegativeBinomialSizeDensity : flymc::NegativeBinomialDensity {
  [[nodiscard]] static double draw(Stream& stream, const std::array<double, 2>& eta) {
    return draw_count(stream, std::exp(eta[0]));
  }
};

struct StudentScaleDensity {  // nu = 4
  static constexpr int kPredictors = 2;
  template <class T>
  [[nodiscard]] T log_density(const std::array<T, 2>& eta, double y) const {
    return -eta[1] - 2.5 * log1p(0.25 * square((y - eta[0]) * exp(-eta[1])));
  }
  [[nodiscard]] static double draw(Stream& stream, const std::array<double, 2>& eta) {
    return eta[0] + 1.5 * std::exp(eta[1]) * stream.normal();
  }
};

struct GammaDensity {  // log mean and log shape
  static constexpr int kPredictors = 2;
  template <class T>
  [[nodiscard]] T log_density(const std::array<T, 2>& eta, double y) const {
    const T shape = exp(eta[1]);
    return shape * (eta[1] - eta[0] + std::log(y) - y * exp(-eta[0])) - lgamma(shape);
  }
  [[nodiscard]] static double draw(Stream& stream, const std::array<double, 2>& eta) {
    const double shape = std::exp(eta[1]);
    return std::exp(eta[0]) / shape * stream.gamma(shape);
  }
};

struct WeibullDensity {  // log scale and log shape
  static constexpr int kPredictors = 2;
  template <class T>
  [[nodiscard]] T log_density(const std::array<T, 2>& eta, double y) const {
    const T z = exp(eta[1]) * (std::log(y) - eta[0]);
    return eta[1] + z - exp(z);
  }
  [[nodiscard]] static double draw(Stream& stream, const std::array<double, 2>& eta) {
    return std::exp(eta[0] + std::exp(-eta[1]) * std::log(-std::log(stream.uniform())));
  }
};

struct BetaDensity {  // logit mean and log precision
  static constexpr int kPredictors = 2;
  template <class T>
  [[nodiscard]] T log_density(const std::array<T, 2>& eta, double y) const {
    const T precision = exp(eta[1]);
    const T a = sigmoid(eta[0]) * precision;
    const T b = sigmoid(-eta[0]) * precision;
    return lgamma(precision) - lgamma(a) - lgamma(b) + std::log(y) * a + std::log1p(-y) * b;
  }
  [[nodiscard]] static double draw(Stream& stream, const std::array<double, 2>& /*eta*/) {
    return 0.02 + 0.96 * stream.uniform();
  }
};

struct BetaBinomialDensity {  // logit mean and log precision; y is a Tally
  static constexpr int kPredictors = 2;
  template <class T>
  [[nodiscard]] T log_density(const std::array<T, 2>& eta, double y) const {
    const Tally tally = Tally::of(y);
    const T precision = exp(eta[1]);
    return lrising(sigmoid(eta[0]) * precision, tally.successes) +
           lrising(sigmoid(-eta[0]) * precision, tally.trials - tally.successes) -
           lrising(precision, tally.trials);
  }
  [[nodiscard]] static double draw(Stream& stream, const std::array<double, 2>& eta) {
    Tally tally{0.0, std::floor(1.0 + 5.0 * stream.uniform())};
    const double chance = 1.0 / (1.0 + std::exp(-eta[0] - stream.normal()));
    for (double trial = 0.0; trial < tally.trials; trial += 1.0) {
      tally.successes += stream.uniform() < chance ? 1.0 : 0.0;
    }
    return tally.code();
  }
};

struct ZeroInflatedDensity {  // Poisson mean and zero part
  static constexpr int kPredictors = 2;
  template <class T>
  [[nodiscard]] T log_density(const std::array<T, 2>& eta, double y) const {
    if (y > 0.5) {
      return log_sigmoid(-eta[1]) + y * eta[0] - exp(eta[0]);
    }
    return softplus(-exp(eta[0]) - eta[1]) - softplus(-eta[1]);  // log(p + (1 - p) e^-mean)
  }
  [[nodiscard]] static double draw(Stream& stream, const std::array<double, 2>& eta) {
    return draw_count(stream, std::exp(eta[0]));
  }
};

struct OrdinalDensity {  // an inner category: its upper cut less x'b, and its width
  static constexpr int kPredictors = 2;
  template <class T>
  [[nodiscard]] T log_density(const std::array<T, 2>& eta, double /*y*/) const {
    return log_sigmoid(eta[0]) + log_sigmoid(eta[1] - eta[0]) + log1mexp(eta[1]);
  }
  [[nodiscard]] static double draw(Stream& /*stream*/, const std::array<double, 2>& /*eta*/) {
    return 1.0;
  }
};

struct StudentScaleShapeDensity {
  static constexpr int kPredictors = 3;
  template <class T>
  [[nodiscard]] T log_density(const std::array<T, 3>& eta, double y) const {
    const T nu = exp(eta[2]);
    const T half = 0.5 * (nu + 1.0);
    return lgamma(half) - lgamma(0.5 * nu) - 0.5 * eta[2] - eta[1] -
           half * log1p(square((y - eta[0]) * exp(-eta[1])) / nu);
  }
  [[nodiscard]] static double draw(Stream& stream, const std::array<double, 3>& eta) {
    return eta[0] + 1.5 * std::exp(eta[1]) * stream.normal();
  }
};

// Two normals of one mean and two scales, mixed.
struct ContaminatedDensity {
  static constexpr int kPredictors = 4;
  template <class T>
  [[nodiscard]] T log_density(const std::array<T, 4>& eta, double y) const {
    const T r = y - eta[0];
    const T narrow = -eta[1] - 0.5 * square(r * exp(-eta[1]));
    const T wide = -eta[2] - 0.5 * square(r * exp(-eta[2]));
    return narrow + log_sigmoid(-eta[3]) + softplus(eta[3] + wide - narrow);
  }
  [[nodiscard]] static double draw(Stream& stream, const std::array<double, 4>& eta) {
    return eta[0] + std::exp(eta[1]) * 1.5 * stream.normal();
  }
};

// One of these, chosen at run time: an engine is compiled once for all.
struct TwoPredictorDensity {
  static constexpr int kPredictors = 2;
  std::variant<NormalDensity, NegativeBinomialSizeDensity, StudentScaleDensity, GammaDensity,
               BetaBinomialDensity, ZeroInflatedDensity>
      choice;
  template <class T>
  [[nodiscard]] T log_density(const std::array<T, 2>& eta, double y) const {
    return std::visit([&](const auto& one) { return one.log_density(eta, y); }, choice);
  }
  [[nodiscard]] double draw(Stream& stream, const std::array<double, 2>& eta) const {
    return std::visit([&](const auto& one) { return one.draw(stream, eta); }, choice);
  }
};

using SeveralPredictors = std::tuple<NormalDensity, NegativeBinomialSizeDensity, WeibullDensity,
                                     BetaDensity, BetaBinomialDensity, ZeroInflatedDensity,
                                     OrdinalDensity, StudentScaleShapeDensity, ContaminatedDensity>;

}  // namespace flymc::unit
