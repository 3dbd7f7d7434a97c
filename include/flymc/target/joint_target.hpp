// The joint density of theta and z, the heart of Firefly Monte Carlo:
//
//   log p(theta, z | x) = log prior(theta) + sum_n log B_n(theta)  +  sum_{n bright} log(L_n/B_n -
//   1)
//                         \______________ baseline ______________/
//
// Only bright data are evaluated. Summing z out returns the full-data posterior exactly.
// One instance a chain; data, bounds, prior and frame are shared and must outlive it.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "flymc/core/error.hpp"
#include "flymc/data/dataset.hpp"
#include "flymc/model/tangent.hpp"
#include "flymc/target/baseline.hpp"
#include "flymc/target/bounds.hpp"
#include "flymc/target/bright_rows.hpp"
#include "flymc/target/bright_set.hpp"
#include "flymc/target/framed_density.hpp"

namespace flymc {

template <BoundedLikelihood M>
class JointTarget final : public FramedDensity, public Brightable {
 public:
  JointTarget(const M& model, const Prior& prior, const Dataset& data, const Bounds& bounds,
              const Frame& frame)
      : FramedDensity(frame),
        model_(model),
        data_(data),
        bounds_(bounds),
        baseline_(prior, bounds.collapsed, frame),
        set_(data.rows()),
        bright_(frame.is_oscillator() ? frame.dimension() : data.columns(), bounds.predictors),
        delta_(frame.dimension()),
        theta_(frame.dimension()),
        theta_gradient_(frame.dimension()),
        row_(data.columns()),
        folded_(data.folded_rows(), bounds.predictors),
        folded_anchor_(data.folded_rows(), bounds.predictors) {
    if (frame.is_oscillator() && bounds.predictors > 1) {
      throw Error(ErrorKind::kInternal, "JointTarget: an oscillator frame has one predictor.");
    }
    if (frame.anchor() != bounds.theta_hat) {  // u would be measured from two places: a bias
      throw Error(ErrorKind::kInternal, "JointTarget: frame and bounds have different anchors.");
    }
    data.fold(as_matrix(frame.anchor()), folded_anchor_);
  }

  void evaluate(Point& point, Order order) override {
    ++evaluations_;
    const std::size_t count = set_.bright_count();
    point.log_factors.resize(count);
    point.slopes.resize(count * width());
    predict_bright(point);
    if (order == Order::kGradient) {
      evaluate_factors<Order::kGradient>(point);
    } else {
      evaluate_factors<Order::kValue>(point);
    }
    assemble(point, order);
  }

  [[nodiscard]] std::size_t rows() const noexcept override { return set_.rows(); }
  [[nodiscard]] std::size_t bright_count() const noexcept override { return set_.bright_count(); }
  [[nodiscard]] Datum bright_at(std::size_t slot) const noexcept override {
    return set_.bright_at(slot);
  }
  [[nodiscard]] Datum dark_at(std::size_t index) const noexcept override {
    return set_.dark_at(index);
  }
  [[nodiscard]] bool is_bright(Datum datum) const noexcept override {
    return set_.is_bright(datum);
  }

  [[nodiscard]] std::size_t slot_of(Datum bright) const noexcept override {
    return set_.slot_of(bright);
  }

  [[nodiscard]] std::span<const double> query(const Point& current,
                                              std::span<const Datum> data) override {
    probed_.assign(data.begin(), data.end());
    probe_factors_.resize(data.size());
    probe_slopes_.resize(data.size() * width());
    u_.resize(std::max(u_.size(), width()));
    to_theta(current, theta_);
    data_.fold(as_matrix(theta_), folded_);
    counter_.query(data.size(), [&](std::size_t i) {
      const Datum n = probed_[i];
      const Tangent tangent = bounds_.tangent(n, data_.response(n));
      data_.predict_row(n, folded_, u_.data());
      for (std::size_t k = 0; k < width(); ++k) {
        u_[k] -= tangent.anchor[k];
      }
      probe_factors_[i] =
          bright_factor<Order::kGradient>(tangent, anchor_memo(model_, tangent), data_.weight(n),
                                          u_.data(), probe_slopes_.data() + i * width());
    });
    return probe_factors_;
  }

  void brighten(Point& current, std::size_t i) override {
    const Datum n = probed_[i];
    set_.brighten(n);
    gather(n);
    current.log_factors.push_back(probe_factors_[i]);
    const double* slopes = probe_slopes_.data() + i * width();
    current.slopes.insert(current.slopes.end(), slopes, slopes + width());
  }

  void darken(Point& current, std::size_t slot) noexcept override {
    set_.darken(slot);
    bright_.remove(slot);
    remove_slot(current.log_factors, slot, 1);
    remove_slot(current.slopes, slot, width());
  }

  void restore(std::span<const Datum> bright) override {
    for (const Datum n : bright) {
      set_.brighten(n);
      gather(n);
    }
  }

