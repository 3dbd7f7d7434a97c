// The joint density of theta and z, the heart of Firefly Monte Carlo:
//
//   log p(theta, z | x) = log prior(theta) + sum_n log B_n(theta)
//                         + sum over bright n of log(L_n/B_n - 1)
//                         + sum over beacons n of log L_n,
//
// the first sum over all data but the beacons. Only bright data and beacons are evaluated. Summing
// z out returns the full-data posterior exactly. Told as a sum of terms, each with its force:
//
//   baseline.hpp     the Gaussian part: innermost shell's bounds, prior's and beacons' parabolas;
//                    and what a Laplace prior is more than its parabola
//   bright_term.hpp  log(L/B - 1) of bright data
//   region_term.hpp  what the bounds of a wider shell add
//   beacon_term.hpp  log L of beacons less their parabolas, by levels of leverage
//
// while the coins (coins.hpp) keep z. One instance a chain; the setting is shared.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include "flymc/detail/posterior/beacon_term.hpp"
#include "flymc/detail/posterior/bright_term.hpp"
#include "flymc/detail/posterior/coins.hpp"
#include "flymc/detail/posterior/framed_density.hpp"
#include "flymc/detail/posterior/joint_setting.hpp"
#include "flymc/detail/posterior/region_term.hpp"

namespace flymc {

template <BoundedLikelihood M>
class JointTarget final : public FramedDensity, public Brightable, public SplitDensity {
 public:
  explicit JointTarget(std::shared_ptr<const JointSetting<M>> setting)
      : FramedDensity(setting->frame),
        setting_(std::move(setting)),
        baseline_(setting_->baseline),
        coins_(*setting_),
        bright_(*setting_),
        region_(*setting_),
        beacons_(*setting_),
        delta_(frame_.dimension()),
        theta_(frame_.dimension()),
        theta_gradient_(frame_.dimension()) {}

  JointTarget(const M& model, const Prior& prior, const Dataset& data, const Bounds& bounds,
              const Frame& frame)
      : JointTarget(std::make_shared<const JointSetting<M>>(model, prior, data, bounds, frame)) {}

  // Density
  void evaluate(Point& point, Order order) override {
    evaluate_bright(point, order);
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
  void evaluate_bright(Point& point) override { evaluate_bright(point, Order::kGradient); }
  void evaluate_prior(Point& point) override { evaluate_prior(point, Order::kGradient); }
  void evaluate_beacons(Point& point, Index part, std::size_t first, std::size_t last) override {
    beacons_.evaluate(point, part, {first, last}, Order::kGradient, counter_);
  }
  void finish(Point& point) noexcept override { assemble(point, Order::kValue); }

  // Brightable
  [[nodiscard]] std::size_t rows() const noexcept override { return coins_.set().rows(); }
  [[nodiscard]] std::size_t bright_count() const noexcept override {
    return coins_.set().bright_count();
  }
  [[nodiscard]] Datum bright_at(std::size_t slot) const noexcept override {
    return coins_.set().bright_at(slot);
  }
  [[nodiscard]] bool is_bright(Datum datum) const noexcept override {
    return coins_.set().is_bright(datum);
  }
  [[nodiscard]] std::size_t slot_of(Datum bright) const noexcept override {
    return coins_.set().slot_of(bright);
  }
  [[nodiscard]] const Rates& rates() const noexcept { return setting_->bounds.rates; }
  void draw_hits(double scale, Stream& stream, Buffer<Datum>& hits) override {
    coins_.draw_hits(scale, stream, hits);
  }
  [[nodiscard]] double bright_rate(std::size_t slot) const noexcept override {
    return bright_.rate(slot);
  }
  [[nodiscard]] double queried_rate(std::size_t i) const noexcept override {
    return coins_.queried_rate(i);
  }
  [[nodiscard]] double rate_scale(const Point& current) override {
    return coins_.rate_scale(current);
  }
  [[nodiscard]] std::span<const double> query(const Point& current,
                                              std::span<const Datum> data) override {
    return coins_.query(current, data.empty() ? 0 : shell_of(current), data, counter_);
  }
  // Rows are gathered together, before they are next needed: one message for all of a sweep.
  void brighten(Point& current, std::size_t i) override { coins_.brighten(current, i); }
  void darken(Point& current, std::size_t slot) override {
    gather_new();
    coins_.darken(slot);
    bright_.remove(current, slot);
  }
  void restore(std::span<const Datum> bright) override {
    for (const Datum n : bright) {
      coins_.brighten(n);
    }
    gather_new();
  }
  void refresh(Point& current, Order order) override {
    gather_new();
    coins_.end_sweep();
    bright_.sum(current, order);
    assemble(current, order);
  }

 private:
  [[nodiscard]] int shell_of(const Point& point) noexcept {
    const Bounds& bounds = setting_->bounds;
    return bounds.radii.empty() ? 0 : bounds.shell_of(frame_.posterior_norm(point.zeta, theta_));
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
  void gather_new() {
    if (bright_.size() == bright_count()) {
      return;
    }
    coins_.fetch_bright(bright_.size());
    while (bright_.size() < bright_count()) {
      bright_.append(coins_.bright_row(bright_.size()));
    }
  }

  void evaluate_bright(Point& point, Order order) {
    ++evaluations_;
    if (point.parts.size() < kFirstLevel) {
      resize(point, kFirstLevel);
    }
    gather_new();
    const int shell = shell_of(point);
    bright_.evaluate(point, shell, order, counter_);
    region_.evaluate(point, shell, order, counter_);
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

  std::shared_ptr<const JointSetting<M>> setting_;
  const Baseline& baseline_;
  Coins<M> coins_;
  BrightTerm<M> bright_;
  RegionTerm<M> region_;
  BeaconTerm<M> beacons_;

  Vector delta_;
  Vector theta_;
  Vector theta_gradient_;
};

}  // namespace flymc
