// The likelihood of a row behind one door, so that the engine for groups is compiled once: a family
// of one linear predictor, and of parameters that all rows share (sigma, size, shape) where those
// are unknown. The door is crossed once for the rows of a level, or of a block.
//
// With (eta, alpha) the predictor and m shared parameters, on the scale where they are unbounded, a
// tangent is log B = phi + phi' u - 1/2 u'A u, u = (eta, alpha) less where it touches; A is packed
// by the rows of its lower triangle, predictor first.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <utility>

#include "family/matrix_model.hpp"
#include "flymc/detail/family/tangent.hpp"
#include "flymc/family/likelihood.hpp"

namespace flymc {

inline constexpr std::size_t kMostShared = 3;
inline constexpr std::size_t kMostSlopes = 1 + kMostShared;
inline constexpr std::size_t kMostCurvatures = kMostSlopes * (kMostSlopes + 1) / 2;
using RowSlopes = std::array<double, kMostSlopes>;
using RowCurvature = std::array<double, kMostCurvatures>;

// Where the packed curvature of shared parameter j with the predictor is; those with shared ones
// 0 .. j follow.
[[nodiscard]] constexpr std::size_t shared_curvature(std::size_t j) noexcept {
  return (j + 1) * (j + 2) / 2;
}

struct RowPoints {
  std::size_t size = 0;
  const double* eta = nullptr;
  const double* response = nullptr;
  const double* shared = nullptr;  // the same for all
};

// Rows with their tangents: gap0 = w (remainder(u) + u'A u/2), with u from where each touches.
struct TangentRows {
  std::size_t size = 0;
  const double* touch = nullptr;
  const double* curvature = nullptr;  // so many numbers a row as the model says
  const double* response = nullptr;
  const double* weight = nullptr;
  const double* u = nullptr;
  const double* shared_touch = nullptr;  // the same for all
  const double* shared_u = nullptr;
};

// Where a local tangent holds: |u| <= radius, and shared parameters d from where it touches while
// all |(L^-1 d)_j| <= 1.
struct RowRegion {
  double touch = 0.0;
  double response = 0.0;
  double radius = 0.0;
  const double* shared = nullptr;
  const double* shared_region = nullptr;  // L, lower, by columns
};

class RowModel {
 public:
  virtual ~RowModel() = default;

  [[nodiscard]] virtual std::size_t shared() const noexcept { return 0; }
  // Numbers of a curvature.
  [[nodiscard]] std::size_t curvatures() const noexcept {
    return (shared() + 1) * (shared() + 2) / 2;
  }

  // Sum of log L over rows, each as often as its weight says (null: once). Only of models that are
  // log-concave in one predictor is it asked for (all_rows.hpp).
  [[nodiscard]] virtual double sum(const RowPoints& /*at*/, const double* /*weights*/) const {
    return std::numeric_limits<double>::quiet_NaN();
  }
  // log L, its derivatives (1 + m a row) and minus its second ones (curvatures() a row).
  virtual void evaluate(const RowPoints& at, double* value, double* slopes,
                        double* information) const = 0;
  // Writes gaps and their derivatives in the predictor's u.
  virtual void gaps(const TangentRows& rows, double* gap, double* slope) const = 0;
  // Of a tangent that holds there; false where there is none.
  [[nodiscard]] virtual bool local_curvature(const RowRegion& region, double* out) const = 0;
  // Of one that holds for every u; infinite where there is none, as where parameters are shared.
  [[nodiscard]] virtual double global_curvature(double touch, double response) const = 0;
  [[nodiscard]] virtual bool log_concave() const = 0;
  // Of unit noise: every tangent is the likelihood itself, whatever its noise.
  [[nodiscard]] virtual bool is_gaussian() const { return false; }
  // What moves a predictor by this much is a move of size 1 to the likelihood.
  [[nodiscard]] virtual double unit(const double* shared = nullptr) const = 0;

  // Of one row of weight 1.
  [[nodiscard]] double gap(TangentRows row) const {
    double value = 0.0;
    double slope = 0.0;
    const double weight = 1.0;
    row.size = 1;
    row.weight = &weight;
    gaps(row, &value, &slope);
    return value;
  }
  [[nodiscard]] double gap(double touch, double curvature, double response, double u) const {
    return gap({.touch = &touch, .curvature = &curvature, .response = &response, .u = &u});
  }
};

template <BoundedScalar M>
class RowModelOf final : public RowModel {
 public:
  explicit RowModelOf(M model) : model_(std::move(model)) {}

