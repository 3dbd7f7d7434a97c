// The bounds of rows that belong to levels: what one row's bound is, whichever way levels lie, and
// how often its coin is thrown.
//   local    the tangent at the anchor that holds while the row's levels stay in their regions,
//            and L e^-slack where they do not;
//   global   a tangent that holds everywhere, where it expects the smaller gap. It may touch
//            elsewhere: for logistic rows at xi^2 = E eta^2;
//   beacon   none: always evaluated, against its parabola at the anchor.
// See docs/method/groups.md, A region for each level.
#pragma once

#include <cstdint>

#include "flymc/detail/posterior/rates.hpp"
#include "groups/scalar_model.hpp"

namespace flymc {

enum class RowBound : std::uint8_t { kLocal, kGlobal, kBeacon };

struct GroupOptions {
  double level_radius = 0.0;  // 0: by the number of rows
  double fixed_radius = 0.0;  // 0: by the number of fixed effects
  bool all_beacons = false;   // regular MCMC
  bool beacons = true;        // levels may be made beacons
  unsigned threads = 1;
};

struct RowBounds {
  explicit RowBounds(std::size_t rows) : touch(rows), curvature(rows), kind(rows) {}

  [[nodiscard]] double slack(std::size_t n) const noexcept {
    return slack_per_rate * rates.rate(n);
  }
  [[nodiscard]] bool is_global(std::size_t n) const noexcept {
    return kind[n] == RowBound::kGlobal;
  }
  [[nodiscard]] std::size_t rows() const noexcept { return touch.size(); }

  // Throws coins in proportion to the gaps that are expected; REQUIRES: kinds are known. None of
  // nothing: a scale near zero would freeze its rows.
  void set_rates(const Buffer<double>& expected_gaps, unsigned threads);

  Buffer<double> touch;
  Buffer<double> curvature;
  Buffer<RowBound> kind;
  Rates rates;
  double slack_per_rate = 0.0;
  double expected_bright = 0.0;
  std::size_t beacons = 0;  // rows
  int passes = 0;
  std::uint64_t queries = 0;
};

// E f(u), u ~ N(mean, sd^2), by three points.
template <class F>
double expected_value(double mean, double sd, const F& f) {
  return (1.0 - 2.0 * kCubatureWeight) * f(mean) +
         kCubatureWeight * (f(mean - kCubatureReach * sd) + f(mean + kCubatureReach * sd));
}

struct ChosenBound {
  RowBound kind = RowBound::kLocal;
  double touch = 0.0;
  double curvature = 0.0;
};
// The bound that expects the smaller gap of a row whose predictor is about eta, with this standard
// deviation, and within `radius` of it inside of its regions (infinite: no local bound is wanted).
[[nodiscard]] ChosenBound choose_bound(const ScalarModel& model, double response, double eta,
                                       double sd, double radius);

// Of a normal response: sigma would go to zero.
[[noreturn]] void throw_no_noise();

// The standard deviations that one row in all leaves, of q coordinates at a time.
[[nodiscard]] double default_level_radius(std::size_t rows, double coordinates);

}  // namespace flymc
