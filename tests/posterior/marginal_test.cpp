// Summing z out of the joint returns the full-data posterior: the claim the method rests on.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "flymc/posterior/full_target.hpp"
#include "support/unit_joint.hpp"

namespace flymc {
namespace {

using unit::Problem;

template <class Case>
class MarginalOf : public ::testing::Test {};
using MarginalCases = ::testing::Types<unit::LogisticCase, unit::StudentTCase, unit::SoftmaxCase>;
TYPED_TEST_SUITE(MarginalOf, MarginalCases);

TYPED_TEST(MarginalOf, TheJointOverAllBrightnessIsThePosterior) {
  for (const BoundKind kind : {BoundKind::kMapTuned, BoundKind::kUntuned}) {
    Problem<TypeParam> problem({.rows = 4, .columns = 2}, kind, 11);
    for (const Frame& frame : unit::all_frames(problem)) {
      using Model = typename TypeParam::Model;
      JointTarget<Model> joint(problem.model, problem.prior, problem.data, problem.bounds, frame);
      FullTarget<Model> full(problem.model, problem.prior, problem.data, frame);
      for (const double spread : {0.1, 1.0, 3.0}) {
        Point point(problem.size());
        point.zeta = unit::normal_vector(problem.stream, problem.size(), spread);
        full.evaluate(point, Order::kValue);
        const double posterior = point.log_density;
        EXPECT_NEAR(static_cast<double>(unit::log_sum_over_z(joint, point)), posterior,
                    1e-10 * (1.0 + std::abs(posterior)));
      }
    }
  }
}

TYPED_TEST(MarginalOf, TheOddsOfBrightnessAreThoseOfTheQuery) {
  Problem<TypeParam> problem({.rows = 12}, BoundKind::kUntuned, 12);
  const Frame frame = Frame::plain(problem.anchor);
  JointTarget<typename TypeParam::Model> target(problem.model, problem.prior, problem.data,
                                                problem.bounds, frame);
  Point point(problem.size());
  point.zeta = unit::normal_vector(problem.stream, problem.size());
  target.evaluate(point, Order::kValue);
  const double dark = point.log_density;
  for (Datum n = 0; n < 12; ++n) {
    const double log_odds = target.query(point, {&n, 1})[0];
    unit::light(target, point, {n});
    target.refresh(point, Order::kValue);
    EXPECT_NEAR(point.log_density - dark, log_odds, 1e-11 * (1.0 + std::abs(dark)));
  }
}

}  // namespace
}  // namespace flymc
