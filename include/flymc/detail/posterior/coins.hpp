// The coins z_n: which data are bright, and what a z-update asks of those that are dark. Given
// theta they are independent, bright with odds L_n/B_n - 1.
//
// A dark datum has no row gathered anywhere: it is read where it lies. Where rows are split over
// ranks each rank evaluates what it holds and all share the results; only the records of hits,
// drawn alike at every rank, travel first, and then every rank evaluates them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "flymc/detail/posterior/bright_factor.hpp"
#include "flymc/detail/posterior/bright_set.hpp"
#include "flymc/detail/posterior/joint_setting.hpp"
#include "flymc/detail/posterior/query.hpp"
#include "flymc/detail/posterior/remote_rows.hpp"

namespace flymc {

template <BoundedLikelihood M>
class Coins {
 public:
  explicit Coins(const JointSetting<M>& setting)
      : setting_(setting),
        dark_(setting.dark),
        tangents_(setting.bounds.tangents),
        rates_(setting.bounds.coins.rates),
        remote_rows_(dark_.data, tangents_, rates_.held()),
        delta_(dark_.frame.dimension()),
        raw_(dark_.data.columns()),
        row_(dark_.data.columns()),
        u_(width()),
        curvature_(static_cast<std::size_t>(2 * tangents_.pairs)) {}

  [[nodiscard]] std::size_t rows() const noexcept { return dark_.data.rows(); }
  [[nodiscard]] const BrightSet& set() const noexcept { return set_; }

  // What to multiply rates with at a position: they were made for a typical one. >= 1.
  [[nodiscard]] double rate_scale(const Point& current) {
    const double total = rates_.total();
    if (!(total > 0.0)) {
      return 1.0;
    }
    const double norm = dark_.frame.posterior_norm(current.zeta, delta_);
    const int shell = setting_.finder.shell(current.zeta, norm);
    double scale = std::max(1.0, norm * norm / static_cast<double>(dark_.frame.dimension()));
    if (shell > 0 && !tangents_.shells.is_exact(shell)) {
      scale *= std::max(
          1.0, dark_.baseline.expected_bright(shell) / setting_.bounds.coins.expected_bright);
    }
    scale *= setting_.bounds.coins.eagerness;
    constexpr double kLargest = 20.0;
    return std::max(1.0, std::min({scale, kLargest, static_cast<double>(rows()) / total}));
  }

  // Poisson(scale * total rate) data in proportion to their rates, at hand until the sweep ends.
  void draw_hits(double scale, Stream& stream, Buffer<Datum>& hits) {
    hits_.clear();
    for (std::uint64_t left = stream.poisson(scale * rates_.total()); left > 0; --left) {
      hits_.push_back(rates_.hit(stream));
    }
    remote_rows_.fetch_hits(rates_, hits_, hits);
    at_hand_ = true;
  }
  void end_sweep() noexcept { at_hand_ = false; }

  // log(L/B - 1) of dark data at a position in this shell; lives until the next query.
  [[nodiscard]] std::span<const double> query(const Point& current, int shell,
                                              std::span<const Datum> data, QueryCounter& counter) {
    probed_.assign(data.begin(), data.end());
    factors_.resize(data.size());
    slopes_.resize(data.size() * width());
    probed_rates_.resize(data.size());
    if (data.empty()) {
      return factors_;
    }
    dark_.frame.to_delta(current.zeta, delta_);
    counter.query(data.size(), [&](std::size_t i) {
      if (at_hand_ || dark_.data.shard().holds(probed_[i])) {
        probe(i, shell);
      }
    });
    if (is_split() && !at_hand_) {
      share_probes();
    }
    return factors_;
  }
  // Of number `i` of the last query.
  [[nodiscard]] double queried_rate(std::size_t i) const noexcept { return probed_rates_[i]; }

  // Lights number `i` of the last query; the point takes over what the query found.
  void brighten(Point& current, std::size_t i) {
    set_.brighten(probed_[i]);
    current.log_factors.push_back(factors_[i]);
    const double* slopes = slopes_.data() + i * width();
    current.slopes.insert(current.slopes.end(), slopes, slopes + width());
  }
  void brighten(Datum n) { set_.brighten(n); }
  void darken(std::size_t slot) noexcept { set_.darken(slot); }

  // Brings the rows of the bright slots from `first` on to hand: one message for all of a sweep.
  void fetch_bright(std::size_t first) {
    if (!is_split() || at_hand_) {
      return;
    }
    std::vector<Datum> fresh;
    for (std::size_t slot = first; slot < set_.bright_count(); ++slot) {
      fresh.push_back(set_.bright_at(slot));
    }
    remote_rows_.fetch(fresh);
  }
  // REQUIRES: fetched. Lives until the next call.
  [[nodiscard]] RemoteRow bright_row(std::size_t slot) noexcept {
    return remote_rows_.at(set_.bright_at(slot), raw_.data());
  }

 private:
  [[nodiscard]] bool is_split() const noexcept { return dark_.data.shard().is_split(); }
  [[nodiscard]] std::size_t width() const noexcept {
    return static_cast<std::size_t>(tangents_.predictors);
  }

  // log(L/B - 1) of one dark datum.
  void probe(std::size_t i, int shell) {
    const RemoteRow n = remote_rows_.at(probed_[i], raw_.data());
    double* slopes = slopes_.data() + i * width();
    const BrightRows::Facts facts = setting_.facts(n);
    probed_rates_[i] = facts.rate;
    const bool never_dark = n.rate && n.rate->is_beacon();
    if (never_dark || tangents_.shells.is_exact(shell)) {
      std::fill_n(slopes, width(), 0.0);
      factors_[i] =
          never_dark ? -std::numeric_limits<double>::infinity() : log_expm1(facts.slack).value;
      return;
    }
    shell_curvature(dark_.model, tangents_, n.touch(), shell, curvature_.data() + tangents_.pairs,
                    curvature_.data());
    dark_.gatherer.shift(n, u_.data());
    dark_.data.standardise(n.row.raw, row_.data());
    dark_.data.design().add_products(row_.data(), delta_.data(), tangents_.predictors, u_.data());
    factors_[i] = bright_factor<Order::kGradient>(
        dark_.model, {n.touch_point, curvature_.data(), n.row.response}, facts, u_.data(), slopes);
  }

  // What other ranks hold they have evaluated.
  void share_probes() {
    const std::size_t record = 1 + width();
    std::size_t i = 0;  // rows are written in the order asked
    const Buffer<double> all =
        collect_records(dark_.data.shard(), probed_, record, [&](std::size_t n, double* out) {
          while (probed_[i] != n) {
            ++i;
          }
          *out = factors_[i];
          std::copy_n(slopes_.data() + i * width(), width(), out + 1);
        });
    for (i = 0; i < probed_.size(); ++i) {
      factors_[i] = all[i * record];
      std::copy_n(all.data() + i * record + 1, width(), slopes_.data() + i * width());
    }
  }

  const JointSetting<M>& setting_;
  const DarkSetting<M>& dark_;
  const Tangents& tangents_;
  const Rates& rates_;
  BrightSet set_;
  RemoteRows remote_rows_;
  bool at_hand_ = false;  // what is queried and lit: hits, which came with their records
  Buffer<Rates::Hit> hits_;

  // Of the last query.
  Buffer<Datum> probed_;
  Buffer<double> factors_;
  Buffer<double> slopes_;
  Buffer<double> probed_rates_;

  Vector delta_;
  Vector raw_;
  Vector row_;
  Buffer<double> u_;
  Buffer<double> curvature_;
};

}  // namespace flymc
