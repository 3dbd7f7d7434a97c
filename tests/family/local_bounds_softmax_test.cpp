// Softmax bounds that hold for |u_j - u_k| <= U_jk only: see
// docs/method/families.md, Log-mean and local bounds of softmax.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "flymc/family/logistic.hpp"
#include "flymc/family/softmax.hpp"
#include "flymc/random.hpp"
#include "support/unit_gap.hpp"

namespace flymc::local_bounds_softmax_test {
namespace {

using Vector = std::vector<double>;

constexpr int kClasses[] = {2, 3, 5, 10};
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Vector local_weights(const Softmax& model, const Vector& anchor, const Vector& radii) {
  Vector weights(radii.size());
  model.local_curvature(anchor.data(), radii.data(), weights.data());
  return weights;
}

Vector information_of(const Softmax& model, const Vector& anchor) {
  Vector weights(static_cast<std::size_t>(curvature_count(model)));
  model.information(anchor.data(), 0.0, weights.data());
  return weights;
}

// Logits beyond about 30 would make 1 - p round to 0 in the reference.
Vector random_logits(Stream& stream, int size, double spread) {
  Vector result(static_cast<std::size_t>(size));
  for (double& x : result) {
    x = std::remainder(spread * stream.normal(), 28.0);
  }
  return result;
}

// The smallest region that holds u: every radius is the distance itself, or up to `stretch` more.
Vector radii_around(const Vector& u, double stretch, Stream& stream) {
  Vector radii;
  for (std::size_t k = 1; k < u.size(); ++k) {
    for (std::size_t j = 0; j < k; ++j) {
      radii.push_back(unit::abs(u[j] - u[k]) * (1.0 + stretch * stream.uniform()));
    }
  }
  return radii;
}

template <class F>
void for_random_anchors(std::uint64_t seed, int count, F check) {
  Stream stream(seed, 0, Purpose::kTest, 0);
  for (const int classes : kClasses) {
    const Softmax model(classes);
    for (int i = 0; i < count; ++i) {
      check(model, random_logits(stream, classes, 6.0 * stream.uniform()), stream);
      ASSERT_FALSE(::testing::Test::HasFatalFailure());
    }
  }
}

TEST(SoftmaxLocalBound, LiesBelowTheLikelihoodInsideItsRegion) {
  for_random_anchors(21, 1500, [](const Softmax& model, const Vector& anchor, Stream& stream) {
    const double size = unit::pow(10.0, 14.0 * stream.uniform() - 12.0);
    const Vector corner = random_logits(stream, model.predictors(), std::min(size, 8.0));
    const Vector radii = radii_around(corner, stream.uniform() < 0.5 ? 0.0 : 0.5, stream);
    const Vector weights = local_weights(model, anchor, radii);
    for (const double share : {1.0, -1.0, 0.9, -0.9, 0.5, -0.5, 0.1, 1e-3}) {
      unit::GapPoint at{anchor, corner, static_cast<double>(stream.below(2))};
      for (double& u : at.u) {
        u *= share;
      }
      unit::expect_gap(model, at, weights, {});
      ASSERT_FALSE(::testing::Test::HasFatalFailure()) << unit::describe(at);
    }
  });
}

// One class against another, and one against all the others: the directions in which the pair
// terms are used up.
TEST(SoftmaxLocalBound, LiesBelowTheLikelihoodAlongPairAndClassDirections) {
  for_random_anchors(22, 60, [](const Softmax& model, const Vector& anchor, Stream& stream) {
    for (const double size : unit::signed_grid(1e-9, 25.0, 25)) {
      for (const double other : {0.0, -size}) {
        unit::GapPoint at{anchor, Vector(anchor.size(), 0.0), 0.0};
        at.u[0] = size;
        at.u[1] = other;
        const Vector weights = local_weights(model, anchor, radii_around(at.u, 0.0, stream));
        unit::expect_gap(model, at, weights, {});
        ASSERT_FALSE(::testing::Test::HasFatalFailure()) << unit::describe(at);
      }
    }
  });
}

TEST(SoftmaxLocalBound, RisesWithTheRadiiFromTheInformationToTheLogMean) {
  for_random_anchors(23, 200, [](const Softmax& model, const Vector& anchor, Stream& stream) {
    const Vector shape = radii_around(random_logits(stream, model.predictors(), 1.0), 0.5, stream);
    const Vector information = information_of(model, anchor);
    const Vector global = local_weights(model, anchor, Vector(shape.size(), kInfinity));
    Vector previous = information;
    for (double size = 1e-12; size < 1e4; size *= 1.7) {
      Vector radii = shape;
      for (double& radius : radii) {
        radius *= size;
      }
      const Vector weights = local_weights(model, anchor, radii);
      for (std::size_t pair = 0; pair < shape.size(); ++pair) {
        ASSERT_GE(weights[pair], information[pair] * (1.0 - 1e-14));
        ASSERT_LE(weights[pair], global[pair] + 1e-10);
        ASSERT_GE(weights[pair], previous[pair] - 1e-10);
      }
      previous = weights;
    }
  });
}

double log_mean(double a, double b) {
  return unit::abs(a - b) < 1e-6 * a ? unit::sqrt(a * b) : (a - b) / unit::log(a / b);
}

TEST(SoftmaxLocalBound, IsTheInformationForNoRadiusAndTheLogMeanForNoLimit) {
  for_random_anchors(24, 200, [](const Softmax& model, const Vector& anchor, Stream& /*stream*/) {
    const Vector information = information_of(model, anchor);
    const Vector none = local_weights(model, anchor, Vector(information.size(), 0.0));
    const Vector tiny = local_weights(model, anchor, Vector(information.size(), 1e-11));
    const Vector global = local_weights(model, anchor, Vector(information.size(), kInfinity));
    Vector slopes(anchor.size());
    (void)model.log_likelihood(anchor.data(), 0.0, slopes.data());
    slopes[0] -= 1.0;  // slopes are now -p
    std::size_t pair = 0;
    for (std::size_t k = 1; k < anchor.size(); ++k) {
      for (std::size_t j = 0; j < k; ++j, ++pair) {
        EXPECT_NEAR(none[pair], information[pair], 3e-9);
        EXPECT_NEAR(tiny[pair], information[pair], 3e-9);
        EXPECT_NEAR(global[pair], 0.5 * log_mean(-slopes[j], -slopes[k]), 3e-9);
      }
    }
  });
}

TEST(SoftmaxLocalBound, WithTwoClassesIsTheLogisticLocalBound) {
  const Softmax model(2);
  for (const double difference : unit::signed_grid(1e-6, 25.0, 30)) {
    for (const double radius : {0.0, 1e-12, 1e-6, 1e-3, 0.1, 1.0, 7.0, 50.0, kInfinity}) {
      const double anchor = 0.4 + difference;
      const Vector weights = local_weights(model, {anchor, 0.4}, {radius});
      EXPECT_NEAR(weights[0], Logistic{}.local_curvature(anchor - 0.4, 1.0, radius), 1e-14);
    }
  }
}

TEST(SoftmaxLocalBound, EqualProbabilitiesWithoutLimitAreBoehnings) {
  for (const int classes : kClasses) {
    const Softmax model(classes);
    const Vector anchor(static_cast<std::size_t>(classes), 0.7);
    const Vector radii(static_cast<std::size_t>(curvature_count(model)), kInfinity);
    for (const double weight : local_weights(model, anchor, radii)) {
      EXPECT_NEAR(weight, model.curvature(), 2e-9);
    }
  }
}

// Two classes share nearly all probability: the others cannot loosen the pair's own bound, which
// touches at the inward end of the region.
TEST(SoftmaxLocalBound, AHundredthLessIsNoBoundWhereTwoClassesDecide) {
  for (const int classes : kClasses) {
    const Softmax model(classes);
    for (const double difference : {0.3, 1.0, -2.5, 4.0}) {
      for (const double radius : {1e-3, 0.1, 0.5, 3.0, 20.0}) {
        Vector anchor(static_cast<std::size_t>(classes), -28.0);
        anchor[0] = difference;
        anchor[1] = 0.0;
        Vector u(anchor.size(), 0.0);
        u[0] = std::copysign(std::min(radius, 2.0 * unit::abs(difference)), -difference);
        Stream stream(25, 0, Purpose::kTest, 0);
        Vector weights = local_weights(model, anchor, radii_around(u, 0.0, stream));
        Vector slopes(anchor.size());
        const double parabola = 0.5 * weights[0] * u[0] * u[0];
        const Tangent tangent{anchor.data(), weights.data(), 0.0};
        const double gap = evaluate_gap(model, tangent, u.data(), slopes.data());
        EXPECT_GE(gap, 0.0);
        EXPECT_LT(gap, 1e-3 * parabola);
        for (double& weight : weights) {
          weight *= 0.99;
        }
        EXPECT_LT(evaluate_gap(model, tangent, u.data(), slopes.data()), 0.0);
      }
    }
  }
}

// Classes so improbable that their share is zero in double.
TEST(SoftmaxLocalBound, StaysFiniteForHopelessClasses) {
  const Softmax model(4);
  for (const double radius : {0.0, 1.0, 800.0, kInfinity}) {
    for (const double weight :
         local_weights(model, {0.0, -800.0, -900.0, 1.0}, Vector(6, radius))) {
      EXPECT_TRUE(unit::isfinite(weight) && weight >= 0.0) << radius;
    }
  }
}

}  // namespace
}  // namespace flymc::local_bounds_softmax_test
