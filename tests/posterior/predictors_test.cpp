// Three predictors with columns of their own, some of them the same for all data, in every order:
// the shell of a position, tangents that hold to the faces of their region, and the joint, whose
// sum over all z is the posterior.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <vector>

#include "flymc/detail/posterior/baseline.hpp"
#include "flymc/detail/posterior/shell_finder.hpp"
#include "flymc/error.hpp"
#include "flymc/family/automatic.hpp"
#include "flymc/posterior/frame.hpp"
#include "flymc/posterior/joint_target.hpp"
#include "flymc/posterior/local_bounds.hpp"
#include "flymc/tune/find_anchor.hpp"
#include "support/densities.hpp"
#include "support/unit_joint.hpp"

namespace flymc {
namespace {

using Model = Automatic<unit::StudentScaleShapeDensity>;
using Columns = std::vector<std::vector<Index>>;

constexpr unit::Shape kShape{.rows = 40, .columns = 2, .offset = false};
constexpr unit::Shape kFew{.rows = 5, .columns = 2};
const std::vector<double> kShells{0.5, 2.5, 4.0};

struct ThreePredictors {
  ThreePredictors(const Columns& columns, double sharpness, const unit::Shape& shape = kShape,
                  const std::vector<Datum>& beacons = {}, bool has_moved_scale = false)
      : moves_scale(has_moved_scale),
        table(unit::make_table<unit::StudentTCase>(shape, stream)),
        data(table, options(columns, shape, has_moved_scale)),
        prior(unit::normal_prior(data.design().parameters(3), 15.0)),
        anchor(unit::random_anchor(stream, prior.dimension(), sharpness)),
        bounds(with_beacons(model, data,
                            local_pass(model, data, anchor, {.shells = kShells, .threads = 1}),
                            beacons, 1)) {
    for (int k = 0; k < 3; ++k) {
      (data.is_shared(k) ? order : others).push_back(k);
    }
    shared = static_cast<Index>(order.size());
    order.insert(order.end(), others.begin(), others.end());
  }
  [[nodiscard]] static Dataset::Options options(const Columns& columns, const unit::Shape& shape,
                                                bool has_moved_scale) {
    Dataset::Options result = unit::scaling(shape);
    result.predictors = columns;
    if (has_moved_scale) {
      result.offsets = {{}, {1}, {}};
    }
    return result;
  }

  // Columns of each predictor of datum n, shared ones first.
  [[nodiscard]] Matrix predictor_rows(std::size_t n) const {
    Vector row(data.columns());
    data.copy_row(n, row.data());
    Matrix rows = Matrix::Zero(3, anchor.theta.size());
    for (Index i = 0; i < 3; ++i) {
      const int k = order[static_cast<std::size_t>(i)];
      for (Index c = 0; c < data.design().size(k); ++c) {
        rows(i, data.design().first(k) + c) = row[data.design().column(k, c)];
      }
    }
    return rows;
  }
  // Naively, in long double.
  [[nodiscard]] unit::Real log_posterior(const Vector& theta) const {
    unit::Real sum = 0;
    for (Index j = 0; j < theta.size(); ++j) {
      const PriorTerm& term = prior.terms()[static_cast<std::size_t>(j)];
      const unit::Real t = (unit::Real{theta[j]} - term.location) / term.scale;
      sum -= t * t / 2;
    }
    for (std::size_t n = 0; n < data.rows(); ++n) {
      const Matrix rows = predictor_rows(n);
      std::array<unit::Real, 3> eta{data.offset(n), moves_scale ? table.x[2 * n + 1] : 0.0, 0};
      for (Index i = 0; i < 3; ++i) {
        for (Index j = 0; j < theta.size(); ++j) {
          eta[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])] +=
              unit::Real{rows(i, j)} * theta[j];
        }
      }
      const unit::Real nu = unit::exp(eta[2]);
      const unit::Real t = (data.response(n) - eta[0]) / unit::exp(eta[1]);
      sum += data.weight(n) * (unit::lgamma((nu + 1) / 2) - unit::lgamma(nu / 2) -
                               unit::log(nu) / 2 - eta[1] - (nu + 1) / 2 * unit::log1p(t * t / nu));
    }
    return sum;
  }
  [[nodiscard]] std::vector<Frame> frames() const {
    return {Frame::plain(anchor), Frame::whitened(anchor),
            Frame::oscillator(anchor, gaussian_precision(prior, bounds))};
  }
  // A position in each shell and beyond, by the norm and by what shared predictors moved.
  [[nodiscard]] std::vector<Vector> places() {
    std::vector<Vector> result;
    for (const double distance : unit::distances_in_every_shell(bounds)) {
      const Vector delta = unit::normal_vector(stream, prior.dimension());
      const double norm = unit::sqrt(delta.dot(anchor.precision * delta));
      result.push_back(anchor.theta + delta * (distance / norm));
      result.push_back(anchor.theta + delta_of(2, 0.9 * distance * Vector::Unit(3, 0)));
    }
    return result;
  }

