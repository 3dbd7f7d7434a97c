// Negative binomial regression with a log link: response t in {0, 1, 2, ...} of mean e^eta and
// variance e^eta + e^(2 eta) / r, the size r > 0 given.
//
// With e = eta - ln r:  phi = t e - (t + r) log(1 + e^e). Left out, at every eta alike, are the
// constants log Gamma(t + r) - log Gamma(r) - log t!.
// (phi's second term is t + r times that of a logistic likelihood and the first is linear, so the
// remainder and both curvatures are t + r times those of Logistic at e.)
// See docs/method/families.md, Negative binomial.
#pragma once

#include <algorithm>
#include <cmath>

#include "flymc/detail/core/numeric.hpp"
#include "flymc/detail/core/special.hpp"
#include "flymc/detail/family/samplers.hpp"
#include "flymc/error.hpp"
#include "flymc/family/automatic.hpp"
#include "flymc/family/family.hpp"
#include "flymc/family/likelihood.hpp"
#include "flymc/family/logistic.hpp"

namespace flymc {

class NegativeBinomialSize;

class NegativeBinomial {
 public:
  using Inferring = NegativeBinomialSize;

  static constexpr bool kLogConcave = true;
  static constexpr double kUntunedXi = 0.5;

  explicit NegativeBinomial(double size) : size_(size), log_size_(std::log(size)) {
    if (!(size > 0.0) || !std::isfinite(size)) {
      throw Error(ErrorKind::kUsage, "negative binomial: size must be positive and finite.");
    }
  }
  [[nodiscard]] double size() const noexcept { return size_; }

  // For e > 0 as -r e - (t + r) log(1 + e^-e): the digits of a small r stay.
  [[nodiscard]] double log_likelihood(double eta, double response) const noexcept {
    const double e = eta - log_size_;
    return e > 0.0 ? -size_ * e - (response + size_) * softplus(-e)
                   : response * e - (response + size_) * softplus(e);
  }
  [[nodiscard]] double log_likelihood(double eta, double response, double& slope) const noexcept {
    const double e = eta - log_size_;
    slope = response * sigmoid(-e) - size_ * sigmoid(e);
    return log_likelihood(eta, response);
  }
  [[nodiscard]] double information(double eta, double response) const noexcept {
    return (response + size_) * kLogistic.information(eta - log_size_, response);
  }

  [[nodiscard]] double curvature(double anchor, double response) const noexcept {
    return (response + size_) * kLogistic.curvature(anchor - log_size_, response);
  }
  [[nodiscard]] double local_curvature(double anchor, double response,
                                       double radius) const noexcept {
    const double e = anchor - log_size_;
    if (e > kFarBelow) {
      return (response + size_) * kLogistic.local_curvature(e, response, radius);
    }
    constexpr double kLeastRadius = 1e-8;  // it grows with the radius, as Poisson's
    const double u = std::clamp(radius, kLeastRadius, -2.0 * e);
    double slope = 0.0;
    return with_margin(-2.0 * remainder_of(response + size_, e, u, slope) / (u * u));
  }
  // Where the mean is t + xi: the datum's own maximum is at a mean of t, which is -inf for t = 0;
  // xi keeps off that, as the half that is commonly added to counts before their logarithm.
  [[nodiscard]] double untuned_anchor(double response, double xi) const noexcept {
    constexpr double kLeastMean = 1e-3;
    return std::log(std::max(response + xi, kLeastMean));
  }

  // The accuracy is Logistic's, of means far below the size Poisson's. No memo: the engine hands no
  // response back with it.
  [[nodiscard]] double remainder(double anchor, double u, double response,
                                 double& slope) const noexcept {
    return remainder_of(response + size_, anchor - log_size_, u, slope);
  }

  static constexpr const char* kWord = "negative-binomial";
  static constexpr ResponseKind kResponse = ResponseKind::kCounts;
  static constexpr const char* kLink = "log";
  static constexpr OwnSetting kSettings[] = {
      {.name = "size",
       .absent = Absent::kInferred,
       .usual = 5.0,
       .fit_help = "of negative-binomial: the variance is mean + mean^2 / size; default: infer",
       .simulate_help =
           "negative-binomial: mean^2 / size is the variance beyond Poisson, default 5",
       .meaning = "the variance is mean + mean^2 / size"}};

  [[nodiscard]] double mean(double eta) const noexcept { return std::exp(eta); }
  [[nodiscard]] double predictor(double mean) const noexcept { return std::log(mean); }
  [[nodiscard]] double spread(double mean) const noexcept {
    return std::sqrt(mean + mean * mean / size_);
  }
  [[nodiscard]] double log_constant(double response, double /*trials*/) const noexcept {
    return log_rise(response) - log_gamma(response + 1.0);
  }
  [[nodiscard]] static OpenSide open_side(double response) noexcept {
    return response == 0.0 ? OpenSide::kDown : OpenSide::kNeither;
  }
  // A Poisson count whose mean has a Gamma factor of mean 1 and variance 1 / r.
  [[nodiscard]] double sample(Stream& stream, double eta, const Sampling& /*how*/) const {
    double mean = std::exp(eta);
    mean *= stream.gamma(size_) / size_;
    return sample_count(stream, mean);
  }

