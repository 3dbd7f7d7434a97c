// Per-datum tangents and their collapsed product:
//   log prod_n B_n = constant + linear.delta - 1/2 delta' S delta,   delta = theta - theta_hat,
// with S = sum_n w_n k_n x_n x_n' for one predictor, and (K I - 11') (x) gram for softmax, whose
// pairs all have the same weight (Boehning): kept in that Kronecker form.
//
// With e_n = y_n(theta_hat) - a_n (zero for MAP-tuned tangents):
//   linear = sum w (phi' - k e) x,   constant = sum w (phi + phi' e - k e^2 / 2).
// The linear term stays: at an anchor that is not exactly the MAP, dropping it is a bias.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "flymc/core/buffer.hpp"
#include "flymc/core/linalg.hpp"
#include "flymc/data/dataset.hpp"
#include "flymc/model/tangent.hpp"
#include "flymc/target/anchor.hpp"
#include "flymc/target/pass.hpp"

namespace flymc {

class Collapsed {
 public:
  Collapsed(double constant, Vector linear, Matrix gram, int predictors);

  // Value at delta; adds the gradient where one is given. `product` (sized like delta) receives
  // S delta. O(K D^2); allocates nothing.
  [[nodiscard]] double evaluate(const Vector& delta, Vector& product,
                                Vector* gradient) const noexcept;

  [[nodiscard]] double constant() const noexcept { return constant_; }
  [[nodiscard]] const Vector& linear() const noexcept { return linear_; }
  [[nodiscard]] Matrix precision() const;  // S, dense

 private:
  double constant_;
  Vector linear_;
  Matrix gram_;
  int predictors_;
};

enum class BoundKind { kMapTuned, kUntuned };

struct BoundOptions {
  BoundKind kind = BoundKind::kMapTuned;
  double xi = 0.0;  // untuned: where all tangents touch, in the model's own terms
  unsigned threads = 0;
};

// Immutable; shared by all chains. 16 bytes a datum for models with one predictor.
struct Bounds {
  int predictors = 1;
  Buffer<double> anchor;     // rows x predictors
  Buffer<double> curvature;  // one a datum, or a single common one
  Collapsed collapsed;
  Vector theta_hat;  // delta is measured from here
  std::uint64_t queries = 0;

  [[nodiscard]] Tangent tangent(std::size_t n, double response) const noexcept {
    return {anchor.data() + n * static_cast<std::size_t>(predictors),
            curvature.size() == 1 ? curvature[0] : curvature[n], response};
  }
};

namespace detail {

// One datum's share of the collapsed sums, unweighted; `slopes` receives phi' - A e.
template <BoundedLikelihood M>
[[nodiscard]] double collapse_datum(const M& model, const Tangent& t, const double* eta,
                                    double* slopes) noexcept {
  const int k = predictor_count(model);
  double value = evaluate_likelihood(model, t.anchor, t.response, slopes);
  double mean = 0.0;
  for (int j = 0; j < k; ++j) {
    mean += (eta[j] - t.anchor[j]) / k;
  }
  for (int j = 0; j < k; ++j) {
    const double e = eta[j] - t.anchor[j];
    const double bent = k == 1 ? t.curvature * e : t.curvature * k * (e - mean);
    value += slopes[j] * e - 0.5 * bent * e;
    slopes[j] -= bent;
  }
  return value;
}

}  // namespace detail

template <BoundedLikelihood M>
[[nodiscard]] Bounds make_bounds(const M& model, const Dataset& data, const Anchor& anchor,
                                 const BoundOptions& options) {
  const int k = predictor_count(model);
  const auto width = static_cast<std::size_t>(k);
  Buffer<double> anchors(data.rows() * width);
  Buffer<double> curvatures(BoundedVector<M> ? 1 : data.rows());
  const PassShape shape{.predictors = k, .grams = 1, .threads = options.threads};
  PassSums sums = run_pass(data, anchor.theta, shape, [&](PassBlock& block) {
    double value = 0.0;
    block.counter.query(block.range.size(), [&](std::size_t i) {
      const std::size_t n = block.range.first + i;
      const auto row = static_cast<Index>(i);
      double* touch = anchors.data() + n * width;
      if (options.kind == BoundKind::kUntuned) {
        untuned_anchor(model, data.response(n), options.xi, touch);
      } else {
        std::copy_n(&block.eta(row, 0), width, touch);
      }
      const double bend = tangent_curvature(model, touch, data.response(n));
      if constexpr (BoundedScalar<M>) {
        curvatures[n] = bend;
      }
      value += data.weight(n) * detail::collapse_datum(model, {touch, bend, data.response(n)},
                                                       &block.eta(row, 0), &block.slopes(row, 0));
      block.slopes.row(row) *= data.weight(n);
      block.weights(row, 0) = data.weight(n) * bend;
    });
    return value;
  });
  if constexpr (BoundedVector<M>) {
    curvatures[0] = model.curvature();
  }
  return {k,
          std::move(anchors),
          std::move(curvatures),
          Collapsed(sums.value, Eigen::Map<Vector>(sums.gradient.data(), sums.gradient.size()),
                    std::move(sums.grams[0]), k),
          anchor.theta,
          sums.queries};
}

}  // namespace flymc
