// Averages over the predictor of one datum under the Laplace approximation, u ~ N(0, V): points at
// +- sqrt(3 lambda_i) along the principal axes of V with weight 1/6 each, the rest at u = 0. For
// one predictor that is three-point Gauss-Hermite. Rankings and rates come from it, never
// exactness.
// See docs/method/engine.md, The weighted z-update.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "flymc/detail/core/linalg.hpp"
#include "flymc/detail/family/tangent.hpp"

namespace flymc {

// The axes sqrt(3 lambda_i) v_i of V, from the standard deviations r_jk of differences of
// predictors (r itself for one); where V is given, sqrt(3) times the columns of its Cholesky root,
// which serve as well. One instance a thread.
class PrincipalAxes {
 public:
  PrincipalAxes(CurvatureForm form, int predictors);
  // One column an axis.
  [[nodiscard]] const Matrix& of(const double* leverage);

 private:
  void of_differences(const double* leverage);
  void of_covariance(const double* leverage) noexcept;

  CurvatureForm form_;
  Matrix squares_;
  Matrix axes_;
  Eigen::SelfAdjointEigenSolver<Matrix> eigen_;
};

template <BoundedLikelihood M>
class Cubature {
 public:
  explicit Cubature(const M& model)
      : model_(model),
        axes_(curvature_form<M>(), predictor_count(model)),
        slopes_(static_cast<std::size_t>(predictor_count(model))),
        point_(slopes_.size()),
        weights_(static_cast<std::size_t>(curvature_count(model))) {}

  // E|gap|, for a tangent of a region too small for these points need not be below there, and a
  // rate of nothing would freeze a coin that shines further out; adds E[phi'(a + u)] - phi'(a) to
  // `slopes`. (The bend averages out of the slopes.)
  [[nodiscard]] double expected_gap(const Tangent& tangent, const double* leverage,
                                    double* slopes) {
    double sum = 0.0;
    const double memo = anchor_memo(model_, tangent);
    for_each_point(leverage, [&](const std::vector<double>& u) {
      sum +=
          kCubatureWeight * std::abs(evaluate_gap(model_, tangent, memo, u.data(), slopes_.data()));
      for (std::size_t j = 0; j < slopes_.size(); ++j) {
        slopes[j] += kCubatureWeight * slopes_[j];
      }
    });
    return sum;
  }

  // -E[phi''(a + u)], curvature_count numbers.
  void expected_information(const Tangent& tangent, const double* leverage, double* out) {
    evaluate_information(model_, tangent.anchor, tangent.response, out);
    const double centre =
        1.0 - 2.0 * kCubatureWeight * static_cast<double>(axes_.of(leverage).cols());
    for (std::size_t p = 0; p < weights_.size(); ++p) {
      out[p] *= centre;
    }
    for_each_point(leverage, [&](std::vector<double>& u) {
      for (std::size_t j = 0; j < u.size(); ++j) {
        u[j] += tangent.anchor[j];
      }
      evaluate_information(model_, u.data(), tangent.response, weights_.data());
      for (std::size_t p = 0; p < weights_.size(); ++p) {
        out[p] += kCubatureWeight * weights_[p];
      }
    });
  }

 private:
  template <class Visit>
  void for_each_point(const double* leverage, Visit&& visit) {
    const Matrix& axes = axes_.of(leverage);
    for (Index i = 0; i < axes.cols(); ++i) {
      for (const double sign : {1.0, -1.0}) {
        for (std::size_t j = 0; j < point_.size(); ++j) {
          point_[j] = sign * axes(static_cast<Index>(j), i);
        }
        visit(point_);
      }
    }
  }

  const M& model_;
  PrincipalAxes axes_;
  std::vector<double> slopes_;
  std::vector<double> point_;
  std::vector<double> weights_;
};

}  // namespace flymc
