// Robust regression: y = (t - eta) / s, phi = -(nu+1)/2 log(1 + y^2/nu) - log s + constant.
//
// Bound: phi = g(y^2) with g(v) = -(nu+1)/2 log(1 + v/nu) convex, so the tangent of g in y^2 lies
// below; as a parabola its curvature is (nu+1) / (nu + y_a^2) / s^2. Any nu > 0, s > 0.
// Local bound for |u| <= U: the largest of the curvatures needed inwards at min(U, 2|y_a|),
// outwards at U (the tail bends the other way: that end wins beyond |y_a| = sqrt(3 nu)) and of
// -phi''(a). It may be negative there.
// See docs/method/families.md, Student-t.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "flymc/detail/core/numeric.hpp"
#include "flymc/detail/core/special.hpp"
#include "flymc/detail/family/samplers.hpp"
#include "flymc/error.hpp"
#include "flymc/family/automatic.hpp"
#include "flymc/family/family.hpp"
#include "flymc/family/likelihood.hpp"

namespace flymc {

class StudentTScale;

class StudentT {
 public:
  using Inferring = StudentTScale;

  static constexpr bool kLogConcave = false;
  static constexpr double kUntunedXi = 0.0;

  explicit StudentT(double nu = 4.0, double scale = 1.0)
      : nu_(nu),
        scale_(scale),
        log_constant_(log_gamma(0.5 * (nu + 1.0)) - log_gamma(0.5 * nu) -
                      0.5 * std::log(nu * 3.14159265358979323846) - std::log(scale)) {
    if (!(nu > 0.0) || !(scale > 0.0) || !std::isfinite(nu) || !std::isfinite(scale)) {
      throw Error(ErrorKind::kUsage, "Student-t: nu and scale must be positive and finite.");
    }
  }
  [[nodiscard]] double nu() const noexcept { return nu_; }
  [[nodiscard]] double scale() const noexcept { return scale_; }
  // Predictors are in the unit of the response; the likelihood sees them over the scale.
  [[nodiscard]] double unit() const noexcept { return scale_; }

  [[nodiscard]] double log_likelihood(double eta, double response) const noexcept {
    const double y = (response - eta) / scale_;
    return log_constant_ - 0.5 * (nu_ + 1.0) * std::log1p(y * y / nu_);
  }
  [[nodiscard]] double log_likelihood(double eta, double response, double& slope) const noexcept {
    const double y = (response - eta) / scale_;
    slope = (nu_ + 1.0) * y / (nu_ + y * y) / scale_;
    return log_likelihood(eta, response);
  }
  // Negative beyond |y| = sqrt(nu): the likelihood is not log-concave.
  [[nodiscard]] double information(double eta, double response) const noexcept {
    const double y = (response - eta) / scale_;
    const double spread = nu_ + y * y;
    return (nu_ + 1.0) * (nu_ - y * y) / (spread * spread) / (scale_ * scale_);
  }

  [[nodiscard]] double curvature(double anchor, double response) const noexcept {
    const double y = (response - anchor) / scale_;
    return with_margin((nu_ + 1.0) / (nu_ + y * y)) / (scale_ * scale_);
  }
  [[nodiscard]] double local_curvature(double anchor, double response,
                                       double radius) const noexcept {
    if (!std::isfinite(radius)) {
      return curvature(anchor, response);
    }
    const double inwards = response - anchor;  // the way of u that shortens the residual
    const double nearest = std::min(radius, 2.0 * std::abs(inwards));
    const double bend = std::max({information(anchor, response),
                                  bend_at(anchor, response, std::copysign(nearest, inwards)),
                                  bend_at(anchor, response, std::copysign(radius, -inwards))});
    return with_margin(bend * scale_ * scale_) / (scale_ * scale_);
  }
  // xi is a standardised residual.
  [[nodiscard]] double untuned_anchor(double response, double xi) const noexcept {
    return response - xi * scale_;
  }

