// How far the posterior lets a datum move, and that its tangents hold as far as that.
#include "flymc/detail/posterior/leverage.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/unit_problem.hpp"

namespace flymc {
namespace {

using unit::as_reals;
using unit::Problem;
using unit::Real;
using unit::Reals;

// Rows w of the differences of predictors (the row itself for one), in the order of pairs.
Matrix pair_rows(const Dataset& data, int predictors, std::size_t n) {
  const Index d = data.columns();
  Vector row(d);
  data.copy_row(n, row.data());
  if (predictors == 1) {
    return row;
  }
  Matrix result = Matrix::Zero(d * predictors, predictors * (predictors - 1) / 2);
  Index pair = 0;
  for (Index k = 1; k < predictors; ++k) {
    for (Index j = 0; j < k; ++j, ++pair) {
      result.col(pair).segment(j * d, d) = row;
      result.col(pair).segment(k * d, d) = -row;
    }
  }
  return result;
}

// How far differences of predictors (the one predictor itself) are from the anchor's.
Reals moves(const Bounds& bounds, std::size_t n, const Reals& eta) {
  Reals u = eta;
  for (std::size_t j = 0; j < u.size(); ++j) {
    u[j] -= bounds.tangents.touch_point(n)[j];
  }
  if (u.size() == 1) {
    return u;
  }
  Reals result;
  for (std::size_t k = 1; k < u.size(); ++k) {
    for (std::size_t j = 0; j < k; ++j) {
      result.push_back(u[j] - u[k]);
    }
  }
  return result;
}

template <class Case>
class LeverageOf : public ::testing::Test {
 protected:
  // delta of this length in the posterior norm: a random direction, or the one in which one
  // difference of datum n's predictors moves most.
  static Vector direction(Problem<Case>& problem, std::size_t n, int kind, double length) {
    Vector delta = unit::normal_vector(problem.stream, problem.size());
    if (kind > 0) {
      const Matrix w = pair_rows(problem.data, predictor_count(problem.model), n);
      delta = problem.anchor.precision.llt().solve(w.col((kind - 1) / 2 % w.cols()));
      delta *= kind % 2 == 0 ? 1.0 : -1.0;
    }
    return delta * (length / std::sqrt(delta.dot(problem.anchor.precision * delta)));
  }

  // The engine's gap of datum n in a shell at the anchor plus delta.
  static double weighted_gap(const Problem<Case>& problem, std::size_t n, int shell,
                             const Vector& delta) {
    const std::vector<double> bend = problem.curvature(n, shell);
    const Reals eta = problem.eta(n, as_reals(problem.anchor.theta + delta));
    std::vector<double> u(eta.size());
    std::vector<double> slopes(eta.size());
    for (std::size_t j = 0; j < u.size(); ++j) {
      u[j] = static_cast<double>(eta[j] - problem.bounds.tangents.touch_point(n)[j]);
    }
    const Tangent tangent{problem.bounds.tangents.touch_point(n), bend.data(), problem.response(n)};
    return static_cast<double>(problem.weight(n)) *
           evaluate_gap(problem.model, tangent, u.data(), slopes.data());
  }

