// A pass over rows that sums what an arrow is made of (arrow.hpp), level by level: what belongs to
// a level is summed by one thread, in one order; what belongs to all, by pieces of levels that
// depend on the table alone.
#pragma once

#include <vector>

#include "core/parallel.hpp"
#include "flymc/detail/core/interruption.hpp"
#include "groups/group_problem.hpp"

namespace flymc {

// What the sums of one piece of levels need for themselves: fixed effects are common to all.
struct PieceSums {
  Matrix s;
  Vector r;
  double value = 0.0;
  std::size_t beacons = 0;
};

// Adds a row of curvature k and slope s at the anchor.
inline void add_row(double k, double slope, const GroupReader& row, std::size_t level,
                    ArrowSums& sums, PieceSums& piece) {
  const std::size_t q = row.w().size();
  const std::size_t p = row.x().size();
  const double* const x = row.x().data();
  double* const d = sums.d.data() + level * q * q;
  double* const c = sums.c.data() + level * q * p;
  for (std::size_t i = 0; i < q; ++i) {
    const double wi = row.w()[i];
    const double kw = k * wi;
    sums.b[level * q + i] += slope * wi;
    for (std::size_t j = 0; j < q; ++j) {
      d[i * q + j] += kw * row.w()[j];
    }
    for (std::size_t j = 0; j < p; ++j) {
      c[i * p + j] += kw * x[j];
    }
  }
  for (std::size_t j = 0; j < p; ++j) {
    const double kx = k * x[j];
    piece.r[static_cast<Index>(j)] += slope * x[j];
    double* const column = piece.s.col(static_cast<Index>(j)).data();
    for (std::size_t i = j; i < p; ++i) {
      column[i] += kx * x[i];
    }
  }
}

// Calls visit(piece, reader, its sums) for every piece of levels. The sums are then whole, of
// slopes at the anchor; so are those that are returned.
template <class Visit>
[[nodiscard]] PieceSums sum_levels(const Dataset& data, const Grouping& grouping, unsigned threads,
                                   ArrowSums& sums, const Visit& visit) {
  poll_interruption();
  const Index p = data.columns();
  const std::vector<LevelRange> ranges = level_pieces(grouping);
  std::vector<PieceSums> pieces(ranges.size(), {Matrix::Zero(p, p), Vector::Zero(p), 0.0, 0});
  sums.clear();
  parallel_for(ranges.size(), threads, [&](std::size_t i) {
    GroupReader row(data, grouping);
    visit(ranges[i], row, pieces[i]);
  });
  PieceSums total{Matrix::Zero(p, p), Vector::Zero(p), 0.0, 0};
  for (const PieceSums& piece : pieces) {
    total.s += piece.s;
    total.r += piece.r;
    total.value += piece.value;
    total.beacons += piece.beacons;
  }
  sums.s = total.s;
  sums.r = total.r;
  return total;
}

}  // namespace flymc
