// Bounds derived from expressions lie below them: docs/method/automatic.md, The bound.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "flymc/detail/family/auto/curvature.hpp"
#include "flymc/detail/family/auto/functions.hpp"
#include "flymc/family/logistic.hpp"
#include "flymc/family/negative_binomial.hpp"
#include "flymc/family/poisson.hpp"
#include "flymc/family/probit.hpp"
#include "flymc/family/student_t.hpp"
#include "flymc/random.hpp"
#include "support/densities.hpp"
#include "support/random_expression.hpp"
#include "support/random_region.hpp"

namespace flymc {
namespace {

using smooth::Jet2;
using smooth::Packed;
using smooth::packed;
using smooth::Region;
using smooth::Remainder;
using unit::each;
using unit::Exact;
using unit::parabola;
using unit::RandomRegion;
using unit::Real;
using unit::share_of_region;

template <class Visit, class... D>
void for_each(const std::tuple<D...>& densities, Visit&& visit) {
  std::apply([&](const auto&... density) { (visit(density), ...); }, densities);
}

// One predictor: the gap in remainder arithmetic, and now and then in long double.
template <class Density>
void expect_bound(const Density& density, Stream& stream, int trials) {
  for (int i = 0; i < trials; ++i) {
    const double anchor = 2.5 * stream.normal();
    const double y = density.draw(stream, anchor + stream.normal());
    const double radius = unit::pow(10.0, 5.0 * stream.uniform() - 4.0);
    const auto phi = [&](const auto& eta) { return density.log_density(eta, y); };
    const double k = smooth::local_curvature(phi, anchor, radius);
    ASSERT_FALSE(unit::isnan(k));
    if (std::isinf(k)) {
      continue;
    }
    for (int point = 0; point < 8; ++point) {
      const double u = radius * share_of_region(stream);
      const auto moved = phi(Remainder<1>::variable(anchor, u, 0));
      ASSERT_GE(moved.rest + 0.5 * k * u * u, -std::numeric_limits<double>::min())
          << "anchor " << anchor << ", y " << y << ", radius " << radius << ", u " << u;
    }
    if (i % 20 == 0) {
      const Real u = radius * static_cast<Real>(share_of_region(stream));
      const Real h = 1e-5L;
      const auto exact = [&](Real at) { return phi(Exact(static_cast<Real>(anchor) + at)).value; };
      const Real slope = (8 * (exact(h) - exact(-h)) - (exact(2 * h) - exact(-2 * h))) / (12 * h);
      ASSERT_GE(exact(u) - exact(0) - slope * u + k * u * u / 2,
                -1e-17L * (unit::abs(exact(0)) + unit::abs(slope * u)) - 1e-18L * unit::abs(u))
          << "anchor " << anchor << ", y " << y << ", radius " << radius;
    }
  }
}

TEST(AutomaticBound, LiesBelowDensitiesOfOnePredictor) {
  Stream stream(51, 0, Purpose::kTest, 0);
  for_each(unit::OnePredictor{}, [&](const auto& density) {
    expect_bound(density, stream, 30'000);
    ASSERT_FALSE(testing::Test::HasFatalFailure()) << typeid(density).name();
  });
}

TEST(AutomaticBound, LiesBelowExpressionsMadeAtRandom) {
  Stream stream(52, 0, Purpose::kTest, 0);
  int bounded = 0;
  for (int i = 0; i < 20'000; ++i) {
    const unit::RandomExpression f(stream, 1, 2 + static_cast<int>(5.0 * stream.uniform()));
    const auto phi = [&](const auto& eta) {
      return f(std::vector<std::decay_t<decltype(eta)>>{eta});
    };
    const double anchor = 1.5 * stream.normal();
    const double radius = unit::pow(10.0, 3.0 * stream.uniform() - 3.0);
    const double k = smooth::local_curvature(phi, anchor, radius);
    const auto far = phi(Remainder<1>::variable(anchor, radius, 0));
    if (!unit::isfinite(k) || !(unit::abs(far.value) + unit::abs(far.change()) < 1e6)) {
      continue;
    }
    ++bounded;
    // Parts that cancel leave the rounding of either behind.
    const double rounding = 1e-13 * (1.0 + unit::abs(far.value) + unit::abs(far.rest));
    for (int point = 0; point < 10; ++point) {
      const double u = radius * share_of_region(stream);
      const double gap = phi(Remainder<1>::variable(anchor, u, 0)).rest + 0.5 * k * u * u;
      ASSERT_GE(gap, -rounding) << "expression " << i << ", u " << u << " of " << radius;
    }
  }
  EXPECT_GT(bounded, 15'000);
}

// W + phi'' is positive semidefinite: the least eigenvalue, over the largest entry.
template <int P, class Phi>
[[nodiscard]] double least_added(const Phi& phi, const std::array<double, P>& anchor,
                                 const Packed<P>& w) {
  const Jet2<P> jet =
      phi(each<P, Jet2<P>>([&](std::size_t k) { return Jet2<P>::variable(anchor[k], k); }));
  Eigen::Matrix<double, P, P> added;
  for (std::size_t i = 0; i < P; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const double entry = w[packed(i, j)] + jet.second[packed(i, j)];
      added(static_cast<Index>(i), static_cast<Index>(j)) = entry;
      added(static_cast<Index>(j), static_cast<Index>(i)) = entry;
    }
  }
  // Scaled to a unit diagonal, or not at all.
  const auto scale = added.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse().eval();
  const Eigen::Matrix<double, P, P> scaled = scale.asDiagonal() * added * scale.asDiagonal();
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, P, P>>(scaled).eigenvalues()[0];
}

struct Counts {
  int rows = 0;
  int bounded = 0;
};

template <class Density>
void expect_bound_of_several(const Density& density, Stream& stream, int trials, Counts& tally) {
  constexpr int P = Density::kPredictors;
  for (int i = 0; i < trials; ++i) {
    const auto anchor = each<P, double>(
        [&](std::size_t k) { return k == 0 ? stream.normal() : 0.8 + 0.4 * stream.normal(); });
    const double y = density.draw(stream, anchor);
    const double scale = 0.1 * unit::pow(10.0, -2.5 * stream.uniform());
    const RandomRegion<P> region(stream, scale);
    const auto phi = [&](const auto& eta) { return density.log_density(eta, y); };
    Packed<P> w;
    ++tally.rows;
    if (!smooth::local_curvature<P>(phi, anchor, region.region, w)) {
      continue;
    }
    ++tally.bounded;
    ASSERT_GE((least_added<P>(phi, anchor, w)), -1e-9);
    for (int point = 0; point < 10; ++point) {
      const std::array<double, P> u = region.point(stream);
      const auto moved = phi(each<P, Remainder<P>>(
          [&](std::size_t k) { return Remainder<P>::variable(anchor[k], u[k], k); }));
      // linear is a sum over predictors: variables carry their own step each.
      const double gap = moved.rest + parabola<P>(w, u);
      ASSERT_GE(gap, 0.0) << "row " << i << ", y " << y << ", scale " << scale;
    }
  }
}

TEST(AutomaticBound, LiesBelowDensitiesOfSeveralPredictors) {
  Stream stream(53, 0, Purpose::kTest, 0);
  for_each(unit::SeveralPredictors{}, [&](const auto& density) {
    Counts tally;
    const int trials = std::decay_t<decltype(density)>::kPredictors > 2 ? 1500 : 10'000;
    expect_bound_of_several(density, stream, trials, tally);
    ASSERT_FALSE(testing::Test::HasFatalFailure()) << typeid(density).name();
    EXPECT_GT(tally.bounded, 0.9 * tally.rows) << typeid(density).name();
  });
}

TEST(AutomaticBound, LiesBelowExpressionsOfSeveralVariablesMadeAtRandom) {
  Stream stream(54, 0, Purpose::kTest, 0);
  int bounded = 0;
  const auto check = [&]<int P>(std::integral_constant<int, P>, int trials) {
    for (int i = 0; i < trials; ++i) {
      const unit::RandomExpression f(stream, P, 3 + static_cast<int>(5.0 * stream.uniform()));
      const auto phi = [&](const auto& eta) {
        return f(std::vector<std::decay_t<decltype(eta[0])>>(eta.begin(), eta.end()));
      };
      const auto anchor = each<P, double>([&](std::size_t) { return stream.normal(); });
      const RandomRegion<P> region(stream, 0.05 * unit::pow(10.0, -2.0 * stream.uniform()));
      Packed<P> w;
      if (!smooth::local_curvature<P>(phi, anchor, region.region, w)) {
        continue;
      }
      ++bounded;
      for (int point = 0; point < 10; ++point) {
        const std::array<double, P> u = region.point(stream);
        const auto moved = phi(each<P, Remainder<P>>(
            [&](std::size_t k) { return Remainder<P>::variable(anchor[k], u[k], k); }));
        if (unit::abs(moved.value) + unit::abs(moved.change()) < 1e4) {
          ASSERT_GE(moved.rest + parabola<P>(w, u),
                    -1e-13 * (1.0 + unit::abs(moved.value) + unit::abs(moved.change())))
              << "P " << P << ", expression " << i;
        }
      }
    }
  };
  check(std::integral_constant<int, 2>{}, 4000);
  check(std::integral_constant<int, 3>{}, 800);
  check(std::integral_constant<int, 4>{}, 200);
  EXPECT_GT(bounded, 3500);
}

// A predictor that does not move at all, and one that others determine.
TEST(AutomaticBound, HoldsInDegenerateRegions) {
  const unit::NormalDensity density;
  const auto phi = [&](const auto& eta) { return density.log_density(eta, 0.8); };
  const std::array<double, 2> anchor{0.1, -0.3};
  for (const Packed<2>& covariance : {Packed<2>{0.01, 0.0, 0.0}, Packed<2>{0.0, 0.0, 0.01},
                                      Packed<2>{0.01, 0.02, 0.04}, Packed<2>{0.0, 0.0, 0.0}}) {
    Packed<2> w;
    ASSERT_TRUE(
        smooth::local_curvature<2>(phi, anchor, {.covariance = covariance, .radius = 4.0}, w));
    for (double angle = 0.0; angle < 6.3; angle += 0.1) {
      const double s0 = unit::sqrt(covariance[0]);
      const double s1 = unit::sqrt(covariance[2]);
      const std::array<double, 2> u =
          covariance[1] == 0.0
              ? std::array{4.0 * s0 * unit::cos(angle), 4.0 * s1 * std::sin(angle)}
              : std::array{4.0 * s0 * unit::cos(angle), 4.0 * s1 * unit::cos(angle)};
      const auto moved = phi(std::array{Remainder<2>::variable(anchor[0], u[0], 0),
                                        Remainder<2>::variable(anchor[1], u[1], 1)});
      ASSERT_GE(moved.rest + parabola<2>(w, u), 0.0) << angle;
    }
  }
}

// Theorem 5: gaps are of third order, so a tenth of the region makes a thousandth of the gap.
TEST(AutomaticBound, GapsAreOfThirdOrder) {
  for_each(unit::SeveralPredictors{}, [](const auto& density) {
    constexpr int P = std::decay_t<decltype(density)>::kPredictors;
    Stream stream(55, 0, Purpose::kTest, 0);
    std::array<double, 2> mean{};
    std::array<double, P> anchor;
    anchor.fill(0.7);
    const double y = density.draw(stream, anchor);
    const auto phi = [&](const auto& eta) { return density.log_density(eta, y); };
    for (std::size_t i = 0; i < 2; ++i) {
      Region<P> region{.radius = 5.0};
      for (std::size_t k = 0; k < P; ++k) {
        region.covariance[packed(k, k)] = i == 0 ? 1e-6 : 1e-8;
      }
      Packed<P> w;
      ASSERT_TRUE((smooth::local_curvature<P>(phi, anchor, region, w)));
      Stream same(56, 0, Purpose::kTest, 0);
      for (int n = 0; n < 500; ++n) {
        const auto u =
            each<P, double>([&](std::size_t) { return (i == 0 ? 1e-3 : 1e-4) * same.normal(); });
        mean[i] += phi(each<P, Remainder<P>>([&](std::size_t k) {
                     return Remainder<P>::variable(anchor[k], u[k], k);
                   })).rest +
                   parabola<P>(w, u);
      }
    }
    EXPECT_GT(mean[0] / mean[1], 700.0) << typeid(density).name();
    EXPECT_LT(mean[0] / mean[1], 1200.0) << typeid(density).name();
  });
}

// The bounds that were proved by hand are the sharp ones: not below these, and not far above.
// `unit` is a curvature that counts as none.
template <class Density, class Family>
void expect_near_hand_made(const Density& density, const Family& family, double unit,
                           Stream& stream) {
  for (int i = 0; i < 20'000; ++i) {
    const double anchor = 2.0 * stream.normal();
    const double y = density.draw(stream, anchor);
    const double radius = 0.05 * unit::pow(10.0, -4.0 * stream.uniform());
    const double k = smooth::local_curvature(
        [&](const auto& eta) { return density.log_density(eta, y); }, anchor, radius);
    const double by_hand = family.local_curvature(anchor, y, radius);
    // Less the margin, which is one of a curvature of 1 at least, and for the negative binomial of
    // that many logistic terms.
    const double margin = 1.1e-9 * (3.0 + unit::abs(y) + unit::abs(by_hand));
    ASSERT_GE(k, by_hand - margin) << "anchor " << anchor << ", y " << y << ", radius " << radius;
    ASSERT_LE(k - by_hand, 0.01 * std::max(unit, unit::abs(by_hand)))
        << "anchor " << anchor << ", y " << y << ", radius " << radius;
  }
}

TEST(AutomaticBound, IsTheBoundMadeByHandToAHundredthInSmallRegions) {
  Stream stream(57, 0, Purpose::kTest, 0);
  expect_near_hand_made(unit::LogisticDensity{}, Logistic{}, 0.0, stream);
  expect_near_hand_made(unit::ProbitDensity{}, Probit{}, 0.0, stream);
  expect_near_hand_made(unit::PoissonDensity{}, Poisson{}, 0.0, stream);
  expect_near_hand_made(unit::NegativeBinomialDensity{1.7}, NegativeBinomial(1.7), 0.0, stream);
  expect_near_hand_made(unit::StudentDensity{4.0, 1.0}, StudentT(4.0, 1.0), 0.1, stream);
}

// The logistic curve as a person might write it, in narrow and wide regions, against its own bound.
TEST(AutomaticBound, HoldsHoweverTheDensityIsWritten) {
  const auto good = [](const auto& x) { return -softplus(x); };
  const auto naive = [](const auto& x) { return -log(1.0 + exp(x)); };
  for (const double anchor : {-2.0, 0.0, 1.5}) {
    for (const double radius : {1e-3, 0.1, 1.0, 3.0}) {
      const double by_hand = Logistic{}.local_curvature(anchor, 1.0, radius);
      for (const double k : {smooth::local_curvature(good, anchor, radius),
                             smooth::local_curvature(naive, anchor, radius)}) {
        EXPECT_GE(k, by_hand - 3e-9) << "anchor " << anchor << ", radius " << radius;
        EXPECT_LE(k, (radius < 2.0 ? 1.1 : 2.0) * by_hand)
            << "anchor " << anchor << ", radius " << radius;
      }
    }
  }
}

// A wide region is asked piece by piece: within a tenth of the bound made by hand where one box
// would ask for a multiple.
TEST(AutomaticBound, IsNearTheBoundMadeByHandInWideRegions) {
  Stream stream(58, 0, Purpose::kTest, 0);
  const auto ratio = [&](const auto& density, const auto& family, double radius) {
    double sum = 0.0;
    double by_hand = 0.0;
    for (int i = 0; i < 500; ++i) {
      const double anchor = 1.5 * stream.normal();
      const double y = density.draw(stream, anchor);
      sum += smooth::local_curvature([&](const auto& eta) { return density.log_density(eta, y); },
                                     anchor, radius);
      by_hand += family.local_curvature(anchor, y, radius);
    }
    return sum / by_hand;
  };
  for (const double radius : {0.3, 1.0, 3.0}) {
    EXPECT_LT(ratio(unit::LogisticDensity{}, Logistic{}, radius), 1.1) << radius;
    EXPECT_LT(ratio(unit::ProbitDensity{}, Probit{}, radius), 1.1) << radius;
    EXPECT_LT(ratio(unit::StudentDensity{4.0, 1.0}, StudentT(4.0, 1.0), radius), 1.1) << radius;
    EXPECT_LT(ratio(unit::PoissonDensity{}, Poisson{}, radius), 1.1) << radius;
  }
}

// Any bound is asked for where only its being there matters: it is there where the tight one is,
// and bends no less.
TEST(AutomaticBound, AnyIsThereWhereTheTightOneIs) {
  const auto phi = [](const auto& x) { return log(x) + log1mexp(x); };
  bool is_looser = false;
  for (double radius = 0.01; radius < 1.2; radius *= 1.2) {
    const double tight = smooth::local_curvature(phi, 1.0, radius);
    const double any = smooth::local_curvature(phi, 1.0, radius, true);
    EXPECT_EQ(unit::isfinite(any), unit::isfinite(tight)) << radius;
    EXPECT_GE(any, tight) << radius;
    is_looser = is_looser || any > tight;
  }
  EXPECT_TRUE(is_looser);
}

// No bound: the region reaches where the density has no number.
TEST(AutomaticBound, SaysWhereThereIsNone) {
  const auto phi = [](const auto& x) { return log(x); };
  EXPECT_TRUE(unit::isfinite(smooth::local_curvature(phi, 1.0, 0.99)));
  EXPECT_FALSE(unit::isfinite(smooth::local_curvature(phi, 1.0, 1.01)));
  EXPECT_FALSE(unit::isfinite(smooth::local_curvature(phi, -1.0, 0.1)));
  const auto steep = [](const auto& x) { return -exp(x); };
  EXPECT_FALSE(unit::isfinite(smooth::local_curvature(steep, 700.0, 20.0)));
  // The third derivative alone is no number: e^(3 x) is too large, what multiplies it too small.
  const auto huge = [](const auto& x) { return lrising(exp(x), 20.0); };
  EXPECT_FALSE(unit::isfinite(smooth::local_curvature(huge, 276.0, 0.01)));
  Packed<2> w;
  const auto both = [](const auto& eta) { return log(eta[0]) - square(eta[1]); };
  EXPECT_FALSE(smooth::local_curvature<2>(both, {1.0, 0.0},
                                          {.covariance = {0.25, 0.0, 0.01}, .radius = 2.5}, w));
}

// Predictors that move nearly together: what is left of a variance has lost digits, and the region
// must still hold what exact arithmetic lets them reach.
TEST(AutomaticBound, RegionsHoldWhatPredictorsThatMoveTogetherReach) {
  Stream stream(9, 0, Purpose::kTest, 0);
  for (int i = 0; i < 20'000; ++i) {
    const double first = unit::exp(stream.normal());
    const double along = 3.0 * stream.normal();
    const double apart = unit::abs(along) * unit::pow(10.0, -8.0 * stream.uniform());
    using Long = long double;
    const smooth::Region<2> region{
        .covariance = {first * first, along * first,
                       static_cast<double>(Long{along} * along + Long{apart} * apart)},
        .radius = 4.0};
    const smooth::detail::Whitened<2> whitened(region);
    EXPECT_GE(whitened.root(1, 1) * whitened.reach[1], apart * region.radius) << apart / along;
  }
}

}  // namespace
}  // namespace flymc
