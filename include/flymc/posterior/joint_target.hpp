// The joint density of theta and z, the heart of Firefly Monte Carlo:
//
//   log p(theta, z | x) = log prior(theta) + sum_n log B_n(theta)
//                         + sum over bright n of log(L_n/B_n - 1)
//                         + sum over beacons n of log L_n,
//
// the first sum over all data but the beacons. Only bright data and beacons are evaluated. Summing
// z out returns the full-data posterior exactly. Told as a sum of terms, each with its force:
//
//   dark_target.hpp  with every coin dark: Gaussian part, prior, beacons
//   bright_term.hpp  log(L/B - 1) of bright data
//   region_term.hpp  what the bounds of a wider shell add
//
// while the coins (coins.hpp) keep z. One instance a chain; the setting is shared.
// See docs/method/paper.md, The augmentation.
#pragma once

#include <memory>
#include <span>
#include <utility>

#include "flymc/detail/posterior/bright_term.hpp"
#include "flymc/detail/posterior/coins.hpp"
#include "flymc/detail/posterior/dark_target.hpp"
#include "flymc/detail/posterior/joint_setting.hpp"
#include "flymc/detail/posterior/region_term.hpp"

namespace flymc {

template <BoundedLikelihood M>
class JointTarget final : public DarkTarget<M>, public Brightable {
 public:
  explicit JointTarget(std::shared_ptr<const JointSetting<M>> setting)
      : DarkTarget<M>(std::shared_ptr<const DarkSetting<M>>(setting, &setting->dark)),
        setting_(std::move(setting)),
        coins_(*setting_),
        bright_(*setting_),
        region_(*setting_) {}

  JointTarget(const M& model, const Prior& prior, const Dataset& data, const Bounds& bounds,
              const Frame& frame)
      : JointTarget(std::make_shared<const JointSetting<M>>(model, prior, data, bounds, frame)) {}

  [[nodiscard]] std::size_t rows() const noexcept override { return coins_.rows(); }
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

  [[nodiscard]] std::span<const double> query(const Point& current,
                                              std::span<const Datum> data) override {
    return coins_.query(current, data.empty() ? 0 : shell_of(current), data, this->counter_);
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
    this->assemble(current, order);
  }

  [[nodiscard]] const Rates& rates() const noexcept { return setting_->bounds.coins.rates; }
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

 private:
  void evaluate_coins(Point& point, Order order) override {
    gather_new();
    const int shell = shell_of(point);
    bright_.evaluate(point, shell, order, this->counter_);
    region_.evaluate(point, shell, order, this->counter_);
  }
  void gather_new() {
    if (bright_.size() == bright_count()) {
      return;
    }
    coins_.fetch_bright(bright_.size());
    while (bright_.size() < bright_count()) {
      bright_.append(bright_at(bright_.size()), coins_.bright_row(bright_.size()));
    }
  }
  [[nodiscard]] int shell_of(const Point& point) noexcept {
    return setting_->bounds.tangents.shells.outermost() == 0
               ? 0
               : setting_->finder.shell(point.zeta,
                                        this->frame_.posterior_norm(point.zeta, this->theta_));
  }

  std::shared_ptr<const JointSetting<M>> setting_;
  Coins<M> coins_;
  BrightTerm<M> bright_;
  RegionTerm<M> region_;
};

}  // namespace flymc