  // With y0 = (t - a)/s, dy = -u/s, v = nu + y0^2 and delta = (2 y0 dy + dy^2)/v:
  // phi(a+u) - phi(a) - phi'(a) u = -(nu+1)/2 [dy^2/v - (delta - log1p(delta))].
  [[nodiscard]] double remainder(double anchor, double u, double response,
                                 double& slope) const noexcept {
    const double y0 = (response - anchor) / scale_;
    const double dy = -u / scale_;
    const double y1 = y0 + dy;
    const double v0 = nu_ + y0 * y0;
    const double v1 = nu_ + y1 * y1;
    // d/du: (nu+1)/s [y1/v1 - y0/v0] = (nu+1)/s dy (nu - y0 y1) / (v0 v1).
    slope = (nu_ + 1.0) / scale_ * dy * ((nu_ - y0 * y1) / v0 / v1);
    const double delta = dy * (y0 + y1) / v0;
    const double excess = delta < -0.5 ? delta - std::log(v1 / v0) : x_minus_log1p(delta);
    return -0.5 * (nu_ + 1.0) * (dy * dy / v0 - excess);
  }

  static constexpr const char* kWord = "student-t";
  static constexpr ResponseKind kResponse = ResponseKind::kNumbers;
  static constexpr const char* kLink = "identity";
  static constexpr OwnSetting kSettings[] = {
      {.name = "nu",
       .absent = Absent::kDefault,
       .usual = 4.0,
       .fit_help =
           "degrees of freedom of student-t: a number, default 4, or infer (with the scale)",
       .simulate_help = "student-t: degrees of freedom, default 4",
       .may_be_inferred = true},
      {.name = "scale",
       .absent = Absent::kInferred,
       .usual = 1.0,
       .fit_help = "scale of student-t: infer (the default) samples it, a number fixes it; auto "
                   "is a plug-in, chosen once from the data",
       .simulate_help = "student-t: default 1",
       .may_be_inferred = true,
       .may_be_chosen = true}};
  static constexpr const char* kSettingsWords = "Student-t with nu {} and scale {}, both fixed";

  // The location: below nu = 1 there is no mean.
  [[nodiscard]] double mean(double eta) const noexcept { return eta; }
  [[nodiscard]] double spread(double /*mean*/) const noexcept { return scale_; }
  [[nodiscard]] static OpenSide open_side(double /*response*/) noexcept {
    return OpenSide::kNeither;
  }
  [[nodiscard]] double sample(Stream& stream, double eta, const Sampling& /*how*/) const noexcept {
    return eta + scale_ * sample_t(stream, nu_);
  }
  // The scale, where no number is given, by estimate_scale(). THROWS Error(kData) for responses
  // that are all the same.
  [[nodiscard]] static ChosenSettings choose(const Settings& given, const Dataset& data,
                                             std::uint64_t seed);

 private:
  // The curvature with which the tangent at the anchor meets phi again at u.
  [[nodiscard]] double bend_at(double anchor, double response, double u) const noexcept {
    // Only where u^2 could underflow: -phi'' + |u| max|phi'''| / 3. See Logistic::local_curvature.
    constexpr double kSeries = 1e-10;
    const double size = std::abs(u) / scale_;
    if (size < kSeries) {
      return information(anchor, response) +
             0.486 * (nu_ + 1.0) / (nu_ * std::sqrt(nu_)) * size / (scale_ * scale_);
    }
    double slope = 0.0;
    return -2.0 * remainder(anchor, u, response, slope) / (u * u);
  }

  double nu_;
  double scale_;
  double log_constant_;
};

static_assert(GlobalScalar<StudentT> && LocalScalar<StudentT>);

// The same with its scale e^s unknown: predictors (eta, s).
struct StudentTDensity {
  static constexpr int kPredictors = 2;
  static constexpr bool kLocation = true;
  double nu = 4.0;
  template <class T>
  T log_density(const std::array<T, 2>& eta, double t) const {
    return -0.5 * (nu + 1.0) * log1p(square((t - eta[0]) * exp(-eta[1])) * (1.0 / nu)) - eta[1];
  }
  void units(const double* eta, double* out) const noexcept { out[0] = std::exp(eta[1]); }
};

class StudentTNu;

class StudentTScale : public Automatic<StudentTDensity> {
 public:
  using Inferring = StudentTNu;

  explicit StudentTScale(double nu) : Automatic<StudentTDensity>(StudentTDensity{nu}) {}

  static constexpr const char* kWord = StudentT::kWord;
  static constexpr ResponseKind kResponse = ResponseKind::kNumbers;
  static constexpr const char* kLink = StudentT::kLink;
  static constexpr OwnSetting kSettings[] = {StudentT::kSettings[0]};
  static constexpr const char* kSettingsWords = "Student-t with nu {}, fixed";
  static constexpr Auxiliary kAuxiliaries[] = {kSigma};

