// What stands between the innermost shell's parabola, which is in the Gaussian part, and the bounds
// that hold here:
//   inside the last radius   -1/2 zeta' Delta_s zeta   (baseline.hpp);
//   beyond it, for a model without a global bound, B_n = L_n e^-slack_n:
//                            sum over coins n of (w log L_n - slack_n) less the parabola,
// a pass over all rows, on a rare visit.
#pragma once

#include <cstddef>

#include "flymc/detail/family/tangent.hpp"
#include "flymc/detail/posterior/full_sum.hpp"
#include "flymc/detail/posterior/joint_setting.hpp"
#include "flymc/detail/posterior/query.hpp"

namespace flymc {

template <BoundedLikelihood M>
class RegionTerm {
 public:
  explicit RegionTerm(const JointSetting<M>& setting)
      : dark_(setting.dark),
        bounds_(setting.bounds),
        delta_(dark_.frame.dimension()),
        theta_(dark_.frame.dimension()),
        theta_gradient_(dark_.frame.dimension()),
        full_(dark_.data, bounds_.tangents.predictors) {}

  void evaluate(Point& point, int shell, Order order, QueryCounter& counter) {
    if (!bounds_.tangents.shells.is_exact(shell)) {
      dark_.baseline.evaluate_region(shell, point, delta_);
      return;
    }
    Vector* gradient = order == Order::kGradient ? &theta_gradient_ : nullptr;
    point.parts[kRegionPart] = beyond(point, gradient, counter);
    if (gradient != nullptr) {
      dark_.frame.pull_back(theta_gradient_, delta_);
      point.forces.col(kRegionPart) = delta_;
    }
    point.parts[kRegionPart] +=
        dark_.baseline.add_negative(point.zeta, point.forces.col(kRegionPart));
  }

 private:
  [[nodiscard]] double beyond(const Point& point, Vector* gradient, QueryCounter& counter) {
    dark_.frame.to_theta(point.zeta, theta_);
    double value = full_.evaluate(
        theta_, counter,
        [&](std::size_t n, const double* eta, double* slopes) {
          return exact_bound(n, eta, slopes);
        },
        gradient);
    dark_.frame.to_delta(point.zeta, delta_);
    if (gradient != nullptr) {
      *gradient = -*gradient;  // so that the collapsed gradient is subtracted below
    }
    value -= bounds_.light.evaluate(delta_, theta_, gradient);
    if (gradient != nullptr) {
      *gradient = -*gradient;
    }
    return value;
  }

  // log B_n and its slopes where the likelihood is its own bound; a beacon has none.
  [[nodiscard]] double exact_bound(std::size_t n, const double* eta,
                                   double* slopes) const noexcept {
    const double weight = bounds_.is_beacon(n) ? 0.0 : dark_.data.weight(n);
    const double one = evaluate_likelihood(dark_.model, eta, dark_.data.response(n), slopes);
    for (int k = 0; slopes != nullptr && k < bounds_.tangents.predictors; ++k) {
      slopes[k] = weight == 0.0 ? 0.0 : slopes[k] * weight;
    }
    return (weight == 0.0 ? 0.0 : weight * one) - bounds_.coins.slack(n);
  }

  const DarkSetting<M>& dark_;
  const Bounds& bounds_;
  Vector delta_;
  Vector theta_;
  Vector theta_gradient_;
  FullSum full_;
};

}  // namespace flymc
