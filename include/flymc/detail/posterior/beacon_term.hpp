// The beacons' term of the joint density: exact factors,
//   sum over beacons n of log L_n,
// less the parabola of those that left one in the Gaussian part. A log likelihood less its parabola
// is a gap whose curvature is the information.
#pragma once

#include <algorithm>
#include <cstddef>

#include "flymc/detail/family/tangent.hpp"
#include "flymc/detail/posterior/bright_rows.hpp"
#include "flymc/detail/posterior/dark_setting.hpp"
#include "flymc/detail/posterior/query.hpp"
#include "flymc/detail/posterior/row_products.hpp"

namespace flymc {

// The rows are the setting's, shared by all chains.
template <BoundedLikelihood M>
class BeaconTerm {
 public:
  explicit BeaconTerm(const DarkSetting<M>& setting)
      : setting_(setting), products_(setting.frame, setting.data.design()) {}

  [[nodiscard]] std::size_t size() const noexcept { return setting_.beacons.size(); }
  // They are sorted by leverage: how many have at most this one.
  [[nodiscard]] std::size_t within(double leverage) const noexcept {
    const auto& all = setting_.beacon_leverage;
    return static_cast<std::size_t>(std::upper_bound(all.begin(), all.end(), leverage) -
                                    all.begin());
  }

  // Some of them, as one part of the point.
  void evaluate(Point& point, Index part, RowRange some, Order order, QueryCounter& counter) {
    double* const all_u = products_.predict(setting_.beacons, some, point.zeta);
    slopes_.resize(std::max(slopes_.size(), some.size() * width()));
    double sum = 0.0;
    counter.query(some.size(), [&](std::size_t i) {
      const std::size_t slot = some.first + i;
      const double weight = setting_.beacons.weight(slot);
      double* slopes = slopes_.data() + i * width();
      sum += weight * log_factor(slot, all_u + i * width(), slopes);
      for (std::size_t k = 0; k < width(); ++k) {
        slopes[k] *= weight;
      }
    });
    point.parts[part] = sum;
    if (order == Order::kGradient) {
      products_.force(setting_.beacons, some, slopes_.data(), point.forces.col(part));
    }
  }

 private:
  [[nodiscard]] std::size_t width() const noexcept { return setting_.beacons.predictors(); }

  // Of weight one; overwrites u.
  [[nodiscard]] double log_factor(std::size_t slot, double* u, double* slopes) const noexcept {
    const BrightRows& beacons = setting_.beacons;
    const Tangent tangent = beacons.tangent(slot);
    if (slot < setting_.parabolic_beacons) {
      return evaluate_gap(setting_.model, tangent, beacons.memo(slot), u, slopes);
    }
    for (std::size_t k = 0; k < width(); ++k) {
      u[k] += tangent.anchor[k];
    }
    return evaluate_likelihood(setting_.model, u, tangent.response, slopes);
  }

  const DarkSetting<M>& setting_;
  RowProducts products_;
  Buffer<double> slopes_;
};

}  // namespace flymc
