// Right censored times: the likelihood of -t is the probability of more than t, with a bound below
// it as for any response.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "family/exponential.hpp"
#include "family/log_logistic.hpp"
#include "family/weibull.hpp"
#include "flymc/random.hpp"

namespace flymc {
namespace {

template <class M>
class CensoredTimes : public ::testing::Test {};
using Families = ::testing::Types<Exponential, Weibull, LogLogistic>;
TYPED_TEST_SUITE(CensoredTimes, Families);

TYPED_TEST(CensoredTimes, AreAsLikelyAsALongerTime) {
  const TypeParam model;
  static_assert(TypeParam::kTakesCensored);
  const double eta[] = {0.4, 0.6};
  for (const double time : {0.05, 0.7, 1.5, 4.0}) {
    double longer = 0.0;  // integral of the density over log t
    constexpr double kStep = 1e-4;
    for (double s = std::log(time) + 0.5 * kStep; s < 40.0; s += kStep) {
      longer += kStep * std::exp(s + model.log_likelihood(eta, std::exp(s), nullptr));
    }
    EXPECT_NEAR(std::exp(model.log_likelihood(eta, -time, nullptr)), longer, 1e-7) << time;
  }
}

TYPED_TEST(CensoredTimes, HaveTheirSlopes) {
  const TypeParam model;
  constexpr double kStep = 1e-5;
  double eta[] = {0.4, 0.6};
  double slopes[2] = {};
  (void)model.log_likelihood(eta, -1.3, slopes);
  for (int k = 0; k < model.predictors(); ++k) {
    const double at = eta[k];
    eta[k] = at + kStep;
    const double above = model.log_likelihood(eta, -1.3, nullptr);
    eta[k] = at - kStep;
    const double below = model.log_likelihood(eta, -1.3, nullptr);
    eta[k] = at;
    EXPECT_NEAR(slopes[k], (above - below) / (2.0 * kStep), 1e-8);
  }
}

// phi(a + u) >= phi(a) + g'u - u'W u / 2 wherever |u_k| <= r_k: predictors are independent here.
TYPED_TEST(CensoredTimes, HaveABoundBelow) {
  const TypeParam model;
  const int width = model.predictors();
  Stream stream(21, 0, Purpose::kTest, 0);
  const bool shared[2] = {false, false};
  std::size_t bounded = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const double deviation = std::exp(-5.0 + 4.0 * stream.uniform());
    const double covariance[3] = {deviation * deviation, 0.0, deviation * deviation};
    const PredictorRegion region{covariance, 2.0, shared, 2.0};
    const double anchor[2] = {2.0 * stream.normal(), 0.7 * stream.normal()};
    const double response = -std::exp(2.0 * stream.normal());
    double weights[3] = {};
    if (!model.local_curvature(anchor, response, region, weights)) {
      continue;
    }
    ++bounded;
    double slopes[2] = {};
    const double value = model.log_likelihood(anchor, response, slopes);
    for (int point = 0; point < 10; ++point) {
      double u[2] = {stream.normal(), width > 1 ? stream.normal() : 0.0};
      const double length = std::hypot(u[0], u[1]);
      const double far = 2.0 * deviation * (point < 5 ? 1.0 : stream.uniform()) / length;
      u[0] *= far;
      u[1] *= far;
      const double there[2] = {anchor[0] + u[0], anchor[1] + u[1]};
      double parabola = value + slopes[0] * u[0] + slopes[1] * u[1];
      parabola -= 0.5 * weights[0] * u[0] * u[0];
      if (width > 1) {
        parabola -= weights[1] * u[0] * u[1] + 0.5 * weights[2] * u[1] * u[1];
      }
      const double likelihood = model.log_likelihood(there, response, nullptr);
      EXPECT_GE(likelihood - parabola, -1e-12 * (1.0 + std::abs(value) + std::abs(parabola)));
    }
  }
  EXPECT_GT(bounded, 3000U);
}

}  // namespace
}  // namespace flymc
