// A density with every coin dark: a Gaussian part and what cannot go dark,
//
//   log p = Gaussian part + (log prior less its parabola) + sum over beacons of log L_n less
//   theirs,
//
// told in parts with their forces, so that split HMC can move by the Gaussian and kick by the rest.
// By itself the law of a surrogate; JointTarget adds the coins. One instance a chain.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "flymc/detail/posterior/beacon_term.hpp"
#include "flymc/detail/posterior/dark_setting.hpp"
#include "flymc/detail/posterior/framed_density.hpp"

namespace flymc {

template <BoundedLikelihood M>
class DarkTarget : public FramedDensity, public SplitDensity {
 public:
  explicit DarkTarget(std::shared_ptr<const DarkSetting<M>> setting)
      : FramedDensity(setting->frame),
        delta_(frame_.dimension()),
        theta_(frame_.dimension()),
        theta_gradient_(frame_.dimension()),
        setting_(std::move(setting)),
        baseline_(setting_->baseline),
        beacons_(*setting_) {}

  // Density
  void evaluate(Point& point, Order order) override {
    start_evaluation(point);
    evaluate_coins(point, order);
    if (baseline_.has_remainder()) {
      evaluate_prior(point, order);
    }
    if (beacons_.size() > 0) {
      set_levels(point, 1, 0.0);
      beacons_.evaluate(point, kFirstLevel, {0, beacons_.size()}, order, counter_);
    }
    assemble(point, order);
  }
  [[nodiscard]] SplitDensity* split() noexcept override {
    return frame_.is_oscillator() ? this : nullptr;
  }

  // SplitDensity
  [[nodiscard]] const Vector& squared_frequencies() const noexcept override {
    return baseline_.squared_frequencies();
  }
  [[nodiscard]] const Vector& pull() const noexcept override { return baseline_.pull(); }
  [[nodiscard]] double prior_kink() const noexcept override { return baseline_.kink(); }
  [[nodiscard]] std::size_t beacon_count() const noexcept override { return beacons_.size(); }
  [[nodiscard]] std::size_t beacons_within(double leverage) const noexcept override {
    return beacons_.within(leverage);
  }
  void set_levels(Point& point, Index levels, double step) const override {
    point.level_step = step;
    resize(point, kFirstLevel + levels);
  }
  void evaluate_bright(Point& point) override {
    start_evaluation(point);
    evaluate_coins(point, Order::kGradient);
  }
  void evaluate_prior(Point& point) override { evaluate_prior(point, Order::kGradient); }
  void evaluate_beacons(Point& point, Index part, std::size_t first, std::size_t last) override {
    beacons_.evaluate(point, part, {first, last}, Order::kGradient, counter_);
  }
  void finish(Point& point) noexcept override { assemble(point, Order::kValue); }

 protected:
  // The parts of the coins, kBrightPart and kRegionPart. All dark, in the innermost shell.
  virtual void evaluate_coins(Point& point, Order /*order*/) {
    point.parts[kBrightPart] = 0.0;
    point.forces.col(kBrightPart).setZero();
    baseline_.evaluate_region(0, point, delta_);
  }

  // Log density, and where asked the gradient, from the parts.
  void assemble(Point& point, Order order) noexcept {
    Vector* gradient = order == Order::kGradient ? &point.gradient : nullptr;
    const double sum = baseline_.gaussian(point.zeta, theta_, gradient) + point.parts.sum();
    if (gradient != nullptr) {
      for (Index part = 0; part < point.forces.cols(); ++part) {
        *gradient += point.forces.col(part);
      }
    }
    point.log_density = std::isnan(sum) ? -std::numeric_limits<double>::infinity() : sum;
  }

  Vector delta_;  // scratch, as the next two
  Vector theta_;
  Vector theta_gradient_;

 private:
  void start_evaluation(Point& point) {
    ++evaluations_;
    if (point.parts.size() < kFirstLevel) {
      resize(point, kFirstLevel);
    }
  }
  void resize(Point& point, Index parts) const {
    if (point.parts.size() != parts) {
      const Index before = std::min(point.parts.size(), parts);
      point.parts.conservativeResize(parts);
      point.forces.conservativeResize(frame_.dimension(), parts);
      point.parts.tail(parts - before).setZero();
      point.forces.rightCols(parts - before).setZero();
    }
  }
  void evaluate_prior(Point& point, Order order) {
    frame_.to_delta(point.zeta, delta_);
    Vector* gradient = order == Order::kGradient ? &theta_gradient_ : nullptr;
    point.parts[kPriorPart] = baseline_.remainder(delta_, theta_, gradient);
    if (gradient != nullptr) {
      frame_.pull_back(theta_gradient_, delta_);
      point.forces.col(kPriorPart) = delta_;
    }
  }

  std::shared_ptr<const DarkSetting<M>> setting_;
  const Baseline& baseline_;
  BeaconTerm<M> beacons_;
};

}  // namespace flymc
