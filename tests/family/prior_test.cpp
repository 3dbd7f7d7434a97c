#include "flymc/family/prior.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "flymc/error.hpp"
#include "support/unit_statistics.hpp"

namespace flymc {
namespace {

Prior mixed_prior() {
  return Prior(
      {{PriorKind::kNormal, 1.0, 2.0}, {PriorKind::kLaplace, -0.5, 0.3}, {PriorKind::kFlat}});
}

Vector vector3(double a, double b, double c) {
  Vector v(3);
  v << a, b, c;
  return v;
}

TEST(Prior, IsTheSumOfItsTermsWithoutConstants) {
  const Prior prior = mixed_prior();
  EXPECT_DOUBLE_EQ(prior.log_density(vector3(3.0, -1.1, 1e300)), -0.5 - 2.0);
  EXPECT_FALSE(prior.is_parabola());
  EXPECT_TRUE(prior.has_flat());
  EXPECT_TRUE(Prior({{PriorKind::kNormal}, {PriorKind::kFlat}}).is_parabola());
  EXPECT_FALSE(Prior({{PriorKind::kLaplace}}).has_flat());
}

TEST(Prior, GradientIsTheFiniteDifference) {
  const Prior prior = mixed_prior();
  for (const Vector& theta : {vector3(0.3, 0.7, 2.0), vector3(-5.0, -3.0, 0.0)}) {
    Vector gradient = Vector::Constant(3, 10.0);  // add_gradient adds
    prior.add_gradient(theta, gradient);
    for (Index j = 0; j < 3; ++j) {
      const double h = 1e-5;
      Vector above = theta;
      Vector below = theta;
      above[j] += h;
      below[j] -= h;
      const double slope = (prior.log_density(above) - prior.log_density(below)) / (2.0 * h);
      EXPECT_NEAR(gradient[j] - 10.0, slope, 1e-8);
    }
  }
}

TEST(Prior, TheKinkOfALaplaceTermHasNoSlope) {
  Vector gradient = Vector::Zero(1);
  Prior({{PriorKind::kLaplace, 0.5, 2.0}}).add_gradient(Vector::Constant(1, 0.5), gradient);
  EXPECT_EQ(gradient[0], 0.0);
}

TEST(SmoothPrior, DerivativesAreFiniteDifferences) {
  const Prior prior = mixed_prior();
  const Vector smoothing = vector3(0.1, 0.2, 0.3);
  const Vector theta = vector3(0.3, -0.4, 2.0);
  Vector gradient = Vector::Zero(3);
  Vector precision = Vector::Zero(3);
  prior.add_smooth_derivatives(theta, smoothing, gradient, precision);
  for (Index j = 0; j < 3; ++j) {
    const double h = 1e-4;
    Vector above = theta;
    Vector below = theta;
    above[j] += h;
    below[j] -= h;
    const double up = prior.smooth_log_density(above, smoothing);
    const double here = prior.smooth_log_density(theta, smoothing);
    const double down = prior.smooth_log_density(below, smoothing);
    EXPECT_NEAR(gradient[j], (up - down) / (2.0 * h), 1e-6);
    EXPECT_NEAR(precision[j], -(up - 2.0 * here + down) / (h * h), 1e-5);
  }
}

TEST(SmoothPrior, TendsToThePriorAsSmoothingVanishes) {
  const Prior prior = mixed_prior();
  const Vector theta = vector3(0.3, -0.4, 2.0);
  Vector exact = Vector::Zero(3);
  prior.add_gradient(theta, exact);
  for (const double smoothing : {1e-2, 1e-4, 1e-8}) {
    Vector gradient = Vector::Zero(3);
    Vector precision = Vector::Zero(3);
    const Vector all = Vector::Constant(3, smoothing);
    prior.add_smooth_derivatives(theta, all, gradient, precision);
    // |t| <= sqrt(t^2 + e^2) <= |t| + e, and the slopes differ by less than e^2 / t^2 / b.
    EXPECT_NEAR(prior.smooth_log_density(theta, all), prior.log_density(theta), smoothing / 0.3);
    EXPECT_LT((gradient - exact).norm(), smoothing * smoothing / (0.01 * 0.3) + 1e-14);
  }
}

TEST(Prior, DrawsHaveTheMomentsOfTheirLaw) {
  const Prior prior = mixed_prior();
  Stream stream(9, 0, Purpose::kTest, 0);
  constexpr int kDraws = 100000;
  Vector mean = Vector::Zero(3);
  Vector square = Vector::Zero(3);
  Vector theta(3);
  for (int i = 0; i < kDraws; ++i) {
    prior.sample(stream, theta);
    theta -= vector3(1.0, -0.5, 0.0);
    mean += theta / kDraws;
    square += theta.cwiseAbs2() / kDraws;
  }
  const double root = std::sqrt(static_cast<double>(kDraws));
  EXPECT_NEAR(mean[0], 0.0, unit::kTwoSided * 2.0 / root);
  EXPECT_NEAR(square[0], 4.0, unit::kTwoSided * std::sqrt(2.0) * 4.0 / root);
  // Laplace: variance 2 b^2, fourth moment 24 b^4.
  EXPECT_NEAR(mean[1], 0.0, unit::kTwoSided * std::sqrt(2.0) * 0.3 / root);
  EXPECT_NEAR(square[1], 2.0 * 0.09, unit::kTwoSided * std::sqrt(20.0) * 0.09 / root);
  EXPECT_EQ(square[2], 0.0);
}

TEST(Prior, RefusesAScaleThatIsNotPositiveAndFinite) {
  for (const double scale : {0.0, -1.0, double{INFINITY}, std::nan("")}) {
    EXPECT_THROW(Prior({{PriorKind::kNormal, 0.0, scale}}), Error);
    EXPECT_THROW(Prior({{PriorKind::kLaplace, 0.0, scale}}), Error);
  }
  EXPECT_THROW(Prior({{PriorKind::kNormal, std::nan(""), 1.0}}), Error);
  EXPECT_NO_THROW(Prior({{PriorKind::kFlat, 0.0, 0.0}}));
}

TEST(Prior, AFlatTermWithoutAScaleStaysFinite) {
  const Prior prior({{PriorKind::kFlat, 0.0, 0.0}});
  Stream stream(10, 0, Purpose::kTest, 0);
  Vector theta = Vector::Constant(1, 3.0);
  EXPECT_EQ(prior.log_density(theta), 0.0);
  prior.sample(stream, theta);
  EXPECT_EQ(theta[0], 0.0);
}

struct NaturalLaw {
  PriorTerm term;
  double (*log_density)(double s);  // textbook, of the parameter itself, up to a constant
};

const NaturalLaw kNaturalLaws[] = {
    {{PriorKind::kExponential, 0.0, 2.0}, [](double s) { return -s / 2.0; }},
    {{PriorKind::kHalfNormal, 0.0, 1.5}, [](double s) { return -s * s / (2.0 * 1.5 * 1.5); }},
    {{PriorKind::kHalfT, 0.0, 0.7, 3.0},
     [](double s) { return -2.0 * std::log(1.0 + s * s / (3.0 * 0.7 * 0.7)); }},
    {{PriorKind::kGamma, 0.0, 0.5, 2.5}, [](double s) { return 1.5 * std::log(s) - s / 0.5; }},
    {{PriorKind::kInverseGamma, 0.0, 0.3, 1.4},
     [](double s) { return -2.4 * std::log(s) - 0.3 / s; }},
};

TEST(Prior, OfANaturalParameterIsADensity) {
  for (const NaturalLaw& law : kNaturalLaws) {
    const Prior prior({law.term});
    const auto textbook = [&](double t) { return law.log_density(std::exp(t)) + t; };
    for (double t = -4.0; t < 4.0; t += 0.37) {
      const double from_zero =
          prior.log_density(Vector::Constant(1, t)) - prior.log_density(Vector::Zero(1));
      EXPECT_NEAR(from_zero, textbook(t) - textbook(0.0), 1e-12 * (1.0 + std::abs(from_zero)));
    }
  }
  const Prior share({{PriorKind::kUniformShare}});
  for (double t = -4.0; t < 4.0; t += 0.37) {
    const double p = 1.0 / (1.0 + std::exp(-t));
    EXPECT_NEAR(share.log_density(Vector::Constant(1, t)), std::log(p * (1.0 - p)), 1e-12);
  }
}

// The density of t = log s is that of s times e^t.
TEST(Prior, ThatIsUniformInAPositiveParameterIsItsJacobian) {
  const Prior prior({{PriorKind::kUniform, 0.5}});
  EXPECT_TRUE(prior.has_flat());
  EXPECT_FALSE(prior.is_parabola());
  for (const double t : {-3.0, 0.0, 2.5}) {
    const Vector at = Vector::Constant(1, t);
    Vector slope = Vector::Zero(1);
    Vector precision = Vector::Zero(1);
    prior.add_gradient(at, slope);
    prior.add_smooth_derivatives(at, Vector::Ones(1), slope, precision);
    EXPECT_EQ(prior.log_density(at), t);
    EXPECT_EQ(slope[0], 2.0);
    EXPECT_EQ(precision[0], 0.0);
  }
  Stream stream(4, 0, Purpose::kTest, 0);
  Vector theta = Vector::Zero(1);
  prior.sample(stream, theta);
  EXPECT_EQ(theta[0], 0.5);
}

TEST(Prior, OfANaturalParameterHasItsDerivativesAndDraws) {
  std::vector<PriorTerm> terms{{PriorKind::kUniformShare}};
  for (const NaturalLaw& law : kNaturalLaws) {
    terms.push_back(law.term);
  }
  for (const PriorTerm& term : terms) {
    const Prior prior({term});
    EXPECT_FALSE(prior.is_parabola());
    EXPECT_FALSE(prior.has_flat());
    const auto value = [&](double t) { return prior.log_density(Vector::Constant(1, t)); };
    for (double t = -3.0; t < 3.0; t += 0.61) {
      constexpr double kStep = 1e-4;
      Vector slope = Vector::Zero(1);
      Vector smooth = Vector::Zero(1);
      Vector precision = Vector::Zero(1);
      prior.add_gradient(Vector::Constant(1, t), slope);
      prior.add_smooth_derivatives(Vector::Constant(1, t), Vector::Ones(1), smooth, precision);
      const double difference = (value(t + kStep) - value(t - kStep)) / (2.0 * kStep);
      const double second =
          (value(t + kStep) - 2.0 * value(t) + value(t - kStep)) / (kStep * kStep);
      EXPECT_NEAR(slope[0], difference, 1e-6 * (1.0 + std::abs(difference)));
      EXPECT_EQ(slope[0], smooth[0]);
      EXPECT_NEAR(precision[0], -second, 1e-5 * (1.0 + std::abs(second)));
      EXPECT_GE(precision[0], 0.0);
    }
    // E tanh(t) by the density and by draws.
    double mass = 0.0;
    double mean = 0.0;
    double square = 0.0;
    for (double t = -60.0; t < 60.0; t += 1e-3) {
      const double density = std::exp(value(t));
      mass += density;
      mean += density * std::tanh(t);
      square += density * std::tanh(t) * std::tanh(t);
    }
    mean /= mass;
    constexpr int kDraws = 40'000;
    Stream stream(4, 0, Purpose::kTest, 0);
    Vector draw(1);
    double sum = 0.0;
    for (int i = 0; i < kDraws; ++i) {
      prior.sample(stream, draw);
      sum += std::tanh(draw[0]);
    }
    EXPECT_NEAR(sum / kDraws, mean, 4.5 * std::sqrt((square / mass - mean * mean) / kDraws));
  }
}

}  // namespace
}  // namespace flymc
