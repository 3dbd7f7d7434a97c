// One-step stationarity: theta from the posterior, z given theta, one step; what is there before
// and after has the same law. It needs no mixing, and sees each move by itself.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
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
template <class Target>
void throw_coins(Target& target, const RowBounds& bounds, const Point& point, Stream& stream) {
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
  target.restore(bright);
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

// |z| of each mean change, by batches of neighbours. `draws` are of the posterior of `setting`.
template <class Target, class Moves, class Setting, class MoveSet>
void expect_stationary(const Setting& setting, const std::vector<Vector>& draws,
                       const MoveSet& moves, void (*amend)(GroupTuning&) = given_coins) {
  std::uint64_t queries = 0;
  GroupTuning tuning = tune_groups(setting, 1, queries);
  amend(tuning);
  std::vector<exact::BatchMean> changes;
  for (std::size_t i = 0; i < draws.size(); ++i) {
    Stream stream(29, 0, Purpose::kTest, i);
    Target target(setting);
    Moves kernel(target, tuning, moves);
    Point point(target.dimension());
    target.from_theta(draws[i], point);
    throw_coins(target, setting.bounds, point, stream);
    target.evaluate(point, Order::kValue);
    std::ignore = kernel.step(target, point, {}, stream);
    Vector after;
    target.to_theta(point, after);
    const std::vector<double> then = statistics_of(after), now = statistics_of(draws[i]);
    changes.resize(now.size(), exact::BatchMean(draws.size()));
    for (std::size_t k = 0; k < now.size(); ++k) {
      changes[k].add(then[k] - now[k]);
    }
  }
  for (std::size_t k = 0; k < changes.size(); ++k) {
    EXPECT_LE(std::abs(changes[k].mean()), kMostZ * changes[k].standard_error() + 1e-9)
        << "statistic " << k;
  }
}

}  // namespace flymc::test