  // The least delta that gives datum n this w: delta = H^-1 A' L^-T w.
  [[nodiscard]] Vector delta_of(std::size_t n, const Vector& w) const {
    const Matrix rows = predictor_rows(n);
    const Matrix covariance = anchor.precision.inverse();
    const Eigen::LLT<Matrix> root(rows * covariance * rows.transpose());
    return covariance * rows.transpose() * root.matrixU().solve(w);
  }
  [[nodiscard]] double gap(std::size_t n, int shell, const Vector& delta) const {
    const Tangents& tangents = bounds.tangents;
    std::array<double, 6> scratch{};
    std::array<double, 6> bend{};
    shell_curvature(model, tangents, tangents.touch(n, data.response(n)), shell, scratch.data(),
                    bend.data());
    const Vector in_order = predictor_rows(n) * delta;
    std::array<double, 3> u{};
    for (std::size_t i = 0; i < 3; ++i) {
      u[static_cast<std::size_t>(order[i])] = in_order[static_cast<Index>(i)];
    }
    std::array<double, 3> slopes{};
    return evaluate_gap(model, {tangents.touch_point(n), bend.data(), data.response(n)}, u.data(),
                        slopes.data());
  }

  Stream stream{31, 0, Purpose::kTest, 0};
  bool moves_scale;  // the second raw column is an offset of the log scale
  Model model;
  Table table;
  Dataset data;
  Prior prior;
  Anchor anchor;
  Bounds bounds;
  std::vector<int> order;
  std::vector<int> others;
  Index shared;
};

const Columns kDesigns[] = {{{0, 1, 2}, {0}, {0}},
                            {{0}, {0, 1}, {0}},
                            {{0}, {0}, {1, 2}},
                            {{1}, {0}, {0, 2}},
                            {{1}, {2}, {0, 1}}};

TEST(Predictors, DecideTheShellByTheirOwnRadiusInEveryFrame) {
  for (const Columns& columns : kDesigns) {
    ThreePredictors problem(columns, 10.0);
    const Shells& shells = problem.bounds.tangents.shells;
    for (const Frame& frame : problem.frames()) {
      const ShellFinder finder(problem.bounds.tangents, problem.data, frame);
      Vector scratch(problem.anchor.theta.size());
      for (int i = 0; i < 300; ++i) {
        Vector w = unit::normal_vector(problem.stream, 3);
        w = i < 100 ? Vector(Vector::Unit(3, i % 3)) : Vector(w.normalized());
        w *= 8.0 * problem.stream.uniform();
        const Vector theta = problem.anchor.theta + problem.delta_of(7, w);
        const Vector zeta = frame.from_theta(theta);
        int expected = 0;
        while (expected < shells.outermost() &&
               (w.norm() > shells.radius(expected) ||
                (problem.shared > 0 && w.head(problem.shared).lpNorm<Eigen::Infinity>() >
                                           shells.shared_radius(expected)))) {
          ++expected;
        }
        EXPECT_EQ(finder.shell(zeta, frame.posterior_norm(zeta, scratch)), expected);
      }
    }
  }
}

TEST(Predictors, HaveNoNegativeGapUpToTheFacesOfTheirShell) {
  for (const Columns& columns : kDesigns) {
    for (const double sharpness : {30.0, 3e3, 1e6}) {
      ThreePredictors problem(columns, sharpness);
      const Shells& shells = problem.bounds.tangents.shells;
      std::size_t bounded = 0;
      for (std::size_t n = 0; n < kShape.rows; ++n) {
        for (int i = 0; i < 90 && !problem.bounds.is_beacon(n); ++i, ++bounded) {
          const int shell = i % 3;
          Vector w = shells.radius(shell) * unit::normal_vector(problem.stream, 3).normalized();
          for (Index c = 0; c < problem.shared; ++c) {  // onto the faces where it lies beyond
            w[c] = std::clamp(w[c], -shells.shared_radius(shell), shells.shared_radius(shell));
          }
          EXPECT_GE(problem.gap(n, shell, problem.delta_of(n, w)), -1e-12)
              << "datum " << n << ", shell " << shell << ", sharpness " << sharpness;
        }
      }
      EXPECT_GT(bounded, sharpness < 100.0 ? 0U : 80 * kShape.rows);
    }
  }
}

