// The full-data log posterior, for regular MCMC: every evaluation queries every datum.
//
//   log p(theta | x) = log prior(theta) + sum_n w_n log L_n(theta)
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "flymc/data/dataset.hpp"
#include "flymc/model/prior.hpp"
#include "flymc/model/tangent.hpp"
#include "flymc/target/framed_density.hpp"

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
        gradient_(data.columns(), predictor_count(model)),
        folded_(data.folded_rows(), predictor_count(model)),
        folded_gradient_(data.folded_rows(), predictor_count(model)),
        eta_(kBlockRows, predictor_count(model)),
        slopes_(kBlockRows, predictor_count(model)) {}

  void evaluate(Point& point, Order order) override {
    ++evaluations_;
    to_theta(point, theta_);
    data_.fold(Eigen::Map<const Matrix>(theta_.data(), data_.columns(), folded_.cols()), folded_);
    folded_gradient_.setZero();
    double sum = prior_.log_density(theta_);
    for (std::size_t first = 0; first < data_.rows(); first += kBlockRows) {
      sum += add_block({first, std::min<std::size_t>(first + kBlockRows, data_.rows())}, order);
    }
    point.log_density = std::isnan(sum) ? -std::numeric_limits<double>::infinity() : sum;
    if (order == Order::kGradient) {
      data_.unfold_gradient(folded_gradient_, gradient_);
      theta_gradient_ = VectorView(gradient_.data(), gradient_.size());
      prior_.add_gradient(theta_, theta_gradient_);
      frame_.pull_back(theta_gradient_, point.gradient);
    }
  }

 private:
  static constexpr std::size_t kBlockRows = 256;

  [[nodiscard]] double add_block(RowRange range, Order order) noexcept {
    const auto count = static_cast<Index>(range.size());
    RowMatrixView eta(eta_.data(), count, eta_.cols());
    RowMatrixView slopes(slopes_.data(), count, slopes_.cols());
    data_.predict(range, folded_, eta);
    double sum = 0.0;
    counter_.query(range.size(), [&](std::size_t i) {
      const std::size_t n = range.first + i;
      const auto row = static_cast<Index>(i);
      double* slope = order == Order::kGradient ? &slopes(row, 0) : nullptr;
      sum += data_.weight(n) * evaluate_likelihood(model_, &eta(row, 0), data_.response(n), slope);
      if (order == Order::kGradient) {
        slopes.row(row) *= data_.weight(n);
      }
    });
    if (order == Order::kGradient) {
      data_.add_slopes(range, ConstRowMatrixView(slopes_.data(), count, slopes_.cols()),
                       folded_gradient_);
    }
    return sum;
  }

  const M& model_;
  const Prior& prior_;
  const Dataset& data_;

  Vector theta_;
  Vector theta_gradient_;
  Matrix gradient_;
  Matrix folded_;
  Matrix folded_gradient_;
  RowMatrix eta_;
  RowMatrix slopes_;
};

}  // namespace flymc
