// Three predictors, two of them the same for all data, in every order: the shell of a position by
// their own radius, and tangents that hold to the faces of that region.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

#include "flymc/detail/posterior/baseline.hpp"
#include "flymc/detail/posterior/shell_finder.hpp"
#include "flymc/error.hpp"
#include "flymc/family/automatic.hpp"
#include "flymc/posterior/frame.hpp"
#include "flymc/posterior/local_bounds.hpp"
#include "flymc/tune/find_anchor.hpp"
#include "support/densities.hpp"
#include "support/unit_problem.hpp"

namespace flymc {
namespace {

using Model = Automatic<unit::StudentScaleShapeDensity>;
using Columns = std::vector<std::vector<Index>>;

constexpr unit::Shape kShape{.rows = 40, .columns = 2, .offset = false};

struct SharedProblem {
  SharedProblem(const Columns& columns, double sharpness)
      : table(unit::make_table<unit::StudentTCase>(kShape, stream)), data(table, options(columns)) {
    anchor = unit::random_anchor(stream, data.design().parameters(3), sharpness);
    bounds = make_local_bounds(model, data, anchor, {.shells = {0.5, 2.5, 4.0}, .threads = 1});
    for (int k = 0; k < 3; ++k) {
      (data.is_shared(k) ? order : others).push_back(k);
    }
    shared = static_cast<Index>(order.size());
    order.insert(order.end(), others.begin(), others.end());
  }
  [[nodiscard]] static Dataset::Options options(const Columns& columns) {
    Dataset::Options result = unit::scaling(kShape);
    result.predictors = columns;
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
  Model model;
  Table table;
  Dataset data;
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

TEST(SharedPredictors, DecideTheShellByTheirOwnRadiusInEveryFrame) {
  for (const Columns& columns : kDesigns) {
    SharedProblem problem(columns, 10.0);
    const Shells& shells = problem.bounds.tangents.shells;
    const Prior prior = unit::normal_prior(problem.anchor.theta.size());
    for (const Frame& frame :
         {Frame::plain(problem.anchor), Frame::whitened(problem.anchor),
          Frame::oscillator(problem.anchor, gaussian_precision(prior, problem.bounds))}) {
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

TEST(SharedPredictors, HaveNoNegativeGapUpToTheFacesOfTheirShell) {
  for (const Columns& columns : kDesigns) {
    for (const double sharpness : {30.0, 3e3, 1e6}) {
      SharedProblem problem(columns, sharpness);
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

// A design that a likelihood does not go with would give bounds that hold nowhere.
TEST(SharedPredictors, AreRefusedWhereTheDesignIsNotTheLikelihoods) {
  unit::Problem<unit::LogisticCase> problem({}, BoundKind::kLocal);
  const unit::NormalScaleCase::Model two;
  for (const Columns& columns : {Columns{}, Columns{{0, 1}}, Columns{{0}, {1}, {2}}}) {
    Dataset::Options options = problem.options;
    options.predictors = columns;
    const Dataset data(problem.table, options);
    const Anchor anchor =
        unit::random_anchor(problem.stream, std::max<Index>(data.design().parameters(2), 2));
    EXPECT_THROW(std::ignore = local_pass(two, data, anchor, {}), Error);
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
