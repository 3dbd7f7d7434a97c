// Pareto smoothed weights against what R's loo 2.5.1 gave for the same numbers.
#include "diagnose/pareto.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace flymc {
namespace {

constexpr double kPrinted = 1e-10;  // R printed twelve

std::vector<double> units() {
  std::vector<double> u;
  for (int t = 1; t <= 400; ++t) {
    u.push_back((7919 * t) % 1009 / 1009.0);
  }
  return u;
}

// psis() of -ll, then elpd = log sum exp(w + ll).
struct Known {
  double exponent;
  double khat;
  double largest;   // of the normalised log weights
  double at_380;    // in ascending order
  double log_mean;  // of 1/weight
};

TEST(Pareto, SmoothsWeightsAsR) {
  for (const Known& known :
       {Known{0.2, 0.200485691233, -5.05112650943, -5.61376175566, -2.22274003397},
        Known{0.8, 0.69099333343, -2.62890227326, -4.91157139875, -3.29529955529}}) {
    std::vector<double> raw;
    for (const double u : units()) {
      raw.push_back(2.0 - known.exponent * std::log1p(-u));
    }
    std::vector<double> smooth = raw;
    EXPECT_NEAR(smooth_weights(smooth), known.khat, kPrinted);
    double total = 0.0;
    double inverse = 0.0;
    for (std::size_t i = 0; i < smooth.size(); ++i) {
      total += std::exp(smooth[i]);
      inverse += std::exp(smooth[i] - raw[i]);
    }
    EXPECT_NEAR(std::log(inverse / total), known.log_mean, kPrinted);
    std::sort(smooth.begin(), smooth.end());
    EXPECT_NEAR(smooth.back() - std::log(total), known.largest, kPrinted);
    EXPECT_NEAR(smooth[379] - std::log(total), known.at_380, kPrinted);
  }
}

TEST(Pareto, FitsAsR) {
  std::vector<double> tail;
  for (const double u : units()) {
    tail.push_back(-std::log1p(-u));
  }
  std::sort(tail.begin(), tail.end());
  const double threshold = tail[339];
  tail.erase(tail.begin(), tail.begin() + 340);
  for (double& value : tail) {
    value -= threshold;
  }
  const ParetoFit fit = fit_pareto(tail);
  EXPECT_NEAR(fit.k, 0.0357846095604, kPrinted);
  EXPECT_NEAR(fit.sigma, 1.03805853495, kPrinted);
}

TEST(Pareto, LeavesEqualWeightsAsTheyAre) {
  std::vector<double> weights(100, 3.0);
  EXPECT_EQ(smooth_weights(weights), 0.0);
  EXPECT_EQ(weights, std::vector<double>(100, 0.0));
}

TEST(Pareto, SaysThatFewWeightsHaveNoTail) {
  std::vector<double> weights{1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0};
  EXPECT_TRUE(std::isinf(smooth_weights(weights)));
}

}  // namespace
}  // namespace flymc
