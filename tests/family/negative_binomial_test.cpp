#include "flymc/family/negative_binomial.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "flymc/detail/family/tangent.hpp"
#include "flymc/error.hpp"
#include "flymc/family/poisson.hpp"
#include "flymc/random.hpp"
#include "support/scalar_bound.hpp"

namespace flymc::negative_binomial_test {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

// By the definition t eta - (t + r) log(r + e^eta) + r log r, not through a logistic function.
struct Exact {
  unit::Real r;
  unit::Real t;
  [[nodiscard]] unit::Real value(unit::Real eta) const {
    return t * (eta - unit::log(r)) - (t + r) * unit::log1p(unit::exp(eta) / r);
  }
  [[nodiscard]] unit::Real slope(unit::Real eta) const {
    return (t * r - r * unit::exp(eta)) / (r + unit::exp(eta));
  }
  [[nodiscard]] unit::Real information(unit::Real eta) const {
    const unit::Real mean = unit::exp(eta);
    return (t + r) * r * mean / ((r + mean) * (r + mean));
  }
};

const std::vector<double> kSizes{0.3, 1.0, 5.0, 200.0};
const std::vector<double> kCounts{0.0, 1.0, 17.0, 4000.0};
const std::vector<double> kAnchors{-20.0, -4.0, -0.3, 0.0, 0.7, 1.6, 4.0, 15.0};
const std::vector<double> kRadii{1e-3, 0.02, 0.0999, 0.1001, 0.5, 2.0, 8.0, 31.0};

TEST(NegativeBinomial, LikelihoodAndDerivativesMatchTheDefinition) {
  for (const double r : kSizes) {
    const NegativeBinomial model(r);
    for (const double t : kCounts) {
      for (const double eta : unit::both_signs(1e-4, 20.0, 40)) {
        SCOPED_TRACE(testing::Message() << "r " << r << ", t " << t << ", eta " << eta);
        unit::expect_likelihood(model, Exact{r, t}, eta, t);
      }
    }
  }
}

// The constants left out are those of t and r alone: one and the same at every eta.
TEST(NegativeBinomial, MassesAddToOneAtEveryPredictor) {
  for (const double r : {0.7, 5.0}) {
    const NegativeBinomial model(r);
    for (const double eta : {-5.0, -1.0, 0.0, 1.0, 1.609, 1.61, 3.0}) {
      double sum = 0.0;
      double mean = 0.0;
      for (int t = 0; t < 3000; ++t) {
        const double constant = unit::lgamma(t + r) - unit::lgamma(r) - unit::lgamma(t + 1.0);
        const double mass = unit::exp(constant + model.log_likelihood(eta, t));
        sum += mass;
        mean += t * mass;
      }
      EXPECT_NEAR(sum, 1.0, 1e-11);
      EXPECT_NEAR(mean, unit::exp(eta), 1e-9);
    }
  }
}

TEST(NegativeBinomial, OfAGreatSizeIsPoisson) {
  const NegativeBinomial model(1e9);
  const Poisson poisson;
  const double constant = model.log_likelihood(0.0, 3.0) - poisson.log_likelihood(0.0, 3.0);
  for (const double eta : {-3.0, 1.0, 2.0}) {
    EXPECT_NEAR(model.log_likelihood(eta, 3.0) - poisson.log_likelihood(eta, 3.0), constant, 1e-5);
    EXPECT_NEAR(model.information(eta, 3.0), poisson.information(eta, 3.0), 1e-6);
  }
}

// Where Logistic's remainder times r would be noise. Relative to Poisson's, of which it differs by
// about the mean over r.
TEST(NegativeBinomial, OfAGreatSizeKeepsItsDigits) {
  const Poisson poisson;
  for (const double r : {1e10, 1e12, 1e15, 1e100, 1e300}) {
    const NegativeBinomial model(r);
    for (const double anchor : {-5.0, 0.5, 3.0}) {
      for (const double u : unit::both_signs(1e-10, 4.0, 40)) {
        SCOPED_TRACE(testing::Message() << "r " << r << ", a " << anchor << ", u " << u);
        const double tolerance = 1e-12 + 2.0 * unit::exp(anchor + unit::abs(u)) / r;
        double slope = 0.0;
        double expected_slope = 0.0;
        const double value = model.remainder(anchor, u, 3.0, slope);
        const double expected = poisson.remainder(anchor, u, 3.0, expected_slope);
        EXPECT_NEAR(value / expected, 1.0, tolerance + 4.0 / r);
        EXPECT_NEAR(slope / expected_slope, 1.0, tolerance + 4.0 / r);
        const double bend = model.local_curvature(anchor, 3.0, unit::abs(u));
        EXPECT_NEAR(bend / poisson.local_curvature(anchor, 3.0, unit::abs(u)), 1.0,
                    tolerance + 1e-8);
      }
      for (const double t : {0.0, 1.0, 30.0}) {
        EXPECT_NEAR(model.log_likelihood(anchor, t) + model.log_constant(t, 0.0),
                    poisson.log_likelihood(anchor, t) + poisson.log_constant(t, 0.0),
                    1e-12 * (1.0 + t * unit::log(r)) + 1e4 / r);
      }
    }
  }
}

// From one form to the other.
TEST(NegativeBinomial, BothFormsOfTheRemainderAgree) {
  const NegativeBinomial model(1.0);
  for (const double anchor : {-14.0001, -13.9999}) {
    for (const double u : unit::both_signs(1e-6, 40.0, 60)) {
      SCOPED_TRACE(testing::Message() << "a " << anchor << ", u " << u);
      const double tiny = unit::abs(u) > 0.1 ? 4e-16 / (u * u) : 0.0;
      unit::expect_remainder(model, Exact{1.0L, 2.0L}, anchor, u, 2.0,
                             {2e-13L, 3.0L * (1e-13L + tiny)});
    }
  }
  for (const double t : {0.0, 1.0, 40.0, 1e6}) {
    const double below = NegativeBinomial(999.999).log_constant(t, 0.0);
    const double above = NegativeBinomial(1000.001).log_constant(t, 0.0);
    EXPECT_NEAR(below, above, 1e-9 * (1.0 + unit::abs(above)) + 1e-5 * t);
    EXPECT_NEAR(above, unit::lgamma(t + 1000.001) - unit::lgamma(1000.001) - unit::lgamma(t + 1.0),
                1e-11 * (1.0 + t));
  }
}

TEST(NegativeBinomial, RemainderKeepsItsDigits) {
  for (const double r : kSizes) {
    const NegativeBinomial model(r);
    for (const double t : {0.0, 17.0}) {
      for (const double anchor : kAnchors) {
        for (const double u : unit::both_signs(1e-12, 50.0, 60)) {
          SCOPED_TRACE(testing::Message()
                       << "r " << r << ", t " << t << ", a " << anchor << ", u " << u);
          // Logistic's tolerance (see there), times t + r.
          const double tiny = unit::abs(u) > 0.1 ? 4e-16 / (u * u) : 0.0;
          unit::expect_remainder(model, Exact{r, t}, anchor, u, t,
                                 {2e-13L, (t + r) * (1e-13L + tiny)});
        }
      }
    }
  }
}

TEST(NegativeBinomialBound, LiesBelowTheLikelihoodInsideItsRadius) {
  for (const double r : kSizes) {
    const NegativeBinomial model(r);
    for (const double t : kCounts) {
      for (const double anchor : kAnchors) {
        for (const double radius : kRadii) {
          const double k = model.local_curvature(anchor, t, radius);
          SCOPED_TRACE(testing::Message() << "r " << r << ", t " << t << ", a " << anchor
                                          << ", radius " << radius << ", k " << k);
          unit::expect_below(model, Exact{r, t}, anchor, t, k, radius);
          ASSERT_FALSE(::testing::Test::HasFailure());
        }
        SCOPED_TRACE(testing::Message() << "r " << r << ", t " << t << ", a " << anchor);
        const double global = model.curvature(anchor, t);
        unit::expect_below(model, Exact{r, t}, anchor, t, global, 1e3);
        EXPECT_NEAR(model.local_curvature(anchor, t, kInf), global, 1e-6 * (t + r));
      }
    }
  }
}

TEST(NegativeBinomialBound, LiesBelowTheLikelihoodAtRandomPoints) {
  Stream stream(6, 0, Purpose::kTest, 0);
  for (int i = 0; i < 50000; ++i) {
    const NegativeBinomial model(unit::exp(2.0 * stream.normal()));
    const double anchor = 8.0 * stream.normal();
    const auto t = static_cast<double>(stream.below(50));
    unit::expect_below_at_random(model, anchor, t, stream);
    ASSERT_FALSE(::testing::Test::HasFatalFailure());
  }
}

TEST(NegativeBinomialBound, BendsMoreForAWiderRadius) {
  for (const double r : kSizes) {
    for (const double anchor : kAnchors) {
      unit::expect_monotone(NegativeBinomial(r), anchor, 3.0, kRadii);
    }
  }
}

TEST(NegativeBinomialBound, ACurvatureOnePerCentTooSmallIsSeen) {
  const NegativeBinomial model(5.0);
  for (const double anchor : {-1.0, 0.5, 3.0, 5.0}) {
    for (const double radius : {0.02, 0.1, 1.0, 6.0}) {
      const double k = 0.99 * model.local_curvature(anchor, 2.0, radius);
      EXPECT_LT(unit::least_gap(model, anchor, 2.0, k, radius), 0.0) << anchor << " " << radius;
    }
    const double mirror = -2.0 * (anchor - unit::log(5.0));
    const double global = 0.99 * model.curvature(anchor, 2.0);
    EXPECT_LT(unit::gap_at(model, anchor, mirror, 2.0, global), 0.0);
  }
}

TEST(NegativeBinomial, TheUntunedAnchorIsNearTheLogOfTheCountAndFinite) {
  const NegativeBinomial model(2.0);
  EXPECT_DOUBLE_EQ(model.untuned_anchor(10.0, 0.5), unit::log(10.5));
  for (const double xi : {-3.0, 0.0, NegativeBinomial::kUntunedXi}) {
    EXPECT_TRUE(unit::isfinite(model.untuned_anchor(0.0, xi)));
  }
}

TEST(NegativeBinomial, RefusesASizeThatIsNotPositive) {
  for (const double size : {0.0, -1.0, kInf, std::nan("")}) {
    EXPECT_THROW(NegativeBinomial{size}, Error);
  }
}

// The same of unknown size, log size being its second predictor.
struct ExactOfSize {
  unit::Real t;
  [[nodiscard]] unit::Real value(unit::Real eta, unit::Real s) const {
    unit::Real sum = 0;
    const unit::Real f = unit::exp(-s);
    for (int j = 1; j < static_cast<int>(t); ++j) {
      sum += unit::log1p(j * f);
    }
    return sum + t * eta - (t + 1 / f) * unit::log1p(f * unit::exp(eta));
  }
};

const std::vector<double> kLogSizes{-4.0, 0.3, 2.7, 5.0, 12.0, 30.0, 200.0};

TEST(NegativeBinomialSize, LikelihoodMatchesTheDefinitionAtEverySize) {
  const NegativeBinomialSize model;
  for (const double s : {-4.0, 0.3, 2.7, 5.0, 12.0, 25.0}) {
    for (const double t : kCounts) {
      for (const double eta : {-6.0, -0.4, 0.0, 1.3, 7.0}) {
        const double at[] = {eta, s};
        const auto expected = static_cast<double>(ExactOfSize{t}.value(eta, s));
        EXPECT_NEAR(model.log_likelihood(at, t, nullptr), expected,
                    1e-13 * (1.0 + unit::abs(expected) + t * (1.0 + unit::abs(eta))))
            << "t " << t << ", eta " << eta << ", s " << s;
      }
    }
  }
}

TEST(NegativeBinomialSize, BothFormsAreTheSame) {
  const NegativeBinomialDensity density;
  for (const double s : {2.9, 5.0, 12.0}) {  // of more than 40 terms the second has f <= 1/16
    for (const double t : kCounts) {
      for (const double eta : {-6.0, -0.4, 1.3}) {
        const std::array<smooth::Jet2<2>, 2> at{smooth::Jet2<2>::variable(eta, 0),
                                                smooth::Jet2<2>::variable(s, 1)};
        const smooth::Jet2<2> first = density.log_density(at, t);
        const smooth::Jet2<2> second = density.rewritten(at, t);
        EXPECT_NEAR(second.value, first.value, 1e-12 * (1.0 + t * (s + unit::abs(eta))));
        for (std::size_t k = 0; k < 3; ++k) {
          EXPECT_NEAR(second.second[k], first.second[k], 1e-11 * (1.0 + t)) << "t " << t;
        }
      }
    }
  }
}

TEST(NegativeBinomialSize, EndsInAPoisson) {
  const NegativeBinomialSize model;
  const Poisson poisson;
  for (const double s : {40.0, 300.0, 700.0}) {
    for (const double t : kCounts) {
      for (const double eta : {-3.0, 0.5, 4.0}) {
        const double at[] = {eta, s};
        double slopes[2];
        double slope = 0.0;
        const double expected = poisson.log_likelihood(eta, t, slope);
        EXPECT_NEAR(model.log_likelihood(at, t, slopes), expected,
                    1e-12 * (1.0 + unit::abs(expected)));
        EXPECT_NEAR(slopes[0], slope, 1e-10 * (1.0 + unit::abs(slope)));
        EXPECT_NEAR(slopes[1], 0.0, 1e-10);
      }
    }
  }
}

// The larger the size, the less of its direction is curved: a bound that two large terms leave,
// whose enclosures do not cancel, would be as wide as either.
TEST(NegativeBinomialSize, BoundsLieBelowAndAreTightUpToAPoisson) {
  const NegativeBinomialSize model;
  Stream stream(71, 0, Purpose::kTest, 0);
  const bool shared[] = {false, true};
  for (const double s : kLogSizes) {
    for (const double t : {0.0, 1.0, 17.0, 41.0, 4000.0}) {
      for (const double radius : {0.01, 0.1, 0.5}) {
        const double anchor[] = {unit::log(t + 0.5), s};
        const double covariance[] = {0.01 / (t + 1.0), 0.0, radius * radius};
        double bend[3];
        ASSERT_TRUE(model.local_curvature(
            anchor, t,
            {.covariance = covariance, .radius = 1.0, .shared = shared, .shared_radius = 1.0},
            bend))
            << "s " << s << ", t " << t << ", radius " << radius;
        for (int i = 0; i < 40; ++i) {
          const double u[] = {unit::sqrt(covariance[0]) * (2.0 * stream.uniform() - 1.0),
                              radius * (2.0 * stream.uniform() - 1.0)};
          double slopes[2];
          const double gap =
              model.remainder(anchor, u, t, slopes) +
              0.5 * (bend[0] * u[0] * u[0] + 2.0 * bend[1] * u[0] * u[1] + bend[2] * u[1] * u[1]);
          ASSERT_GE(gap, 0.0) << "s " << s << ", t " << t << ", radius " << radius;
        }
        double information[3];
        model.information(anchor, t, information);
        // What dispersion there is, and a bound's own margin in units of its region.
        const double f = std::min(1.0, (t + 1.0) * unit::exp(-s));
        EXPECT_LE(bend[2] - information[2],
                  40.0 * (t + 1.0) * radius * f + 2e-11 / (radius * radius))
            << "s " << s << ", t " << t << ", radius " << radius;
      }
    }
  }
}

}  // namespace
}  // namespace flymc::negative_binomial_test