  [[nodiscard]] double sum(const RowPoints& at, const double* weights) const override {
    if constexpr (requires { model_.sum(at.size, at.eta, at.response); }) {
      if (weights == nullptr) {
        return model_.sum(at.size, at.eta, at.response);
      }
    }
    double total = 0.0;
    for (std::size_t i = 0; i < at.size; ++i) {
      total += (weights == nullptr ? 1.0 : weights[i]) *
               model_.log_likelihood(at.eta[i], at.response[i]);
    }
    return total;
  }
  void evaluate(const RowPoints& at, double* value, double* slopes,
                double* information) const override {
    for (std::size_t i = 0; i < at.size; ++i) {
      value[i] = model_.log_likelihood(at.eta[i], at.response[i], slopes[i]);
      information[i] = model_.information(at.eta[i], at.response[i]);
    }
  }
  void gaps(const TangentRows& rows, double* gap, double* slope) const override {
    for (std::size_t i = 0; i < rows.size; ++i) {
      const Tangent tangent{rows.touch + i, rows.curvature + i, rows.response[i]};
      const double memo = anchor_memo(model_, tangent);
      gap[i] = rows.weight[i] * evaluate_gap(model_, tangent, memo, rows.u + i, slope + i);
      slope[i] *= rows.weight[i];
    }
  }
  [[nodiscard]] bool local_curvature(const RowRegion& region, double* out) const override {
    flymc::local_curvature(model_, &region.touch, region.response, &region.radius, out);
    return std::isfinite(*out);
  }
  [[nodiscard]] double global_curvature([[maybe_unused]] double touch,
                                        [[maybe_unused]] double response) const override {
    if constexpr (GlobalScalar<M>) {
      return model_.curvature(touch, response);
    } else {
      return std::numeric_limits<double>::infinity();
    }
  }
  [[nodiscard]] bool log_concave() const override { return M::kLogConcave; }
  [[nodiscard]] double unit(const double* /*shared*/) const override {
    return predictor_unit(model_);
  }

 private:
  M model_;
};

// Predictors beyond the first are shared parameters.
class MatrixRowModel final : public RowModel {
 public:
  // REQUIRES: at most 1 + kMostShared predictors.
  explicit MatrixRowModel(std::shared_ptr<const MatrixModel> model);

  [[nodiscard]] std::size_t shared() const noexcept override { return shared_; }
  void evaluate(const RowPoints& at, double* value, double* slopes,
                double* information) const override;
  void gaps(const TangentRows& rows, double* gap, double* slope) const override;
  [[nodiscard]] bool local_curvature(const RowRegion& region, double* out) const override;
  [[nodiscard]] double global_curvature(double /*touch*/, double /*response*/) const override {
    return std::numeric_limits<double>::infinity();
  }
  [[nodiscard]] bool log_concave() const override { return false; }
  [[nodiscard]] double unit(const double* shared) const override;

 private:
  [[nodiscard]] RowSlopes joined(double first, const double* shared) const noexcept;

  std::shared_ptr<const MatrixModel> model_;
  std::size_t shared_;
};

// -(y - eta)^2/2, with y the response on the scale where it is normal.
class GaussianModel final : public RowModel {
 public:
  using Response = double (*)(double response);

  explicit GaussianModel(Response response) : response_(response) {}

  void evaluate(const RowPoints& at, double* value, double* slopes,
                double* information) const override {
    for (std::size_t i = 0; i < at.size; ++i) {
      slopes[i] = response_(at.response[i]) - at.eta[i];
      value[i] = -0.5 * slopes[i] * slopes[i];
      information[i] = 1.0;
    }
  }
  void gaps(const TangentRows& rows, double* gap, double* slope) const override {
    std::fill_n(gap, rows.size, 0.0);
    std::fill_n(slope, rows.size, 0.0);
  }
  [[nodiscard]] bool local_curvature(const RowRegion& /*region*/, double* out) const override {
    *out = 1.0;
    return true;
  }
  [[nodiscard]] double global_curvature(double /*touch*/, double /*response*/) const override {
    return 1.0;
  }
  [[nodiscard]] bool log_concave() const override { return true; }
  [[nodiscard]] bool is_gaussian() const override { return true; }
  [[nodiscard]] double unit(const double* /*shared*/) const override { return 1.0; }

 private:
  Response response_;
};

}  // namespace flymc
