// The joint density of theta and z, the heart of Firefly Monte Carlo:
//
//   log p(theta, z | x) = log prior(theta) + sum_n log B_n(theta)        the baseline, collapsed
//                         + sum over bright n of log(L_n/B_n - 1)
//                         + sum over beacons n of log L_n,
//
// the first sum over all data but the beacons. Only bright data and beacons are evaluated. Summing
// z out returns the full-data posterior exactly. One instance a chain; the setting is shared.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include "flymc/detail/family/tangent.hpp"
#include "flymc/detail/posterior/bright_rows.hpp"
#include "flymc/detail/posterior/bright_set.hpp"
#include "flymc/detail/posterior/framed_density.hpp"
#include "flymc/detail/posterior/full_sum.hpp"
#include "flymc/detail/posterior/joint_setting.hpp"

namespace flymc {

template <BoundedLikelihood M>
class JointTarget final : public FramedDensity, public Brightable, public SplitDensity {
 public:
  explicit JointTarget(std::shared_ptr<const JointSetting<M>> setting)
      : FramedDensity(setting->frame),
        setting_(std::move(setting)),
        bounds_(setting_->bounds),
        set_(setting_->data.rows(), with_positions(setting_->data)),
        bright_(setting_->row_shape(bounds_.tangent_shells())),
        delta_(frame_.dimension()),
        theta_(frame_.dimension()),
        theta_gradient_(frame_.dimension()),
        raw_(setting_->data.columns()),
        row_(setting_->data.columns()),
        curvature_(static_cast<std::size_t>(2 * bounds_.pairs)),
        remote_rows_(setting_->data, bounds_, bounds_.rates.held()),
        full_(setting_->data, bounds_.predictors) {}

  JointTarget(const M& model, const Prior& prior, const Dataset& data, const Bounds& bounds,
              const Frame& frame)
      : JointTarget(std::make_shared<const JointSetting<M>>(model, prior, data, bounds, frame)) {}

  // Density
  void evaluate(Point& point, Order order) override {
    evaluate_bright(point, order);
    if (setting_->baseline.has_remainder()) {
      evaluate_prior(point, order);
    }
    if (setting_->beacons.size() > 0) {
      set_levels(point, 1, 0.0);
      evaluate_beacons(point, kFirstLevel, 0, setting_->beacons.size(), order);
    }
    assemble(point, order);
  }
  [[nodiscard]] SplitDensity* split() noexcept override {
    return frame_.is_oscillator() ? this : nullptr;
  }

  // SplitDensity
  [[nodiscard]] const Vector& squared_frequencies() const noexcept override {
    return setting_->baseline.squared_frequencies();
  }
  [[nodiscard]] const Vector& pull() const noexcept override { return setting_->baseline.pull(); }
  [[nodiscard]] double prior_kink() const noexcept override { return setting_->baseline.kink(); }
  [[nodiscard]] std::size_t beacon_count() const noexcept override {
    return setting_->beacons.size();
  }
  [[nodiscard]] std::size_t beacons_within(double leverage) const noexcept override {
    const auto& all = setting_->beacon_leverage;
    return static_cast<std::size_t>(std::upper_bound(all.begin(), all.end(), leverage) -
                                    all.begin());
  }
  void evaluate_bright(Point& point) override { evaluate_bright(point, Order::kGradient); }
  void evaluate_prior(Point& point) override { evaluate_prior(point, Order::kGradient); }
  void set_levels(Point& point, Index levels, double step) const override {
    point.level_step = step;
    resize(point, kFirstLevel + levels);
  }
  void evaluate_beacons(Point& point, Index part, std::size_t first, std::size_t last) override {
    evaluate_beacons(point, part, first, last, Order::kGradient);
  }
  void finish(Point& point) noexcept override { assemble(point, Order::kValue); }

