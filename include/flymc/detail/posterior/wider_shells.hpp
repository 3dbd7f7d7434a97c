// What a wider shell adds to the innermost one: its tangents bend more,
//   Delta_s = sum over coins n of w_n (k_ns - k_n0) x_n x_n',
// and leave more room for light. A pass over all rows, made on the first visit.
#pragma once

#include <vector>

#include "flymc/dataset.hpp"
#include "flymc/detail/posterior/pass.hpp"
#include "flymc/posterior/bounds.hpp"

namespace flymc {

struct OuterShell {
  Matrix precision;  // Delta_s, all parameters
  double expected_bright = 0.0;
};

// The seam between these sums, a template on the model, and what is compiled once. Crossed once a
// shell. Safe to share between threads.
class WiderShells {
 public:
  virtual ~WiderShells() = default;
  [[nodiscard]] virtual int tangent_count() const noexcept = 0;  // of shells with tangents
  [[nodiscard]] virtual double innermost_expected_bright() const noexcept = 0;
  // REQUIRES: 0 < shell < tangent_count().
  [[nodiscard]] virtual OuterShell make(int shell) const = 0;
};

// All three outlive this.
template <BoundedLikelihood M>
class ShellSums final : public WiderShells {
 public:
  ShellSums(const M& model, const Dataset& data, const Bounds& bounds)
      : model_(model), data_(data), bounds_(bounds) {}

  [[nodiscard]] int tangent_count() const noexcept override {
    return bounds_.tangents.shells.tangent_count();
  }
  [[nodiscard]] double innermost_expected_bright() const noexcept override {
    return bounds_.coins.expected_bright;
  }
  [[nodiscard]] OuterShell make(int shell) const override {
    const Tangents& tangents = bounds_.tangents;
    const PassShape shape{
        .predictors = tangents.predictors, .grams = tangents.pairs, .threads = bounds_.threads};
    const PassSums sums = run_pass(data_, tangents.theta_hat, shape,
                                   [&](PassBlock& block) { return add_block(shell, block); });
    return {sums.precision, bounds_.coins.expected_bright + sums.value};
  }

 private:
  [[nodiscard]] double add_block(int shell, PassBlock& block) const {
    const Tangents& tangents = bounds_.tangents;
    const auto pairs = static_cast<std::size_t>(tangents.pairs);
    std::vector<double> scratch(2 * pairs);
    double brighter = 0.0;
    block.slopes.setZero();
    for (std::size_t i = 0; i < block.range.size(); ++i) {
      const std::size_t n = block.range.first + i;
      double* weights = &block.weights(static_cast<Index>(i), 0);
      const Touch touch = tangents.touch(n, data_.response(n));
      shell_curvature(model_, tangents, touch, shell, scratch.data(), weights);
      shell_curvature(model_, tangents, touch, 0, scratch.data(), &scratch[pairs]);
      const double light = bounds_.is_beacon(static_cast<Datum>(n)) ? 0.0 : data_.weight(n);
      for (std::size_t p = 0; p < pairs; ++p) {
        weights[p] = light * (weights[p] - scratch[pairs + p]);
      }
      brighter += 0.5 * tangents.expected_bend(weights, touch.leverage);
    }
    return brighter;
  }

  const M& model_;
  const Dataset& data_;
  const Bounds& bounds_;
};

}  // namespace flymc
