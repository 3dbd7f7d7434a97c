// Successes whose chance varies from row to row: the likelihood of the text is that of a chance
// integrated out, with a bound below it; a binomial where the precision is great.
#include "family/beta_binomial.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "flymc/family/binomial.hpp"
#include "flymc/random.hpp"

namespace flymc {
namespace {

const BetaBinomial kOverdispersed;

double probability_of(const double* eta, const Tally& tally) {
  const double code = tally.code();
  return std::exp(kOverdispersed.log_likelihood(eta, code, nullptr) +
                  kOverdispersed.log_constant(code, 1.0));
}

TEST(Tallies, AreOneNumberAndBack) {
  for (const double trials : {1.0, 7.0, 1e6, Tally::kMostTrials}) {
    for (const double successes : {0.0, 1.0, std::floor(0.4 * trials), trials}) {
      const Tally back = Tally::of(Tally{successes, trials}.code());
      EXPECT_EQ(back.successes, successes);
      EXPECT_EQ(back.trials, trials);
    }
  }
}

// Of p = e^t / (1 + e^t) the integral of a binomial times a beta density.
TEST(BetaBinomial, IsABinomialWhoseChanceIsIntegratedOut) {
  const double eta[] = {0.7, 1.1};
  const double a = sigmoid(eta[0]) * std::exp(eta[1]);
  const double b = sigmoid(-eta[0]) * std::exp(eta[1]);
  for (const Tally tally : {Tally{0.0, 1.0}, Tally{0.0, 9.0}, Tally{4.0, 9.0}, Tally{9.0, 9.0}}) {
    double sum = 0.0;
    double total = 0.0;
    constexpr double kStep = 1e-3;
    for (double t = -60.0; t < 60.0; t += kStep) {
      const double prior = std::exp(-a * softplus(-t) - b * softplus(t));  // times dp / dt
      total += kStep * prior;
      sum += kStep * prior *
             std::exp(tally.trials * Binomial{}.log_likelihood(t, tally.share()) +
                      Binomial{}.log_constant(tally.share(), tally.trials));
    }
    EXPECT_NEAR(probability_of(eta, tally), sum / total, 1e-10) << tally.successes;
  }
}

TEST(BetaBinomial, IsABinomialOfOneTrialAndOfAGreatPrecision) {
  for (const double precision : {0.3, 12.0}) {
    const double eta[] = {0.7, std::log(precision)};
    EXPECT_NEAR(probability_of(eta, {1.0, 1.0}), sigmoid(0.7), 1e-14);
  }
  const double eta[] = {0.7, std::log(1e9)};
  for (const double successes : {0.0, 3.0, 8.0}) {
    const Tally tally{successes, 8.0};
    const double binomial = std::exp(8.0 * Binomial{}.log_likelihood(0.7, tally.share()) +
                                     Binomial{}.log_constant(tally.share(), 8.0));
    EXPECT_NEAR(probability_of(eta, tally), binomial, 1e-6) << successes;
  }
}

TEST(BetaBinomial, TakesAsManyTrialsAsATallyHolds) {
  const double eta[] = {0.0, std::log(2.0)};  // every number of successes is as likely
  for (const double trials : {1e3, Tally::kMostTrials}) {
    for (const double share : {0.0, 0.25, 1.0}) {
      const Tally tally{std::floor(share * trials), trials};
      EXPECT_NEAR(std::log(probability_of(eta, tally)), -std::log(trials + 1.0), 1e-6);
    }
  }
}

// phi(a + u) >= phi(a) + g'u - u'W u / 2 in the region, whose predictors may move together.
TEST(BetaBinomial, HasABoundBelow) {
  Stream stream(22, 0, Purpose::kTest, 0);
  const bool shared[2] = {false, true};
  std::size_t bounded = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const double deviation = std::exp(-5.0 + 4.0 * stream.uniform());
    const double second = deviation * std::exp(stream.normal());
    const double correlation = 1.8 * stream.uniform() - 0.9;
    const double covariance[3] = {deviation * deviation, correlation * deviation * second,
                                  second * second};
    const PredictorRegion region{covariance, 4.0, shared, 4.0};
    const double anchor[2] = {2.0 * stream.normal(), 1.5 + stream.normal()};
    const double trials = std::floor(1.0 + 20.0 * stream.uniform());
    const double code = Tally{std::floor((trials + 1.0) * stream.uniform()), trials}.code();
    double curvature[3] = {};
    if (!kOverdispersed.local_curvature(anchor, code, region, curvature)) {
      continue;
    }
    ++bounded;
    double slopes[2] = {};
    const double at = kOverdispersed.log_likelihood(anchor, code, slopes);
    for (int point = 0; point < 20; ++point) {
      const double angle = 6.283185307179586 * stream.uniform();
      const double length = 4.0 * std::sqrt(stream.uniform());
      const double w[2] = {length * std::cos(angle), length * std::sin(angle)};
      const double u[2] = {
          deviation * (correlation * w[1] + std::sqrt(1.0 - correlation * correlation) * w[0]),
          second * w[1]};
      const double moved[2] = {anchor[0] + u[0], anchor[1] + u[1]};
      const double bound = slopes[0] * u[0] + slopes[1] * u[1] -
                           0.5 * (curvature[0] * u[0] * u[0] + 2.0 * curvature[1] * u[0] * u[1] +
                                  curvature[2] * u[1] * u[1]);
      const double change = kOverdispersed.log_likelihood(moved, code, nullptr) - at;
      EXPECT_GE(change, bound - 1e-10 * (1.0 + std::abs(at))) << trial;
    }
  }
  EXPECT_GT(bounded, 3800U);
}

}  // namespace
}  // namespace flymc