  static void expect_gaps(Problem<Case>& problem, int shell) {
    const Bounds& bounds = problem.bounds;
    const bool last = shell == bounds.tangents.shells.outermost();
    const double radius = last ? 3.0 * bounds.tangents.shells.radii.back()
                               : bounds.tangents.shells.radii[static_cast<std::size_t>(shell)];
    for (std::size_t n = 0; n < problem.shape.rows; ++n) {
      // a datum without a bound has no gap
      for (int kind = -3; kind <= 2 * bounds.tangents.pairs && !problem.is_beacon(n); ++kind) {
        const double share = kind <= 0 ? problem.stream.uniform() : 1.0 - 1e-9;
        const Vector delta = direction(problem, n, std::max(kind, 0), share * radius);
        EXPECT_GE(weighted_gap(problem, n, shell, delta), -1e-12)
            << "datum " << n << ", shell " << shell << ", direction " << kind;
      }
    }
  }
};
using LeverageCases =
    ::testing::Types<unit::LogisticCase, unit::StudentTCase, unit::SoftmaxCase, unit::PoissonCase,
                     unit::ProbitCase, unit::BinomialCase, unit::NegativeBinomialCase>;
TYPED_TEST_SUITE(LeverageOf, LeverageCases);

TYPED_TEST(LeverageOf, TheModelIsThePosteriorDeviationOfThePredictors) {
  Problem<TypeParam> problem({.rows = 60}, BoundKind::kLocal);
  const Bounds& bounds = problem.bounds;
  const auto cholesky = problem.anchor.precision.llt();
  for (std::size_t n = 0; n < problem.shape.rows; ++n) {
    const Matrix w = pair_rows(problem.data, predictor_count(problem.model), n);
    double largest = 0.0;
    ASSERT_EQ(w.cols(), bounds.tangents.pairs);
    for (Index p = 0; p < w.cols(); ++p) {
      const double exact = std::sqrt(w.col(p).dot(cholesky.solve(w.col(p))));
      EXPECT_GE(bounds.tangents.leverage(n)[p], exact) << n;
      EXPECT_LE(bounds.tangents.leverage(n)[p], 1.0011 * exact) << n;  // floats, raised
      largest = std::max(largest, bounds.tangents.leverage(n)[p]);
    }
    EXPECT_EQ(bounds.tangents.reach(n), largest / predictor_unit(problem.model));
  }
}

TYPED_TEST(LeverageOf, TheModelMovesNoFurtherThanItsLeverageTimesTheNorm) {
  Problem<TypeParam> problem({}, BoundKind::kLocal);
  const Bounds& bounds = problem.bounds;
  for (std::size_t n = 0; n < problem.shape.rows; ++n) {
    for (int kind = -4; kind <= 2 * bounds.tangents.pairs; ++kind) {
      const double length = 20.0 * problem.stream.uniform();
      const Vector delta = this->direction(problem, n, std::max(kind, 0), length);
      const Reals u = moves(bounds, n, problem.eta(n, as_reals(problem.anchor.theta + delta)));
      for (std::size_t p = 0; p < u.size(); ++p) {
        EXPECT_LE(unit::abs(u[p]), bounds.tangents.leverage(n)[p] * Real{length});
      }
      if (kind > 0) {  // Cauchy-Schwarz is an equality there: no room but for rounding
        const auto p = static_cast<std::size_t>((kind - 1) / 2);
        EXPECT_GE(unit::abs(u[p]),
                  (1.0L - 1.1e-3L) * bounds.tangents.leverage(n)[p] * Real{length});
      }
    }
  }
}

TYPED_TEST(LeverageOf, TheModelHasNoNegativeGapAnywhereInItsShell) {
  for (const double sharpness : {1e-8, 0.3, 3.0, 100.0}) {
    Problem<TypeParam> problem({.rows = 60, .sharpness = sharpness}, BoundKind::kLocal, 5);
    problem.set_beacons({}, {.shells = {0.5, 2.5, 4.0, 8.0}, .threads = 1});
    for (int shell = 0; shell < problem.bounds.tangents.shells.tangent_count(); ++shell) {
      this->expect_gaps(problem, shell);
    }
  }
}

TYPED_TEST(LeverageOf, TheModelBendsNoLessInAWiderShell) {
  Problem<TypeParam> problem({.rows = 60, .sharpness = 10.0}, BoundKind::kLocal, 6);
  for (std::size_t n = 0; n < problem.shape.rows; ++n) {
    for (int shell = 1; shell < problem.bounds.tangents.shells.tangent_count(); ++shell) {
      const auto inner = problem.curvature(n, shell - 1);
      const auto outer = problem.curvature(n, shell);
      for (std::size_t p = 0; p < inner.size(); ++p) {
        EXPECT_GE(outer[p], inner[p] - 1e-8 * std::abs(inner[p]));
      }
    }
  }
}

// Predictors with columns of their own: row k holds those of predictor k.
template <class Case>
Matrix predictor_rows(const Problem<Case>& problem, std::size_t n) {
  Vector row(problem.data.columns());
  problem.data.copy_row(n, row.data());
  const Design& design = problem.data.design();
  Matrix rows = Matrix::Zero(2, problem.size());
  for (int k = 0; k < 2; ++k) {
    for (Index c = 0; c < design.size(k); ++c) {
      rows(k, design.first(k) + c) = row[design.column(k, c)];
    }
  }
  return rows;
}

template <class Case>
class CovarianceOf : public ::testing::Test {
 protected:
  // Inside the shell, and as far as that goes along predictor k of datum n (k = 2: at random).
  static Vector inside(Problem<Case>& problem, std::size_t n, int k, int shell) {
    const Shells& shells = problem.bounds.tangents.shells;
    Vector delta = unit::normal_vector(problem.stream, problem.size());
    if (k < 2) {
      delta = problem.anchor.precision.llt().solve(predictor_rows(problem, n).row(k).transpose());
      delta *= problem.stream.uniform() < 0.5 ? -1.0 : 1.0;
    }
    const Reals anchor = as_reals(problem.anchor.theta);
    const double norm = std::sqrt(delta.dot(problem.anchor.precision * delta));
    const auto shared =
        static_cast<double>(problem.shared(as_reals(Vector(problem.anchor.theta + delta))));
    const double out = std::max(norm / shells.radius(shell), shared / shells.shared_radius(shell));
    return delta * ((1.0 - 1e-9) / out);
  }
};
using CovarianceCases = ::testing::Types<unit::NormalScaleCase, unit::NormalVaryingScaleCase>;
TYPED_TEST_SUITE(CovarianceOf, CovarianceCases);

TYPED_TEST(CovarianceOf, TheModelIsThatOfThePredictorsInThePosteriorMetric) {
  Problem<TypeParam> problem({.rows = 60}, BoundKind::kLocal);
  for (std::size_t n = 0; n < problem.shape.rows; ++n) {
    const Matrix rows = predictor_rows(problem, n);
    const Matrix v = rows * problem.anchor.precision.inverse() * rows.transpose();
    const double* packed = problem.bounds.tangents.leverage(n);
    constexpr double kMargin = (1.0 + 1e-6) * (1.0 + 1e-6);
    EXPECT_NEAR(packed[0], kMargin * v(0, 0), 1e-12 * v(0, 0));
    EXPECT_NEAR(packed[1], kMargin * v(1, 0), 1e-12 * std::sqrt(v(0, 0) * v(1, 1)));
    EXPECT_NEAR(packed[2], kMargin * v(1, 1), 1e-12 * v(1, 1));
  }
}

TYPED_TEST(CovarianceOf, TheModelHasNoNegativeGapAnywhereInItsShell) {
  for (const double sharpness : {3.0, 100.0, 1e5}) {
    Problem<TypeParam> problem({.rows = 60, .sharpness = sharpness}, BoundKind::kLocal, 5);
    problem.set_beacons({}, {.shells = {0.5, 2.5, 4.0}, .threads = 1});
    std::size_t bounded = 0;
    for (std::size_t n = 0; n < problem.shape.rows; ++n) {
      for (int kind = 0; kind < 60 && !problem.is_beacon(n); ++kind, ++bounded) {
        const int shell = kind % 3;
        const Vector delta = this->inside(problem, n, kind / 3 % 3, shell);
        const Reals theta = as_reals(Vector(problem.anchor.theta + delta));
        ASSERT_LE(problem.shell_at(theta), shell);
        EXPECT_GE(static_cast<double>(problem.log_likelihood(n, theta) -
                                      problem.log_bound_in(shell, n, theta)),
                  -1e-12)
            << "datum " << n << ", shell " << shell;
      }
    }
    EXPECT_GT(bounded, 30 * problem.shape.rows);
  }
}

// The local bound of a wide region is wrong just outside it: the test above can fail.
TEST(Leverage, AGapIsNegativeWhereARowMovesFurtherThanItsShell) {
  Problem<unit::LogisticCase> problem({.sharpness = 0.05}, BoundKind::kLocal);
  problem.set_beacons({}, {.shells = {0.0}, .threads = 1});
  int negative = 0;
  for (std::size_t n = 0; n < problem.shape.rows; ++n) {
    const double a = problem.bounds.tangents.touch_point(n)[0];
    const double far =
        3.0 * problem.bounds.tangents.shells.radii[0] * problem.bounds.tangents.reach(n);
    const double u = -std::copysign(std::min(far, 2.0 * std::abs(a)), a);
    double slope = 0.0;
    const std::vector<double> bend = problem.curvature(n, 0);
    negative +=
        evaluate_gap(problem.model, {&a, bend.data(), problem.response(n)}, &u, &slope) < -1e-9 ? 1
                                                                                                : 0;
  }
  EXPECT_GT(negative, 0);
}

}  // namespace
}  // namespace flymc
