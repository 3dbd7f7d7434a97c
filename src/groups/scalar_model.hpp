// A family of one linear predictor behind one door, so that the engine for groups is compiled once.
// The door is crossed once for the rows of a level, or of a block.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "flymc/detail/family/tangent.hpp"
#include "flymc/family/likelihood.hpp"

namespace flymc {

// Rows with their tangents: gap0 = w (remainder(u) + k u^2/2), with u from where each touches.
struct TangentRows {
  std::size_t size = 0;
  const double* touch = nullptr;
  const double* curvature = nullptr;
  const double* response = nullptr;
  const double* weight = nullptr;
  const double* u = nullptr;
};

class ScalarModel {
 public:
  virtual ~ScalarModel() = default;

  // log L, its derivative and minus its second one, at eta.
  virtual void evaluate(std::size_t rows, const double* eta, const double* response, double* value,
                        double* slope, double* information) const = 0;
  // Writes gaps and their derivatives in u.
  virtual void gaps(const TangentRows& rows, double* gap, double* slope) const = 0;
  // Of a tangent that holds for |u| <= radius; infinite where there is none.
  [[nodiscard]] virtual double local_curvature(double touch, double response,
                                               double radius) const = 0;
  // Of one that holds for every u; infinite where there is none.
  [[nodiscard]] virtual double global_curvature(double touch, double response) const = 0;
  [[nodiscard]] virtual bool log_concave() const = 0;
  // Of unit noise: every tangent is the likelihood itself, whatever its noise.
  [[nodiscard]] virtual bool is_gaussian() const { return false; }
  // What moves a predictor by this much is a move of size 1 to the likelihood.
  [[nodiscard]] virtual double unit() const = 0;

  [[nodiscard]] double gap(double touch, double curvature, double response, double u) const {
    double value = 0.0;
    double slope = 0.0;
    const double weight = 1.0;
    gaps({1, &touch, &curvature, &response, &weight, &u}, &value, &slope);
    return value;
  }
};

template <BoundedScalar M>
class ScalarModelOf final : public ScalarModel {
 public:
  explicit ScalarModelOf(M model) : model_(std::move(model)) {}

  void evaluate(std::size_t rows, const double* eta, const double* response, double* value,
                double* slope, double* information) const override {
    for (std::size_t i = 0; i < rows; ++i) {
      value[i] = model_.log_likelihood(eta[i], response[i], slope[i]);
      information[i] = model_.information(eta[i], response[i]);
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
  [[nodiscard]] double local_curvature(double touch, double response,
                                       double radius) const override {
    double out = 0.0;
    flymc::local_curvature(model_, &touch, response, &radius, &out);
    return std::isfinite(out) ? out : std::numeric_limits<double>::infinity();
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
  [[nodiscard]] double unit() const override { return predictor_unit(model_); }

 private:
  M model_;
};

// -(y - eta)^2/2, with y the response on the scale where it is normal.
class GaussianModel final : public ScalarModel {
 public:
  using Response = double (*)(double response);

  explicit GaussianModel(Response response) : response_(response) {}

  void evaluate(std::size_t rows, const double* eta, const double* response, double* value,
                double* slope, double* information) const override {
    for (std::size_t i = 0; i < rows; ++i) {
      slope[i] = response_(response[i]) - eta[i];
      value[i] = -0.5 * slope[i] * slope[i];
      information[i] = 1.0;
    }
  }
  void gaps(const TangentRows& rows, double* gap, double* slope) const override {
    std::fill_n(gap, rows.size, 0.0);
    std::fill_n(slope, rows.size, 0.0);
  }
  [[nodiscard]] double local_curvature(double /*touch*/, double /*response*/,
                                       double /*radius*/) const override {
    return 1.0;
  }
  [[nodiscard]] double global_curvature(double /*touch*/, double /*response*/) const override {
    return 1.0;
  }
  [[nodiscard]] bool log_concave() const override { return true; }
  [[nodiscard]] bool is_gaussian() const override { return true; }
  [[nodiscard]] double unit() const override { return 1.0; }

 private:
  Response response_;
};

}  // namespace flymc
