// What FlyMC knows of every datum before a chain starts, in four parts:
//   tangents       where a datum's bound touches, bends and holds               (tangents.hpp)
//   Gaussian part  the product of all bounds, collapsed into one parabola       (collapsed.hpp)
//   beacons        data that never go dark
//   coins          of all others: how often each is looked at                   (rates.hpp)
// Immutable once made by make_bounds (global_bounds.hpp) or with_beacons (local_bounds.hpp); shared
// by all chains.
// See docs/method/engine.md, Shells.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "flymc/detail/posterior/coin_rate.hpp"
#include "flymc/detail/posterior/collapsed.hpp"
#include "flymc/detail/posterior/rates.hpp"
#include "flymc/detail/posterior/tangents.hpp"

namespace flymc {

// Data that are always evaluated. The first of them, which the posterior holds within a standard
// deviation of predictor, have their parabola in the Gaussian part; a wall is no parabola.
struct Beacons {
  std::vector<Datum> rows;  // by ascending leverage
  std::size_t parabolic_count = 0;

  [[nodiscard]] std::size_t size() const noexcept { return rows.size(); }
  [[nodiscard]] bool empty() const noexcept { return rows.empty(); }
  [[nodiscard]] std::span<const Datum> parabolic() const noexcept {
    return std::span(rows).first(parabolic_count);
  }
};

// Of the weighted z-update. Global bounds have none: their coins are thrown by other rules.
struct CoinRates {
  Rates rates;
  double slack_per_rate = 0.0;
  double expected_bright = 0.0;
  double eagerness = 1.0;  // how many times as often as their rates say coins are looked at

  [[nodiscard]] std::optional<CoinRate> of(Datum n) const noexcept {
    return rates.rows() > 0 ? std::optional(rates.at(n)) : std::nullopt;
  }
  // How much lower than its tangent a datum's bound lies: it keeps log(L/B - 1) off its pole.
  [[nodiscard]] double slack(std::optional<CoinRate> rate) const noexcept {
    return rate ? slack_per_rate * rate->value() : 0.0;
  }
  [[nodiscard]] double slack(Datum n) const noexcept { return slack(of(n)); }
};

struct Bounds {
  Tangents tangents;
  Collapsed light;     // the innermost shell's bounds of all data but beacons
  Collapsed gaussian;  // the same and the parabolas of beacons: the Gaussian part
  Beacons beacons;
  CoinRates coins;
  std::uint64_t queries = 0;
  unsigned threads = 0;  // for the sums of a wider shell, built on its first visit

  [[nodiscard]] bool is_beacon(Datum n) const noexcept {
    const std::optional<CoinRate> rate = coins.of(n);
    return rate && rate->is_beacon();
  }
};

}  // namespace flymc
