#include "flymc/family/softmax.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "flymc/detail/family/tangent.hpp"
#include "flymc/error.hpp"
#include "flymc/family/logistic.hpp"
#include "flymc/random.hpp"
#include "support/unit_gap.hpp"

namespace flymc {
namespace {

std::vector<double> random_vector(Stream& stream, int size, double spread) {
  std::vector<double> result(static_cast<std::size_t>(size));
  for (double& x : result) {
    x = std::remainder(spread * stream.normal(), 1400.0);
  }
  return result;
}

TEST(Softmax, RefusesFewerThanTwoClasses) { EXPECT_THROW(Softmax(1), Error); }

TEST(Softmax, LikelihoodAndSlopesMatchTheirDefinition) {
  Stream stream(3, 0, Purpose::kTest, 0);
  for (int i = 0; i < 5000; ++i) {
    const int classes = 2 + static_cast<int>(stream.below(9));
    const Softmax model(classes);
    const auto eta = random_vector(stream, classes, unit::pow(10.0, 4.0 * stream.uniform() - 1.0));
    const auto label = static_cast<double>(stream.below(static_cast<std::uint64_t>(classes)));
    std::vector<double> slopes(eta.size());
    const double value = model.log_likelihood(eta.data(), label, slopes.data());
    EXPECT_EQ(value, model.log_likelihood(eta.data(), label, nullptr));
    const auto reference = unit::likely(model, {eta.begin(), eta.end()}, label);
    EXPECT_NEAR(value, static_cast<double>(reference.value), 1e-12);
    for (std::size_t j = 0; j < eta.size(); ++j) {
      EXPECT_NEAR(slopes[j], static_cast<double>(reference.slopes[j]), 1e-12);
    }
  }
}

TEST(Softmax, TwoClassesAreLogisticRegression) {
  const Softmax model(2);
  const Logistic logistic;
  for (const double difference : unit::signed_grid(1e-3, 600.0, 60)) {
    const double eta[] = {0.3, 0.3 + difference};
    double slopes[2];
    double slope = 0.0;
    for (const int label : {0, 1}) {
      const double response = label == 1 ? 1.0 : -1.0;
      EXPECT_NEAR(model.log_likelihood(eta, label, slopes),
                  logistic.log_likelihood(difference, response, slope), 1e-12);
      EXPECT_NEAR(slopes[1], slope, 1e-12);
      EXPECT_NEAR(slopes[0], -slope, 1e-12);
    }
    double weight = 0.0;
    model.information(eta, 0.0, &weight);
    const double information = logistic.information(difference, 1.0);
    EXPECT_NEAR(weight, information, 1e-12 * information);
  }
}

TEST(SoftmaxBound, WithTwoClassesIsTheLogisticGapAtCurvatureOneQuarter) {
  const Softmax model(2);
  const Logistic logistic;
  for (const double a : {-3.0, 0.0, 0.5, 10.0}) {
    for (const double difference : unit::signed_grid(1e-3, 50.0, 30)) {
      const double anchor[] = {0.0, a};
      const double u[] = {-0.25 * difference, 0.75 * difference};
      double slopes[2];
      double slope = 0.0;
      const double curvature = model.curvature();  // one pair: its weight
      const double gap = evaluate_gap(model, {anchor, &curvature, 0.0}, u, slopes);
      const double same = evaluate_gap(logistic, {&a, &curvature, 1.0}, &difference, &slope);
      EXPECT_NEAR(gap, same, 1e-13 * (1.0 + difference * difference));
      EXPECT_NEAR(slopes[1], slope, 1e-13 * (1.0 + unit::abs(difference)));
      EXPECT_NEAR(slopes[0], -slope, 1e-13 * (1.0 + unit::abs(difference)));
    }
  }
}

// -d slopes_j / d eta_k from the reference against the Laplacian of the pair weights.
TEST(Softmax, InformationIsMinusTheSecondDerivative) {
  Stream stream(4, 0, Purpose::kTest, 0);
  for (const int classes : {2, 3, 7}) {
    const Softmax model(classes);
    const auto eta = random_vector(stream, classes, 2.0);
    std::vector<double> weights(static_cast<std::size_t>(curvature_count(model)));
    model.information(eta.data(), 0.0, weights.data());
    std::size_t pair = 0;
    for (std::size_t k = 1; k < eta.size(); ++k) {
      for (std::size_t j = 0; j < k; ++j, ++pair) {
        const unit::Real h = 1e-6L;
        unit::Reals above(eta.begin(), eta.end());
        unit::Reals below = above;
        above[k] += h;
        below[k] -= h;
        const auto slope = (unit::likely(model, above, 0.0).slopes[j] -
                            unit::likely(model, below, 0.0).slopes[j]) /
                           (2 * h);
        EXPECT_NEAR(weights[pair], static_cast<double>(slope), 1e-10);  // off-diagonal: +p_j p_k
      }
    }
  }
}

TEST(SoftmaxBound, LiesBelowTheLikelihoodAtRandomPoints) {
  Stream stream(5, 0, Purpose::kTest, 0);
  for (int i = 0; i < 10000; ++i) {
    const int classes = 2 + static_cast<int>(stream.below(9));
    const Softmax model(classes);
    const unit::GapPoint at{
        random_vector(stream, classes, unit::pow(10.0, 4.0 * stream.uniform() - 1.0)),
        random_vector(stream, classes, unit::pow(10.0, 8.0 * stream.uniform() - 5.0)),
        static_cast<double>(stream.below(static_cast<std::uint64_t>(classes)))};
    unit::expect_gap(model, at, {});
    ASSERT_FALSE(::testing::Test::HasFatalFailure()) << unit::describe(at);
  }
}

// Two classes far apart is where Boehning's lemma is sharp: equal probabilities, opposite moves.
TEST(SoftmaxBound, LiesBelowTheLikelihoodAlongPairDirections) {
  for (int classes = 2; classes <= 10; ++classes) {
    const Softmax model(classes);
    for (const double u : unit::signed_grid(1e-9, 700.0, 120)) {
      unit::GapPoint at{std::vector<double>(static_cast<std::size_t>(classes), -600.0),
                        std::vector<double>(static_cast<std::size_t>(classes), 0.0), 0.0};
      at.anchor[0] = at.anchor[1] = 0.0;
      at.u[0] = u;
      at.u[1] = -u;
      unit::expect_gap(model, at, {});
      ASSERT_FALSE(::testing::Test::HasFatalFailure()) << unit::describe(at);
    }
  }
}

TEST(SoftmaxBound, TouchesAtTheAnchorAndWhereAllClassesMoveTogether) {
  Stream stream(6, 0, Purpose::kTest, 0);
  for (int classes = 2; classes <= 10; ++classes) {
    const Softmax model(classes);
    const auto anchor = random_vector(stream, classes, 5.0);
    std::vector<double> slopes(anchor.size());
    std::vector<double> weights(static_cast<std::size_t>(curvature_count(model)));
    global_curvature(model, anchor.data(), 0.0, weights.data());
    for (const double shift : {0.0, 1.0, -512.0}) {
      const std::vector<double> u(anchor.size(), shift);
      const Tangent tangent{anchor.data(), weights.data(), 0.0};
      EXPECT_NEAR(evaluate_gap(model, tangent, u.data(), slopes.data()), 0.0, 1e-24);
    }
  }
}

TEST(SoftmaxBound, TheUntunedAnchorFavoursTheLabel) {
  const Softmax model(3);
  double anchor[3];
  model.untuned_anchor(2.0, 1.5, anchor);
  EXPECT_EQ(std::vector<double>(anchor, anchor + 3), (std::vector<double>{0.0, 0.0, 1.5}));
}

}  // namespace
}  // namespace flymc