TEST(Predictors, HaveTheirCovarianceInThePosteriorMetric) {
  for (const Columns& columns : kDesigns) {
    const ThreePredictors problem(columns, 100.0);
    for (std::size_t n = 0; n < kShape.rows; ++n) {
      const Matrix rows = problem.predictor_rows(n);
      const Matrix v = rows * problem.anchor.precision.inverse() * rows.transpose();
      const double* packed = problem.bounds.tangents.leverage(n);
      constexpr double kRaised = (1.0 + 1e-6) * (1.0 + 1e-6);
      for (Index i = 0; i < 3; ++i) {
        for (Index j = 0; j < 3; ++j) {
          const int k = problem.order[static_cast<std::size_t>(i)];
          const int l = problem.order[static_cast<std::size_t>(j)];
          if (l <= k) {
            EXPECT_NEAR(packed[k * (k + 1) / 2 + l], kRaised * v(i, j),
                        1e-12 * std::sqrt(v(i, i) * v(j, j)));
          }
        }
      }
    }
  }
}

TEST(Predictors, HaveAJointWhoseSumOverAllBrightnessIsThePosterior) {
  std::size_t negative = 0;
  std::size_t coins = 0;
  for (const Columns& columns : kDesigns) {
    for (const auto& [sharpness, moved] : {std::pair(1e3, false), {1e3, true}, {1e5, false}}) {
      for (const std::vector<Datum>& beacons : {std::vector<Datum>{}, std::vector<Datum>{1, 4}}) {
        ThreePredictors problem(columns, sharpness, kFew, beacons, moved);
        coins += kFew.rows - problem.bounds.beacons.size();
        for (const Frame& frame : problem.frames()) {
          JointTarget<Model> joint(problem.model, problem.prior, problem.data, problem.bounds,
                                   frame);
          Point point(problem.prior.dimension());
          for (const Vector& theta : problem.places()) {
            const auto posterior = static_cast<double>(problem.log_posterior(theta));
            joint.from_theta(theta, point);
            EXPECT_NEAR(static_cast<double>(unit::log_sum_over_z(joint, point)), posterior,
                        1e-9 * (1.0 + std::abs(posterior)))
                << "sharpness " << sharpness << ", beacons " << beacons.size();
          }
          negative +=
              frame.is_oscillator() && frame.squared_frequencies().minCoeff() < -1e-5 ? 1U : 0U;
        }
      }
    }
  }
  EXPECT_GT(negative, 0U);  // else nothing is left to the region term
  EXPECT_GT(coins, 50U);
}

TEST(Predictors, HaveAJointWithTheGradientOfItsValue) {
  for (const Columns& columns : kDesigns) {
    ThreePredictors problem(columns, 1e3, kFew, {1, 4});
    for (const Frame& frame : problem.frames()) {
      JointTarget<Model> joint(problem.model, problem.prior, problem.data, problem.bounds, frame);
      Point point(problem.prior.dimension());
      unit::light(joint, point, {0, 3});
      for (const Vector& theta : problem.places()) {
        joint.from_theta(theta, point);
        point.zeta *= 0.97;  // not at the edge of a shell
        joint.evaluate(point, Order::kGradient);
        const Vector gradient = point.gradient;
        Point moved = point;
        const double step = 1e-5 * frame.length_scale();
        for (Index j = 0; j < gradient.size(); ++j) {
          double slope = 0.0;
          for (const double sign : {1.0, -1.0}) {
            moved.zeta = point.zeta + sign * step * Vector::Unit(gradient.size(), j);
            joint.evaluate(moved, Order::kValue);
            slope += sign * moved.log_density / (2.0 * step);
          }
          EXPECT_NEAR(gradient[j], slope, 1e-5 * (1.0 + gradient.norm()));
        }
      }
    }
  }
}

// A design that a likelihood does not go with would give bounds that hold nowhere.
TEST(Predictors, AreRefusedWhereTheDesignIsNotTheLikelihoods) {
  unit::Problem<unit::LogisticCase> problem({}, BoundKind::kLocal);
  const unit::NormalScaleCase::Model two;
  for (const Columns& columns : {Columns{}, Columns{{0, 1}}, Columns{{0}, {1}, {2}}}) {
    Dataset::Options options = problem.options;
    options.predictors = columns;
    const Dataset data(problem.table, options);
    EXPECT_THROW(std::ignore = local_pass(two, data, problem.anchor, {}), Error);
    EXPECT_THROW(std::ignore = likelihood_pass(two, data, 1), Error);
  }
  Dataset::Options options = problem.options;
  options.predictors = {{0, 1, 2, 3}};
  const Dataset data(problem.table, options);
  EXPECT_THROW(std::ignore = local_pass(problem.model, data, problem.anchor, {}), Error);
  EXPECT_THROW(std::ignore = likelihood_pass(problem.model, data, 1), Error);
}

}  // namespace
}  // namespace flymc