  [[nodiscard]] double mean(const double* eta) const noexcept { return eta[0]; }
  [[nodiscard]] double spread(const double* eta) const noexcept { return std::exp(eta[1]); }
  // What a StudentT of scale 1 has beside its logarithm of a sum.
  [[nodiscard]] double log_constant(double response, double trials) const noexcept {
    return trials * StudentT(density().nu, 1.0).log_likelihood(response, response);
  }
  [[nodiscard]] static OpenSide open_side(double response) noexcept {
    return StudentT::open_side(response);
  }
  [[nodiscard]] double sample(Stream& stream, const double* eta,
                              const Sampling& how) const noexcept {
    return StudentT(density().nu, std::exp(eta[1])).sample(stream, eta[0], how);
  }
};

static_assert(BoundedMatrix<StudentTScale>);

// And with nu = e^v unknown, too: predictors (eta, s, v).
struct StudentTNuDensity {
  static constexpr int kPredictors = 3;
  static constexpr bool kLocation = true;
  template <class T>
  T log_density(const std::array<T, 3>& eta, double t) const {
    const T nu = exp(eta[2]);
    const T half = 0.5 * (nu + 1.0);
    const T y = (t - eta[0]) * exp(-eta[1]);
    return lgamma(half) - lgamma(0.5 * nu) - 0.5 * eta[2] - eta[1] -
           half * log1p(square(y) * exp(-eta[2]));
  }
  void units(const double* eta, double* out) const noexcept { out[0] = std::exp(eta[1]); }
};

class StudentTNu : public Automatic<StudentTNuDensity> {
 public:
  StudentTNu() : Automatic<StudentTNuDensity>(StudentTNuDensity{}) {}

  static constexpr const char* kWord = StudentT::kWord;
  static constexpr ResponseKind kResponse = ResponseKind::kNumbers;
  static constexpr const char* kLink = StudentT::kLink;
  static constexpr const char* kDensity =
      "df = exp(nu); half = 0.5*(df + 1); z = (y - mu)*exp(-sigma);"
      "lgamma(half) - lgamma(0.5*df) - 0.5*nu - sigma - half*log1p(square(z)*exp(-nu))";
  // Juarez and Steel (2010): gamma(2, 0.1). A search begins at e^1.5 degrees of freedom.
  static constexpr Auxiliary kAuxiliaries[] = {
      kSigma,
      {.name = "nu",
       .natural = Natural::kPositive,
       .usual = 4.0,
       .in_response_units = false,
       .prior = {.kind = PriorKind::kGamma, .location = 1.5, .scale = 10.0, .shape = 2.0},
       .limit = "a normal"}};

  [[nodiscard]] double mean(const double* eta) const noexcept { return eta[0]; }
  [[nodiscard]] double spread(const double* eta) const noexcept { return std::exp(eta[1]); }
  [[nodiscard]] double log_constant(double /*response*/, double trials) const noexcept {
    return -0.5 * trials * std::log(3.14159265358979323846);
  }
  [[nodiscard]] static OpenSide open_side(double response) noexcept {
    return StudentT::open_side(response);
  }
  [[nodiscard]] double sample(Stream& stream, const double* eta,
                              const Sampling& how) const noexcept {
    return StudentT(std::exp(eta[2]), std::exp(eta[1])).sample(stream, eta[0], how);
  }
};

static_assert(BoundedMatrix<StudentTNu>);

// Collective. THROWS Error(kData) for responses, less their offsets, that are all the same.
void require_varied_response(const Dataset& data);

struct NoiseScale {
  double scale = 0.0;       // positive
  bool noise_free = false;  // residuals that are all but zero: a millionth of the response's spread
};

// The scale s from the data, once: EM for (theta, s) on a sample of rows,
//   w_n = (nu + 1) / (nu + r_n^2 / s^2),  theta = weighted least squares,  s^2 = mean(w_n r_n^2).
// With no more rows than columns any fit is perfect: then residuals are taken about the mean.
[[nodiscard]] NoiseScale estimate_scale(const Dataset& data, double nu, std::uint64_t seed);

}  // namespace flymc
