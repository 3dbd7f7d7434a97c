#include "flymc/detail/posterior/cubature.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/unit_problem.hpp"

namespace flymc {
namespace {

// Three-point Gauss-Hermite for u ~ N(0, r^2): exact for polynomials of degree five.
template <class F>
double gauss_hermite(double r, const F& f) {
  const double u = std::sqrt(3.0) * r;
  return (f(-u) + 4.0 * f(0.0) + f(u)) / 6.0;
}

template <class Case>
class CubatureOf : public ::testing::Test {};
using CubatureCases =
    ::testing::Types<unit::LogisticCase, unit::StudentTCase, unit::PoissonCase, unit::ProbitCase,
                     unit::BinomialCase, unit::NegativeBinomialCase>;
TYPED_TEST_SUITE(CubatureOf, CubatureCases);

TYPED_TEST(CubatureOf, OnePredictorIsThreePointGaussHermite) {
  const auto model = TypeParam::model();
  Cubature cubature(model);
  Stream stream(1, 0, Purpose::kTest, 0);
  for (int i = 0; i < 50; ++i) {
    const double response = TypeParam::response(stream);
    const double a = 2.0 * stream.normal();
    const double r = 1.5 * stream.uniform();
    const double k = 0.3 + stream.uniform();
    double slope = 0.7;  // is added to
    const double gap = cubature.expected_gap({&a, &k, response}, &r, &slope);
    const auto phi = [&](double u) { return model.log_likelihood(a + u, response); };
    double at_anchor = 0.0;
    const double value = model.log_likelihood(a, response, at_anchor);
    const double expected_gap = gauss_hermite(
        r, [&](double u) { return std::abs(phi(u) - value - at_anchor * u + 0.5 * k * u * u); });
    const double expected_slope = gauss_hermite(r, [&](double u) {
      double s = 0.0;
      std::ignore = model.log_likelihood(a + u, response, s);
      return s;
    });
    EXPECT_NEAR(gap, expected_gap, 1e-12 * (1.0 + std::abs(value)));
    EXPECT_NEAR(slope - 0.7, expected_slope - at_anchor, 1e-12 * (1.0 + std::abs(at_anchor)));
    double information = 0.0;
    cubature.expected_information({&a, &k, response}, &r, &information);
    EXPECT_NEAR(information,
                gauss_hermite(r, [&](double u) { return model.information(a + u, response); }),
                1e-12 * (1.0 + information));
  }
}

// Standard deviations of differences of K predictors with a random covariance.
std::vector<double> random_pairs(Stream& stream, Index k) {
  const Matrix factor = Matrix::NullaryExpr(k, k, [&] { return stream.normal(); });
  const Matrix covariance = factor * factor.transpose();
  std::vector<double> pairs;
  for (Index b = 1; b < k; ++b) {
    for (Index a = 0; a < b; ++a) {
      pairs.push_back(std::sqrt(covariance(a, a) + covariance(b, b) - 2.0 * covariance(a, b)));
    }
  }
  return pairs;
}

TEST(PrincipalAxes, ReproduceTheVarianceOfEveryDifference) {
  Stream stream(2, 0, Purpose::kTest, 0);
  for (const int k : {2, 3, 5}) {
    PrincipalAxes principal(CurvatureForm::kLaplacian, k);
    for (int i = 0; i < 20; ++i) {
      const std::vector<double> pairs = random_pairs(stream, k);
      const Matrix axes = principal.of(pairs.data());
      ASSERT_EQ(axes.cols(), k - 1);
      std::size_t pair = 0;
      for (Index b = 1; b < k; ++b) {
        for (Index a = 0; a < b; ++a, ++pair) {
          // points at +- each axis, 1/6 each
          const double variance = (axes.row(a) - axes.row(b)).squaredNorm() / 3.0;
          EXPECT_NEAR(variance, pairs[pair] * pairs[pair], 1e-12 * (1.0 + variance));
        }
      }
      const Matrix products = axes.transpose() * axes;
      EXPECT_LT((products - Matrix(products.diagonal().asDiagonal())).norm(), 1e-12);
    }
  }
}

// Along two classes only, softmax is a logistic function of their difference.
TEST(Cubature, TwoClassesAverageLikeALogistic) {
  const Softmax softmax(2);
  const Logistic logistic;
  Cubature pairwise(softmax);
  Cubature scalar(logistic);
  for (const double r : {0.1, 0.8, 3.0}) {
    const double anchor[2] = {0.4, -0.5};
    const double apart = anchor[0] - anchor[1];
    const double k = 0.2;
    double slopes[2] = {0.0, 0.0};
    double slope = 0.0;
    const double gap = pairwise.expected_gap({anchor, &k, 0.0}, &r, slopes);
    EXPECT_NEAR(gap, scalar.expected_gap({&apart, &k, 1.0}, &r, &slope), 1e-14);
    EXPECT_NEAR(slopes[0], slope, 1e-14);
    EXPECT_NEAR(slopes[1], -slope, 1e-14);
    double by_pair = 0.0;
    double by_scalar = 0.0;
    pairwise.expected_information({anchor, &k, 0.0}, &r, &by_pair);
    scalar.expected_information({&apart, &k, 1.0}, &r, &by_scalar);
    EXPECT_NEAR(by_pair, by_scalar, 1e-14);
  }
}

TYPED_TEST(CubatureOf, SetsTheRatesAndTheSlackOfLocalBounds) {
  const unit::Problem<TypeParam> problem({.sharpness = 30.0}, BoundKind::kLocal);
  const Bounds& bounds = problem.bounds;
  Cubature cubature(problem.model);
  double total = 0.0;
  for (Datum n = 0; n < problem.shape.rows; ++n) {
    const std::vector<double> k = problem.curvature(n);
    double unused = 0.0;
    const double gap =
        static_cast<double>(problem.weight(n)) *
        cubature.expected_gap({bounds.tangents.touch_point(n), k.data(), problem.response(n)},
                              bounds.tangents.leverage(n), &unused);
    EXPECT_NEAR(bounds.coins.rates.rate(n), 1.5 * 1.1 * gap, 1e-6 * gap);
    EXPECT_NEAR(bounds.coins.slack(n), 0.1 * gap, 1e-6 * gap);
    total += 1.1 * gap;
  }
  EXPECT_NEAR(bounds.coins.expected_bright, total, 1e-6 * total);
}

}  // namespace
}  // namespace flymc