 private:
  static constexpr Logistic kLogistic{};
  static constexpr double kFarBelow = -14.0;  // e: the mean is a millionth of the size, or less

  // `weight` (t + r) times Logistic's remainder -F, F = log(1 + p (e^u - 1)) - p u, p = sigmoid(e).
  // Logistic gives F to the last bit of a number near 1; where p is tiny that, times r, would be
  // noise. With em(u) = e^u - 1 - u and y = p (e^u - 1), F = p em(u) - (y - log(1 + y)) keeps its
  // digits: up to y = 1/2 the first term is more than three times the second.
  [[nodiscard]] static double remainder_of(double weight, double e, double u,
                                           double& slope) noexcept {
    if (e <= kFarBelow) {
      const double p = sigmoid(e);
      const double excess = expm1_minus_x(u);
      const double y = p * (excess + u);
      if (y <= 0.5) {
        slope = -weight * p * (1.0 - p) * (excess + u) / (1.0 + y);
        return weight * x_minus_log1p(y) - weight * p * excess;
      }
    }
    const double value = kLogistic.remainder(e, u, 0.0, slope);
    slope *= weight;
    return weight * value;
  }

  // log Gamma(t + r) - log Gamma(r). Of a great r two numbers near r log r would cancel: the
  // difference of Stirling's series, whose next term is below 1e-17, does not.
  [[nodiscard]] double log_rise(double response) const noexcept {
    constexpr double kGreat = 1e3;
    if (size_ < kGreat) {
      return log_gamma(response + size_) - log_gamma(size_);
    }
    const auto tail = [](double x) { return (1.0 / 12 - 1.0 / (360.0 * x * x)) / x; };
    const double sum = response + size_;
    return response * log_size_ + (sum - 0.5) * std::log1p(response / size_) - response +
           (tail(sum) - tail(size_));
  }

  double size_;
  double log_size_;
};

static_assert(GlobalScalar<NegativeBinomial> && LocalScalar<NegativeBinomial>);

// The same with its size r = e^s unknown: predictors (eta, s), eta = log mean m. With e = eta - s,
//   log L = log Gamma(t + r) / Gamma(r) + t e - (t + r) log(1 + e^e) - log t!
// As r grows, large terms of it cancel. The intervals that enclose their derivatives do not, and
// curvatures would be as large as either; but in the dispersion f = 1/r it goes on to a Poisson's
// at f = 0,
//   log L = log (1)(1 + f)...(1 + (t - 1) f) + t (eta - log(1 + e^e))
//           - m log(1 + f m) / (f m) - log t!
// whose enclosures are useless where f m is large.
struct NegativeBinomialDensity {
  static constexpr int kPredictors = 2;
  template <class T>
  T log_density(const std::array<T, 2>& eta, double t) const {
    const T r = exp(eta[1]);
    const T x = eta[0] - eta[1];
    return lrising(r, t) + t * x - (r + t) * softplus(x);
  }
  template <class T>
  T rewritten(const std::array<T, 2>& eta, double t) const {
    const T e = eta[0] - eta[1];
    return lrising_steps(exp(-eta[1]), t) + t * (eta[0] - softplus(e)) -
           exp(eta[0]) * log1p_ratio(exp(e));
  }
  // f m < 1 in the whole region, and less at the anchor than the region is wide in s: derivatives
  // in s are about f m, of third order exactly in both forms, and the intervals of the first for
  // the fourth are about 1, in units of a region's width.
  [[nodiscard]] static bool bends_less_rewritten(const double* anchor,
                                                 const double* reach) noexcept {
    const double log_fm = anchor[0] - anchor[1];
    return log_fm + reach[0] + reach[1] < 0.0 && std::exp(log_fm) < 2.0 * reach[1];
  }
};

class NegativeBinomialSize : public Automatic<NegativeBinomialDensity> {
 public:
  static constexpr const char* kWord = NegativeBinomial::kWord;
  static constexpr ResponseKind kResponse = ResponseKind::kCounts;
  static constexpr const char* kLink = "log";
  static constexpr Auxiliary kAuxiliaries[] = {concentration("size", 5.0, 1.0, "a Poisson")};

  [[nodiscard]] double mean(const double* eta) const noexcept { return std::exp(eta[0]); }
  [[nodiscard]] double spread(const double* eta) const noexcept {
    return fixed(eta).spread(std::exp(eta[0]));
  }
  [[nodiscard]] double log_constant(double response, double /*trials*/) const noexcept {
    return -log_gamma(response + 1.0);
  }
  [[nodiscard]] static OpenSide open_side(double response) noexcept {
    return NegativeBinomial::open_side(response);
  }
  [[nodiscard]] double sample(Stream& stream, const double* eta, const Sampling& how) const {
    return fixed(eta).sample(stream, eta[0], how);
  }

 private:
  [[nodiscard]] static NegativeBinomial fixed(const double* eta) noexcept {
    return NegativeBinomial(std::exp(eta[1]));
  }
};

static_assert(BoundedMatrix<NegativeBinomialSize>);

}  // namespace flymc