  // Brightable
  [[nodiscard]] std::size_t rows() const noexcept override { return set_.rows(); }
  [[nodiscard]] std::size_t bright_count() const noexcept override { return set_.bright_count(); }
  [[nodiscard]] Datum bright_at(std::size_t slot) const noexcept override {
    return set_.bright_at(slot);
  }
  [[nodiscard]] bool is_bright(Datum datum) const noexcept override {
    return set_.is_bright(datum);
  }
  [[nodiscard]] std::size_t slot_of(Datum bright) const noexcept override {
    return set_.slot_of(bright);
  }
  [[nodiscard]] const Rates& rates() const noexcept { return bounds_.rates; }
  void draw_hits(double scale, Stream& stream, Buffer<Datum>& hits) override;
  [[nodiscard]] double bright_rate(std::size_t slot) const noexcept override {
    return bright_.rate(slot);
  }
  [[nodiscard]] double queried_rate(std::size_t i) const noexcept override {
    return probe_rates_[i];
  }
  [[nodiscard]] double rate_scale(const Point& current) override;

  [[nodiscard]] std::span<const double> query(const Point& current,
                                              std::span<const Datum> data) override;
  // Rows are gathered together, before they are next needed: one message for all of a sweep.
  void brighten(Point& current, std::size_t i) override {
    set_.brighten(probed_[i]);
    current.log_factors.push_back(probe_factors_[i]);
    const double* slopes = probe_slopes_.data() + i * width();
    current.slopes.insert(current.slopes.end(), slopes, slopes + width());
  }
  void darken(Point& current, std::size_t slot) override {
    gather_new();
    set_.darken(slot);
    bright_.remove(slot);
    remove_slot(current.log_factors, slot, 1);
    remove_slot(current.slopes, slot, width());
  }
  void restore(std::span<const Datum> bright) override {
    for (const Datum n : bright) {
      set_.brighten(n);
    }
    gather_new();
  }
  void refresh(Point& current, Order order) override {
    gather_new();
    at_hand_ = false;
    sum_bright(current, order);
    assemble(current, order);
  }

 private:
  // Of many ranks' rows a map of the bright ones will do: nothing a row.
  [[nodiscard]] static RowRange with_positions(const Dataset& data) noexcept {
    return data.shard().is_split() ? RowRange{} : data.shard().mine();
  }
  [[nodiscard]] std::size_t width() const noexcept {
    return static_cast<std::size_t>(bounds_.predictors);
  }
  [[nodiscard]] Eigen::Map<const Matrix> as_matrix(const Vector& theta) const noexcept {
    return {theta.data(), setting_->data.columns(), bounds_.predictors};
  }
  [[nodiscard]] int shell_of(const Point& point) noexcept {
    return bounds_.radii.empty() ? 0 : bounds_.shell_of(frame_.posterior_norm(point.zeta, theta_));
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

  void evaluate_bright(Point& point, Order order);
  void evaluate_region(Point& point, int shell, Order order);
  void evaluate_prior(Point& point, Order order);
  void evaluate_beacons(Point& point, Index part, std::size_t first, std::size_t last, Order order);
  [[nodiscard]] double exact_region(const Point& point, Vector* gradient);
  template <Order order>
  [[nodiscard]] double bright_factor(const Tangent& tangent, const BrightRows::Facts& facts,
                                     const double* u, double* slopes) const noexcept;
  void predict(const BrightRows& from, std::size_t first, std::size_t last, const Point& point);
  void set_force(const ConstRowMatrixView& rows, const double* slopes, Point& point, Index part);
  void sum_bright(Point& point, Order order) noexcept;
  void assemble(Point& point, Order order) noexcept;
  void probe(std::size_t i, int shell);
  void share_probes();
  void gather_new();
  [[nodiscard]] bool is_split() const noexcept { return setting_->data.shard().is_split(); }

  std::shared_ptr<const JointSetting<M>> setting_;
  const Bounds& bounds_;
  BrightSet set_;
  BrightRows bright_;

  Vector delta_;
  Vector theta_;
  Vector theta_gradient_;
  Vector raw_;
  Vector row_;
  Buffer<double> curvature_;
  Buffer<double> u_;
  Buffer<double> beacon_slopes_;
  Buffer<Datum> probed_;
  Buffer<double> probe_factors_;
  Buffer<double> probe_slopes_;
  Buffer<double> probe_rates_;
  Buffer<Rates::Hit> hits_;
  bool at_hand_ = false;  // what is queried: hits, which came with their records
  RemoteRows remote_rows_;
  FullSum full_;
};

}  // namespace flymc

#include "flymc/detail/posterior/joint_target_coins.hpp"  // IWYU pragma: export