  void refresh(Point& current, Order order) noexcept override { assemble(current, order); }

 private:
  [[nodiscard]] std::size_t width() const noexcept {
    return static_cast<std::size_t>(predictor_count(model_));
  }
  [[nodiscard]] Eigen::Map<const Matrix> as_matrix(const Vector& theta) const noexcept {
    return {theta.data(), data_.columns(), bounds_.predictors};
  }

  // log(L/B - 1) of one datum and its derivative in the predictors. A gap that rounds to zero or
  // below has density zero: the datum cannot be bright here.
  template <Order order>
  [[nodiscard]] double bright_factor(const Tangent& tangent, double memo, double weight,
                                     const double* u, double* slopes) const noexcept {
    double unused = 0.0;  // a slope nobody reads is not computed
    double* out = order == Order::kValue && ScalarLikelihood<M> ? &unused : slopes;
    const double gap = weight * evaluate_gap(model_, tangent, memo, u, out);
    if (!(gap > 0.0)) {
      return -std::numeric_limits<double>::infinity();
    }
    const LogExpm1 factor = log_expm1(gap);
    for (std::size_t k = 0; k < width(); ++k) {
      out[k] *= weight * factor.derivative;
    }
    return factor.value;
  }

  template <Order order>
  void evaluate_factors(Point& point) noexcept {
    counter_.query(bright_.size(), [&](std::size_t slot) {
      point.log_factors[slot] =
          bright_factor<order>(bright_.tangent(slot), bright_.memo(slot), bright_.weight(slot),
                               u_.data() + slot * width(), point.slopes.data() + slot * width());
    });
  }

  // u = predictor minus touching point, of all bright data.
  void predict_bright(const Point& point) {
    const auto count = static_cast<Index>(bright_.size());
    u_.resize(std::max(u_.size(), bright_.size() * width()));
    RowMatrixView u(u_.data(), count, bounds_.predictors);
    if (frame_.is_oscillator()) {
      u.col(0).noalias() = bright_.rows() * point.eta;
    } else {
      frame_.to_delta(point.eta, delta_);
      for (Index k = 0; k < u.cols(); ++k) {
        u.col(k).noalias() = bright_.rows() * as_matrix(delta_).col(k);
      }
    }
    if (count > 0) {
      u += ConstRowMatrixView(bright_.shift(0), count, u.cols());
    }
  }

  // Log density, and where asked the gradient, from the cached factors and slopes.
  void assemble(Point& point, Order order) noexcept {
    Vector* gradient = order == Order::kGradient
                           ? (frame_.is_oscillator() ? &point.gradient : &theta_gradient_)
                           : nullptr;
    if (frame_.is_oscillator()) {
      point.log_baseline = baseline_.at_eta(point.eta, gradient);
    } else {
      frame_.to_delta(point.eta, delta_);
      point.log_baseline = baseline_.at_delta(delta_, gradient);
    }
    if (gradient != nullptr) {
      add_bright_gradient(point, *gradient);
    }
    double sum = point.log_baseline;
    for (const double factor : point.log_factors) {
      sum += factor;
    }
    point.log_density = std::isnan(sum) ? -std::numeric_limits<double>::infinity() : sum;
  }

  void add_bright_gradient(Point& point, Vector& gradient) noexcept {
    const ConstRowMatrixView slopes(point.slopes.data(), static_cast<Index>(bright_.size()),
                                    bounds_.predictors);
    const Index d = bright_.rows().cols();
    for (Index k = 0; k < slopes.cols(); ++k) {
      gradient.segment(k * d, d).noalias() += bright_.rows().transpose() * slopes.col(k);
    }
    if (!frame_.is_oscillator()) {
      frame_.pull_back(gradient, point.gradient);
    }
  }

  // A datum's row enters the frame once, when it turns bright.
  void gather(Datum n) {
    const Tangent tangent = bounds_.tangent(n, data_.response(n));
    const auto slot = bright_.append(tangent, anchor_memo(model_, tangent), data_.weight(n));
    data_.predict_row(n, folded_anchor_, slot.shift);
    for (std::size_t k = 0; k < width(); ++k) {
      slot.shift[k] -= tangent.anchor[k];
    }
    if (frame_.is_oscillator()) {
      data_.copy_row(n, row_.data());
      frame_.pull_back(row_, theta_gradient_);
      std::copy_n(theta_gradient_.data(), theta_gradient_.size(), slot.row);
    } else {
      data_.copy_row(n, slot.row);
    }
  }

  const M& model_;
  const Dataset& data_;
  const Bounds& bounds_;
  Baseline baseline_;
  BrightSet set_;
  BrightRows bright_;

  Vector delta_;
  Vector theta_;
  Vector theta_gradient_;
  Vector row_;
  Matrix folded_;
  Matrix folded_anchor_;
  Buffer<double> u_;
  Buffer<Datum> probed_;
  Buffer<double> probe_factors_;
  Buffer<double> probe_slopes_;
};

}  // namespace flymc
