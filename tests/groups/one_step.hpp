// One-step stationarity: theta from the posterior, z given theta, one step; what is there before
// and after has the same law. It needs no mixing, and sees each move by itself, or a whole
// iteration of a chain, with its sweeps over coins.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <tuple>
#include <utility>
#include <vector>

#include "groups/chain_moments.hpp"

namespace flymc::test {

// A chain of all rows, whose moments quadrature tests have checked, thinned.
template <class Setting>
std::vector<Vector> posterior_draws(const Setting& all_rows, std::size_t draws) {
  std::uint64_t queries = 0;
  const GroupTuning tuning = tune_groups(all_rows, 1, queries);
  const Streams streams{23, 0};
  ChainParts parts = make_group_parts(all_rows, tuning, streams);
  const Density& target = *parts.density;
  ChainCore chain(std::move(parts), group_start(all_rows, tuning, streams.at(1, Purpose::kInit)));
  std::vector<Vector> out(draws);
  for (int i = 0; i < 2000; ++i) {
    std::ignore = chain.iterate({});
  }
  for (Vector& theta : out) {
    for (int i = 0; i < 4; ++i) {
      std::ignore = chain.iterate({});
    }
    target.to_theta(chain.current(), theta);
  }
  return out;
}

// Coins given theta: bright with probability 1 - B/L, of log(L/B - 1) = f that is 1/(1 + e^-f).
// Returns the bright rows.
template <class Target>
std::vector<Datum> throw_coins(Target& target, const RowBounds& bounds, const Point& point,
                               Stream& stream) {
  std::vector<Datum> rows, bright;
  for (std::size_t n = 0; n < bounds.rows(); ++n) {
    if (bounds.kind[n] != RowBound::kBeacon) {
      rows.push_back(n);
    }
  }
  const std::span<const double> factors = target.query(point, rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (stream.uniform() < 1.0 / (1.0 + std::exp(-factors[i]))) {
      bright.push_back(rows[i]);
    }
  }
  target.relight(bright);
  return bright;
}

// Every coordinate, its square, and its product with the first and the last.
inline std::vector<double> statistics_of(const Vector& theta) {
  std::vector<double> out;
  for (const double value : theta) {
    out.insert(out.end(),
               {value, value * value, value * theta[0], value * theta[theta.size() - 1]});
  }
  return out;
}

// Mean changes of numbers that have the same law before and after, by batches of neighbours.
class MeanChanges {
 public:
  explicit MeanChanges(std::size_t draws) : draws_(draws) {}

  void add(const std::vector<double>& before, const std::vector<double>& after) {
    changes_.resize(before.size(), exact::BatchMean(draws_));
    for (std::size_t k = 0; k < before.size(); ++k) {
      changes_[k].add(after[k] - before[k]);
    }
  }
  // Prints the largest z where chains are long.
  void expect_none() const {
    double most = 0.0;
    for (std::size_t k = 0; k < changes_.size(); ++k) {
      const double off = std::abs(changes_[k].mean()), error = changes_[k].standard_error();
      EXPECT_LE(off, kMostZ * error + 1e-9) << "statistic " << k;
      most = std::max(most, off / (error + 1e-9));
    }
    if (std::getenv("FLYMC_LONG") != nullptr) {
      std::printf("%6.2f\n", most);
    }
  }

 private:
  std::size_t draws_;
  std::vector<exact::BatchMean> changes_;
};

// `draws` are of the posterior of `setting`.
template <class Target, class Moves, class Setting, class MoveSet>
void expect_stationary(const Setting& setting, const std::vector<Vector>& draws,
                       const MoveSet& moves, void (*amend)(GroupTuning&) = given_coins) {
  std::uint64_t queries = 0;
  GroupTuning tuning = tune_groups(setting, 1, queries);
  amend(tuning);
  MeanChanges changes(draws.size());
  for (std::size_t i = 0; i < draws.size(); ++i) {
    Stream stream(29, 0, Purpose::kTest, i);
    Target target(setting);
    Moves kernel(target, tuning, moves);
    Point point(target.dimension());
    target.from_theta(draws[i], point);
    std::ignore = throw_coins(target, setting.bounds, point, stream);
    target.evaluate(point, Order::kValue);
    std::ignore = kernel.step(target, point, {}, stream);
    Vector after;
    target.to_theta(point, after);
    changes.add(statistics_of(draws[i]), statistics_of(after));
  }
  changes.expect_none();
}

// How a point stands to its coins and regions: rows that are bright, and of these those outside;
// levels outside, and whether what all rows share is.
using Standing = std::array<double, 4>;
inline Standing standing_of(GroupTarget& target, const Point& point) {
  const GroupCoefficients& at = target.place(point).at;
  Standing out{static_cast<double>(target.bright_count()), 0.0,
               static_cast<double>(std::ranges::count(at.outside, 1)),
               at.fixed.outside ? 1.0 : 0.0};
  const GroupSetting& setting = target.setting();
  for (std::size_t slot = 0; slot < target.bright_count(); ++slot) {
    const Datum n = target.bright_at(slot);
    const bool outside = at.outside[setting.problem.grouping.level(n)] != 0;
    out[1] += outside && !setting.bounds.is_global(n) ? 1.0 : 0.0;
  }
  return out;
}
inline Standing standing_of(CrossedTarget& target, const Point& point) {
  const CrossedPlace& at = target.take_place(point);
  Standing out{static_cast<double>(target.bright_count()), 0.0,
               static_cast<double>(std::ranges::count(at.outside, 1)),
               at.common_outside ? 1.0 : 0.0};
  for (std::size_t i = target.beacons(); i < target.active(); ++i) {
    const bool outside = target.is_outside(target.members_of(i), at);
    out[1] += outside && target.active(i).kind == RowBound::kLocal ? 1.0 : 0.0;
  }
  return out;
}

// The same for an iteration as the chain makes it, three sweeps over the coins and then the moves
// (none: the coins alone). Of coins: how they stand, and the bright rows times the statistics
// above.
template <class Target, class Setting, class MoveSet>
void expect_stationary_iteration(const Setting& setting, const std::vector<Vector>& draws,
                                 const MoveSet& moves, void (*amend)(GroupTuning&) = given_coins) {
  std::uint64_t queries = 0;
  GroupTuning tuning = tune_groups(setting, 1, queries);
  amend(tuning);
  ChainParts parts = make_group_parts(setting, tuning, Streams{31, 0}, moves);
  auto& target = static_cast<Target&>(*parts.density);
  ChainCore chain(std::move(parts), draws.front());
  Target start(setting);
  const auto statistics = [](Target& of, const Point& point) {
    Vector theta;
    of.to_theta(point, theta);
    const std::vector<double> of_theta = statistics_of(theta);
    const Standing standing = standing_of(of, point);
    std::vector<double> out(standing.begin(), standing.end());
    for (const double value : of_theta) {
      out.insert(out.end(), {value, value * standing[0]});
    }
    return out;
  };
  MeanChanges changes(draws.size());
  Point point(start.dimension());
  for (std::size_t i = 0; i < draws.size(); ++i) {
    Stream stream(37, 0, Purpose::kTest, i);
    start.from_theta(draws[i], point);
    const std::vector<Datum> bright = throw_coins(start, setting.bounds, point, stream);
    start.evaluate(point, Order::kValue);
    const std::vector<double> before = statistics(start, point);
    chain.restore({point, bright, i, {}});
    std::ignore = chain.iterate({});
    changes.add(before, statistics(target, chain.current()));
  }
  changes.expect_none();
}

}  // namespace flymc::test
