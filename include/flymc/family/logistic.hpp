// Logistic regression: phi(eta) = -log(1 + e^(-t eta)), response t in {-1, +1}.
//
// Bound (Jaakkola & Jordan): phi = t eta / 2 + g(eta^2) with g convex, so the tangent of g in eta^2
// lies below; as a parabola in eta its curvature is tanh(a/2) / (2a), and it touches at +a and -a.
// Local bound: the curvature needed at u rises towards u = -2a, so for |u| <= U the largest one
// sits at u = -sign(a) min(U, 2|a|) (docs/method/families.md, Logistic).
#pragma once

#include <algorithm>
#include <cmath>

#include "flymc/detail/core/numeric.hpp"
#include "flymc/family/family.hpp"
#include "flymc/family/likelihood.hpp"

namespace flymc {

struct Logistic {
  static constexpr bool kLogConcave = true;
  static constexpr double kUntunedXi = 1.5;

  [[nodiscard]] double log_likelihood(double eta, double response) const noexcept {
    return -softplus(-response * eta);
  }
  [[nodiscard]] double log_likelihood(double eta, double response, double& slope) const noexcept {
    const double y = response * eta;
    const double e = std::exp(-std::abs(y));  // one exponential for both
    slope = response * (y < 0.0 ? 1.0 : e) / (1.0 + e);
    return std::min(y, 0.0) - std::log1p(e);
  }
  [[nodiscard]] double information(double eta, double /*response*/) const noexcept {
    const double e = std::exp(-std::abs(eta));
    return e / ((1.0 + e) * (1.0 + e));
  }

  [[nodiscard]] double curvature(double anchor, double /*response*/) const noexcept {
    const double a = std::abs(anchor);
    return with_margin(a < 1e-4 ? 0.25 - a * a / 48.0 + 1e-18 : std::tanh(0.5 * a) / (2.0 * a));
  }
  [[nodiscard]] double local_curvature(double anchor, double response,
                                       double radius) const noexcept {
    const double u = std::min(radius, 2.0 * std::abs(anchor));
    if (u < kSeries) {
      return with_margin(information(anchor, response) + kTilt * u);
    }
    double slope = 0.0;
    const double fall = remainder(anchor, std::copysign(u, -anchor), response, slope);
    return with_margin(-2.0 * fall / (u * u));
  }
  [[nodiscard]] double untuned_anchor(double response, double xi) const noexcept {
    return response * xi;
  }

  // phi(a + u) - phi(a) - phi'(a) u without cancellation. The label drops out: with p = sigmoid(a),
  // s = 1 - p it is -F(u), F = log(p e^u + s) - p u. This is the hot line of the engine: two
  // transcendental calls, none where |u| is small, beside the memo. Error: that of the last bit of
  // a number near 1, at most 2e-13 of the parabola it is subtracted from.
  [[nodiscard]] double remainder(double anchor, double u, double response,
                                 double& slope) const noexcept {
    return remainder_from(memo(anchor, response), anchor, u, slope);
  }

  // What the anchor alone decides: min(p, s).
  [[nodiscard]] double memo(double anchor, double /*response*/) const noexcept {
    return sigmoid(-std::abs(anchor));
  }
  [[nodiscard]] double remainder_from(double memo, double anchor, double u,
                                      double& slope) const noexcept {
    const double p = anchor > 0.0 ? 1.0 - memo : memo;
    const double s = anchor > 0.0 ? memo : 1.0 - memo;
    if (std::abs(u) > kSmall) {
      return u > 0.0 ? -excess_far(anchor, u, {p, s}, slope)
                     : -excess_far(-anchor, u, {s, p}, slope);
    }
    return remainder_near(p, s, u, slope);
  }

  // Of log L over rows: a logarithm for several of them.
  [[nodiscard]] double sum(std::size_t rows, const double* eta,
                           const double* response) const noexcept;

  // Blocks of rows, see BlockLikelihood.
  void evaluate(const LikelihoodBlock& block) const noexcept;
  void evaluate(const LikelihoodBlock& block, const TangentBlock& tangents) const noexcept;

  static constexpr const char* kWord = "logistic";
  static constexpr ResponseKind kResponse = ResponseKind::kTwoClasses;
  static constexpr const char* kLink = "logit";
  static constexpr bool kInformationWithinSlope = true;  // s(1 - s) <= 1 - s

  [[nodiscard]] double mean(double eta) const noexcept { return sigmoid(eta); }
  void means(ArrayView eta) const { eta = ((-eta).exp() + 1.0).inverse(); }
  [[nodiscard]] static OpenSide open_side(double response) noexcept {
    return response > 0.0 ? OpenSide::kUp : OpenSide::kDown;
  }
  [[nodiscard]] double sample(Stream& stream, double eta, const Sampling& how) const noexcept {
    const double p = how.certain ? (eta > 0.0 ? 1.0 : 0.0) : sigmoid(eta);
    return stream.uniform() < p ? 1.0 : 0.0;
  }

 private:
  static constexpr double kSmall = 0.1;
  // Only where u^2 could underflow: h + u max|h'| / 3, |h'| <= 1/(6 sqrt 3). The remainder keeps
  // its digits above, and a larger switch would put k above the global curvature near a = 0.
  static constexpr double kSeries = 1e-10;
  static constexpr double kTilt = 0.0321;

  // Probabilities of the class that u favours and of the other.
  struct Shares {
    double stay;
    double leave;
  };

  // For |u| <= kSmall, of numbers or of arrays: F = log1p(x), x = p em(s u) + s em(-p u) <= u^2 /
  // 8, every term positive.
  template <class Real>
  [[nodiscard]] static Real remainder_near(const Real& p, const Real& s, const Real& u,
                                           Real& slope) noexcept {
    const Real up = expm1_minus_x_near<Real>(s * u);
    const Real down = expm1_minus_x_near<Real>(-p * u);
    const Real x = p * up + s * down;
    slope = p * s * (down - up - u) / (1.0 + x);
    return -x * (1.0 - x * (1.0 / 2 - x * (1.0 / 3 - x * (1.0 / 4 - x * (1.0 / 5)))));
  }

  struct Lanes;  // rows that the processor takes together
  static void set_near(const Lanes& lanes, const TangentBlock& tangents);
  void set_far(const LikelihoodBlock& block, const TangentBlock& tangents) const noexcept;

  // With w = |u|: F = log(stay + leave e^-w) + leave w, positive terms inside the logarithm.
  // `favour` is the anchor's predictor for the favoured class.
  [[nodiscard]] static double excess_far(double favour, double u, Shares shares,
                                         double& slope) noexcept {
    const double w = std::abs(u);
    const double decay = std::exp(-w);
    const double mix = shares.stay + shares.leave * decay;
    slope = std::copysign(shares.stay * (shares.leave / mix) * (1.0 - decay), -u);
    constexpr double kUnderflow = 1e-290;
    const double log_mix =
        mix > kUnderflow ? std::log(mix) : softplus(-(favour + w)) - softplus(-favour);
    return log_mix + shares.leave * w;
  }
};

static_assert(GlobalScalar<Logistic> && LocalScalar<Logistic> && BlockLikelihood<Logistic>);

}  // namespace flymc
