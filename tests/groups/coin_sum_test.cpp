// Summed over all patterns of coins the joint density is the posterior, written down from priors
// and likelihoods: at points of which some are outside of regions of levels, or of what they share.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "groups/one_step.hpp"
#include "groups/small_shared.hpp"

namespace flymc {
namespace {

using test::Design;
using test::Kind;
using test::SmallCrossed;
using test::SmallGroups;

double add_logs(double a, double b) {
  const double most = std::max(a, b);
  return std::isinf(most) ? most : most + std::log1p(std::exp(std::min(a, b) - most));
}

// Turns one coin at a time, as a chain does, so that each pattern comes once (a Gray code); its
// density from what the point holds must be that made anew from all bright rows.
template <class Target>
double log_sum_over_coins(Target& target, Point& point) {
  const std::size_t rows = target.rows();
  double sum = -std::numeric_limits<double>::infinity(), off = 0.0;
  target.relight({});
  target.evaluate(point, Order::kValue);
  for (std::size_t pattern = 0; pattern < std::size_t{1} << rows; ++pattern) {
    if (pattern > 0) {
      const auto row = static_cast<Datum>(std::countr_zero(pattern));
      if (target.is_bright(row)) {
        target.darken(point, target.slot_of(row));
      } else {
        std::ignore = target.query(point, {&row, 1});
        target.brighten(point, 0);
      }
      target.refresh(point, Order::kValue);
      const double refreshed = point.log_density;
      target.evaluate(point, Order::kValue);
      off = std::isfinite(refreshed) ? std::max(off, std::abs(point.log_density - refreshed)) : off;
    }
    sum = add_logs(sum, point.log_density);
  }
  EXPECT_LT(off, 1e-9);
  return sum;
}

// `log_posterior` of theta, up to a constant.
template <class Target, class Setting>
void expect_posterior(const Setting& setting,
                      const std::function<double(const Vector&)>& log_posterior) {
  constexpr int kPoints = 20;
  ASSERT_EQ(setting.bounds.beacons, 0U);
  Target target(setting);
  Point point(target.dimension());
  std::vector<Datum> rows(target.rows());
  std::iota(rows.begin(), rows.end(), Datum{0});
  std::optional<double> constant;
  int some_outside = 0, all_outside = 0;  // points
  Stream stream(61, 0, Purpose::kTest, 0);
  Vector theta(target.dimension());
  for (int i = 0; i < kPoints; ++i) {
    for (double& value : theta) {
      value = 0.7 * stream.normal();
    }
    target.from_theta(theta, point);
    const double sum = log_sum_over_coins(target, point);
    target.relight({});
    target.evaluate(point, Order::kValue);
    const double dark = point.log_density, near = 1e-9 + 1e-12 * std::abs(dark);
    const double off = sum - log_posterior(theta);
    constant = constant.value_or(off);
    EXPECT_NEAR(off, *constant, near) << i;

    // the same of coins by their own probabilities
    double product = dark;
    for (const double log_odds : target.query(point, rows)) {
      product += add_logs(0.0, log_odds);
    }
    EXPECT_NEAR(product, sum, near) << i;

    const auto [bright, bright_outside, levels, all] = test::standing_of(target, point);
    some_outside += all == 0.0 && levels > 0.0 && levels < 3.0 ? 1 : 0;  // of three or more
    all_outside += all > 0.0 ? 1 : 0;
  }
  if (std::ranges::find(setting.bounds.kind, RowBound::kGlobal) == setting.bounds.kind.end()) {
    EXPECT_GT(some_outside, 0);
    EXPECT_GT(all_outside, 0);
    EXPECT_LT(all_outside, kPoints);
  }
}

// Of what all rows share, and of a response given that and eta.
struct SmallLaw {
  std::function<double(double)> log_prior_of_shared;
  std::function<double(double eta, double shared, double response)> log_likelihood;
};
SmallLaw small_law(const std::string& family) {
  const test::LogLikelihood log_likelihood = test::small_family(family).log_likelihood;
  return {[](double /*shared*/) { return 0.0; },
          [=](double eta, double /*shared*/, double y) { return log_likelihood(eta, y); }};
}
SmallLaw small_law(Kind kind) {
  return {[=](double shared) { return test::log_prior_of_shared(kind, shared); },
          [=](double eta, double shared, double y) {
            return test::log_likelihood(kind, eta, shared, y);
          }};
}

double log_normal(double x, double log_sd) {
  return -0.5 * std::pow(x * std::exp(-log_sd), 2) - log_sd;
}
double log_half_normal(double log_tau) { return log_tau - 0.5 * std::exp(2.0 * log_tau); }

// theta = (beta, u, log scales, y of their correlation tanh y, what is shared).
double log_posterior(const SmallGroups& small, const SmallLaw& law, const Vector& theta) {
  const Index q = small.grouping.size();
  const Vector psi = theta.tail(small.scales.size());
  const double beta = theta[0], shared = psi[psi.size() - 1];
  double sum = law.log_prior_of_shared(shared) + log_normal(beta, std::log(SmallGroups::kBetaSd));
  for (Index j = 0; j < q; ++j) {
    sum += log_half_normal(psi[j]);
  }
  const double rho = q > 1 ? std::tanh(psi[2]) : 0.0;
  sum += q > 1 ? std::log(1.0 - rho * rho) : 0.0;  // uniform: d rho = (1 - rho^2) dy
  for (std::size_t g = 0; g < 3; ++g) {
    const Vector u = theta.segment(1 + static_cast<Index>(g) * q, q);
    sum += log_normal(u[0], psi[0]);
    if (q > 1) {  // the second given the first
      const double mean = rho * std::exp(psi[1] - psi[0]) * u[0];
      sum += log_normal(u[1] - mean, psi[1] + 0.5 * std::log(1.0 - rho * rho));
    }
    for (const std::size_t n : small.grouping.rows(g)) {
      double scratch = 0.0;
      const double x = q > 1 ? small.data.row(n, &scratch).raw[0] : 1.0;
      const double eta = small.data.offset(n) + x * beta + u[0] + (q > 1 ? x * u[1] : 0.0);
      sum += law.log_likelihood(eta, shared, small.data.response(n));
    }
  }
  return sum;
}

// theta = (beta, levels of the first term and of the second, log scales, what is shared).
double log_posterior(const SmallCrossed& small, const SmallLaw& law, const Vector& theta) {
  const bool two = SmallCrossed::has_two_terms(small.design);
  const Vector psi = theta.tail(small.scales.size());
  const double beta = theta[0], shared = psi[psi.size() - 1];
  double sum = law.log_prior_of_shared(shared) + log_normal(beta, std::log(SmallCrossed::kBetaSd)) +
               log_half_normal(psi[0]) + (two ? log_half_normal(psi[1]) : 0.0);
  const std::size_t first = two ? 2 : 3;
  const Vector u = theta.segment(1, static_cast<Index>(small.memberships.levels()));
  for (Index level = 0; level < u.size(); ++level) {
    sum += log_normal(u[level], psi[level < static_cast<Index>(first) ? 0 : 1]);
  }
  for (std::size_t n = 0; n < small.all.size(); ++n) {
    const auto [a, b] = small.all[n];
    const double other = u[static_cast<Index>(two ? first + b : b)];
    const double eta = small.data.offset(n) + beta + u[static_cast<Index>(a)] +
                       (two ? 1.0 : SmallCrossed::sign(small.design)) * other;
    sum += law.log_likelihood(eta, shared, small.data.response(n));
  }
  return sum;
}

constexpr GroupOptions kSmallRegions{.level_radius = 1.2, .fixed_radius = 1.2, .beacons = false};

void expect_groups(const SmallGroups& small, const SmallLaw& law) {
  const GroupBounds bounds = make_group_bounds(small.problem, Vector::Zero(1), kSmallRegions);
  expect_posterior<GroupTarget>(GroupSetting{small.problem, bounds}, [&](const Vector& theta) {
    return log_posterior(small, law, theta);
  });
}
void expect_crossed(const SmallCrossed& small, const SmallLaw& law) {
  const CrossedBounds bounds =
      make_crossed_bounds(small.problem, Vector::Zero(1), {.rows = kSmallRegions, .few_levels = 0});
  expect_posterior<CrossedTarget>(CrossedSetting{small.problem, bounds}, [&](const Vector& theta) {
    return log_posterior(small, law, theta);
  });
}

TEST(CoinSum, OfOneFactorIsThePosterior) {
  for (const char* const family : {"logistic", "poisson", "student-t"}) {
    for (const bool has_slopes : {false, true}) {
      SCOPED_TRACE(testing::Message() << family << has_slopes);
      expect_groups(test::make_small_groups(family, has_slopes), small_law(family));
    }
  }
}
TEST(CoinSum, OfOneFactorAndSharedParametersIsThePosterior) {
  for (const Kind kind : {Kind::kSize, Kind::kScale}) {
    expect_groups(test::make_small_shared(kind), small_law(kind));
  }
}
TEST(CoinSum, OfSeveralFactorsIsThePosterior) {
  for (const char* const family : {"logistic", "poisson", "student-t"}) {
    for (const Design design :
         {Design::kSigned, Design::kSummed, Design::kCrossed, Design::kNested}) {
      SCOPED_TRACE(testing::Message() << family << static_cast<int>(design));
      expect_crossed(test::make_small_crossed(family, design), small_law(family));
    }
  }
}
TEST(CoinSum, OfSeveralFactorsAndSharedParametersIsThePosterior) {
  for (const Kind kind : {Kind::kSize, Kind::kScale}) {
    expect_crossed(test::make_small_shared(kind, Design::kCrossed), small_law(kind));
  }
}

}  // namespace
}  // namespace flymc
