// A pass over rows that sums what an arrow is made of (arrow.hpp): what belongs to a level is
// summed by one thread, in one order; what belongs to all, by pieces of levels that depend on the
// table alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "flymc/detail/core/interruption.hpp"
#include "groups/group_problem.hpp"

namespace flymc {

// What the sums of one piece of levels need for themselves: fixed effects are common to all.
struct PieceSums {
  explicit PieceSums(const ArrowShape& shape)
      : s(Matrix::Zero(shape.fixed, shape.fixed)),
        r(Vector::Zero(shape.fixed)),
        v(Matrix::Zero(shape.fixed, shape.shared)),
        shared_slope(Vector::Zero(shape.shared)),
        shared_bend(Matrix::Zero(shape.shared, shape.shared)) {}

  Matrix s;
  Vector r;
  Matrix v;
  Vector shared_slope;
  Matrix shared_bend;
  double value = 0.0;
  std::size_t beacons = 0;
  std::size_t queries = 0;  // beside those that every row has

  // All of it as a list of numbers: adds it to one, and is one.
  [[nodiscard]] std::size_t size() const noexcept;
  void add_to(std::span<double> numbers) const noexcept;
  void read(std::span<const double> numbers) noexcept;
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

// And what it adds of shared parameters: all its curvatures and slopes, and its weight.
inline void add_shared(double weight, const double* curvature, const double* slopes,
                       const GroupReader& row, std::size_t level, ArrowSums& sums,
                       PieceSums& piece) {
  const std::size_t q = row.w().size();
  const auto m = static_cast<std::size_t>(sums.shape.shared);
  for (std::size_t j = 0; j < m; ++j) {
    const auto column = static_cast<Index>(j);
    const double* const bends = curvature + shared_curvature(j);
    for (std::size_t i = 0; i < q; ++i) {
      sums.t[(level * q + i) * m + j] += weight * bends[0] * row.w()[i];
    }
    for (std::size_t i = 0; i < row.x().size(); ++i) {
      piece.v(static_cast<Index>(i), column) += weight * bends[0] * row.x()[i];
    }
    piece.shared_slope[column] += weight * slopes[1 + j];
    for (std::size_t k = 0; k <= j; ++k) {
      piece.shared_bend(column, static_cast<Index>(k)) += weight * bends[1 + k];
    }
  }
}

// What ranks have of levels and, by this rank's pieces, of all, together, the latter in the order
// of all pieces; the sums are then whole, of slopes at the anchor, and so are those that are
// returned. Collective.
[[nodiscard]] PieceSums fold(const LevelShard& shard, const std::vector<PieceSums>& pieces,
                             ArrowSums& sums);

// Calls visit(levels, reader, their sums) for every piece of levels: for what looks at the rows of
// a level together. They lie anywhere in the table, which costs more than a row's arithmetic.
template <class Visit>
[[nodiscard]] PieceSums sum_levels(const Dataset& data, const Grouping& grouping, unsigned threads,
                                   ArrowSums& sums, const Visit& visit) {
  poll_interruption();
  const LevelShard& shard = grouping.shard();
  const RowRange mine = shard.pieces_of(shard.ranks().rank());
  std::vector<PieceSums> pieces(mine.size(), PieceSums(sums.shape));
  sums.clear();
  parallel_for(pieces.size(), threads, [&](std::size_t i) {
    GroupReader row(data, grouping);
    visit(shard.pieces()[mine.first + i], row, pieces[i]);
  });
  return fold(shard, pieces, sums);
}

// Calls visit(n, level, row, sums of its piece) for every row, in the order of the table, from
// front to back. Every thread does, and takes the rows of its own levels.
template <class Visit>
[[nodiscard]] PieceSums sum_rows(const Dataset& data, const Grouping& grouping, unsigned threads,
                                 ArrowSums& sums, const Visit& visit) {
  constexpr std::size_t kBlock = 4096;
  const LevelShard& shard = grouping.shard();
  const RowRange mine = shard.pieces_of(shard.ranks().rank());
  const std::span ranges = std::span(shard.pieces()).subspan(mine.first, mine.size());
  std::vector<PieceSums> pieces(ranges.size(), PieceSums(sums.shape));
  std::vector<std::uint32_t> piece_of(grouping.levels());
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    std::fill(piece_of.begin() + static_cast<std::ptrdiff_t>(ranges[i].first),
              piece_of.begin() + static_cast<std::ptrdiff_t>(ranges[i].last),
              static_cast<std::uint32_t>(i));
  }
  sums.clear();
  const std::size_t parts = std::min<std::size_t>(resolve_threads(threads), ranges.size());
  parallel_for(parts, threads, [&](std::size_t part) {
    const LevelRange own{ranges[part * ranges.size() / parts].first,
                         ranges[(part + 1) * ranges.size() / parts - 1].last};
    GroupReader row(data, grouping);
    for (std::size_t n = 0; n < data.rows(); ++n) {
      if (n % kBlock == 0) {
        poll_interruption();
      }
      const std::size_t level = grouping.level(n);
      if (own.holds(level)) {
        row.read(n);
        visit(n, level, row, pieces[piece_of[level]]);
      }
    }
  });
  return fold(shard, pieces, sums);
}

}  // namespace flymc
