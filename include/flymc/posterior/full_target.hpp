// The full-data log posterior, for regular MCMC: every evaluation queries every datum.
//
//   log p(theta | x) = log prior(theta) + sum_n w_n log L_n(theta)
#pragma once

#include <cmath>
#include <limits>

#include "flymc/dataset.hpp"
#include "flymc/detail/family/tangent.hpp"
#include "flymc/detail/posterior/framed_density.hpp"
#include "flymc/detail/posterior/full_sum.hpp"
#include "flymc/family/prior.hpp"

namespace flymc {

template <Likelihood M>
class FullTarget final : public FramedDensity {
 public:
  FullTarget(const M& model, const Prior& prior, const Dataset& data, const Frame& frame)
      : FramedDensity(frame),
        model_(model),
        prior_(prior),
        data_(data),
        theta_(frame.dimension()),
        theta_gradient_(frame.dimension()),
        sum_(data, predictor_count(model)) {}

  void evaluate(Point& point, Order order) override {
    ++evaluations_;
    to_theta(point, theta_);
    Vector* gradient = order == Order::kGradient ? &theta_gradient_ : nullptr;
    const int predictors = predictor_count(model_);
    const double log_density =
        prior_.log_density(theta_) +
        sum_.evaluate(
            theta_, counter_,
            [&](std::size_t n, const double* eta, double* slopes) {
              const double weight = data_.weight(n);
              const double value = evaluate_likelihood(model_, eta, data_.response(n), slopes);
              for (int j = 0; slopes != nullptr && j < predictors; ++j) {
                slopes[j] *= weight;
              }
              return weight * value;
            },
            gradient);
    point.log_density =
        std::isnan(log_density) ? -std::numeric_limits<double>::infinity() : log_density;
    if (gradient != nullptr) {
      prior_.add_gradient(theta_, theta_gradient_);
      frame_.pull_back(theta_gradient_, point.gradient);
    }
  }

 private:
  const M& model_;
  const Prior& prior_;
  const Dataset& data_;

  Vector theta_;
  Vector theta_gradient_;
  FullSum sum_;
};

}  // namespace flymc
