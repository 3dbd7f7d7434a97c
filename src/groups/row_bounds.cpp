#include "groups/row_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "flymc/detail/core/special.hpp"
#include "flymc/error.hpp"

namespace flymc {

ChosenBound choose_bound(const ScalarModel& model, double response, double eta, double sd,
                         double radius) {
  ChosenBound best{RowBound::kBeacon, eta, 0.0};
  double least = std::numeric_limits<double>::infinity();
  const auto consider = [&](RowBound kind, double touch, double curvature) {
    if (!std::isfinite(curvature)) {
      return;
    }
    const ChosenBound bound{kind, touch, std::max(0.0, curvature)};
    const double gap = expected_value(eta - touch, sd, [&](double u) {
      return model.gap(bound.touch, bound.curvature, response, u);
    });
    if (gap < least) {
      least = gap;
      best = bound;
    }
  };
  consider(RowBound::kGlobal, eta, model.global_curvature(eta, response));
  const double spread = std::copysign(std::hypot(eta, sd), eta);
  consider(RowBound::kGlobal, spread, model.global_curvature(spread, response));
  if (std::isfinite(radius)) {
    consider(RowBound::kLocal, eta, model.local_curvature(eta, response, radius));
  }
  return best;
}

double default_level_radius(std::size_t rows, double coordinates) {
  const double tail = std::min(1e-3, 1.0 / static_cast<double>(rows));
  return std::sqrt(coordinates - 1.0) - normal_quantile(0.5 * tail);
}

void RowBounds::set_rates(const Buffer<double>& expected_gaps, unsigned threads) {
  constexpr double kPerGap = 1.65;
  constexpr double kSlackPerGap = 0.1;
  constexpr double kMost = 30.0;
  Buffer<float> stored(rows());
  double total = 0.0;
  for (std::size_t n = 0; n < rows(); ++n) {
    if (kind[n] == RowBound::kBeacon) {
      stored[n] = CoinRate::beacon().stored();
      continue;
    }
    stored[n] = static_cast<float>(std::clamp(kPerGap * expected_gaps[n], 1e-12, kMost));
    total += static_cast<double>(stored[n]);
  }
  const auto coins = static_cast<double>(std::max<std::size_t>(rows() - beacons, 1));
  const auto least = static_cast<float>(1e-4 * total / coins);
  for (float& rate : stored) {
    if (!CoinRate(rate).is_beacon()) {
      rate = std::max(rate, least);
    }
  }
  slack_per_rate = kSlackPerGap / kPerGap;
  expected_bright = total / kPerGap * (1.0 + kSlackPerGap);
  rates = Rates(std::move(stored), threads);
}

void throw_no_noise() {
  throw Error(ErrorKind::kData,
              "no mode was found for the group effects: columns and levels explain the response "
              "without noise, as far as doubles can tell; leave a term out.");
}

}  // namespace flymc
