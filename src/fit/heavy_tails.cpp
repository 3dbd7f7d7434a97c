#include "fit/heavy_tails.hpp"

#include <algorithm>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "data/table/dependence.hpp"
#include "flymc/detail/ranks/piece_sum.hpp"

namespace flymc {
namespace {

// The largest size of every column, so that independence is judged in no unit.
Vector column_sizes(const Dataset& data) {
  Vector sizes = Vector::Constant(data.columns(), 1e-300);
  Vector row(data.columns());
  for (std::size_t n = 0; n < data.rows(); ++n) {
    data.copy_row(n, row.data());
    sizes = sizes.cwiseMax(row.cwiseAbs());
  }
  return sizes;
}

// Fractions of bases, taken a little at a time from the rows that have most left.
class Packing {
 public:
  Packing(const Dataset& data, double exponent)
      : data_(data), sizes_(column_sizes(data)), basis_(data.columns(), data.columns()) {
    for (std::size_t n = 0; n < data.rows(); ++n) {
      left_.push({exponent * data.weight(n), n});
    }
  }

  [[nodiscard]] bool holds_more_than_one() {
    constexpr double kLittle = 1.0 / 64.0;
    double packed = 0.0;
    while (packed <= 1.0) {
      const double least = take_base();
      if (!(least > 0.0)) {
        return false;
      }
      const double lambda = std::min(least, kLittle);
      for (const auto& [left, row] : taken_) {
        left_.push({left - (in_base_[row] ? lambda : 0.0), row});
      }
      packed += lambda;
    }
    return true;
  }

 private:
  // What is left of the base's last row; 0 where the rows are used up.
  [[nodiscard]] double take_base() {
    constexpr double kMostWork = 2e9;
    in_base_.resize(data_.rows());
    taken_.clear();
    Vector row(data_.columns());
    for (Index rank = 0; rank < data_.columns();) {
      work_ += static_cast<double>(data_.columns() * (rank + 1));
      if (left_.empty() || !(left_.top().first > 0.0) || work_ > kMostWork) {
        return 0.0;
      }
      taken_.push_back(left_.top());
      left_.pop();
      const std::size_t n = taken_.back().second;
      data_.copy_row(n, row.data());
      in_base_[n] = is_new(row.cwiseQuotient(sizes_), rank);
      rank += in_base_[n] ? 1 : 0;
    }
    return taken_.back().first;
  }

  // Gram-Schmidt, twice.
  [[nodiscard]] bool is_new(Vector row, Index rank) {
    constexpr double kDependent = 1e-7;
    const double size = row.norm();
    for (int i = 0; i < 2; ++i) {
      row -= basis_.leftCols(rank) * (basis_.leftCols(rank).transpose() * row).eval();
    }
    if (!(row.norm() > kDependent * size)) {
      return false;
    }
    basis_.col(rank) = row.normalized();
    return true;
  }

  const Dataset& data_;
  Vector sizes_;
  Matrix basis_;
  std::priority_queue<std::pair<double, std::size_t>> left_;
  std::vector<std::pair<double, std::size_t>> taken_;
  std::vector<bool> in_base_;  // of the rows taken
  double work_ = 0.0;
};

}  // namespace

bool tails_are_integrable(const Dataset& data, double exponent) {
  const RowRange held = data.shard().mine();
  bool all_heavy = true;
  for (std::size_t n = held.first; all_heavy && n < held.last; ++n) {
    all_heavy = exponent * data.weight(n) > 1.0;
  }
  if (holds_everywhere(data.shard().ranks(), all_heavy) ||
      has_full_rank_above(data, 1.0 / exponent)) {
    return true;
  }
  return !data.shard().is_split() && Packing(data, exponent).holds_more_than_one();
}

bool intercept_is_integrable(const Dataset& data, double exponent) {
  return sum_pieces(data.shard(), 1, 1, [&](RowRange rows, std::span<double> sum) {
           for (std::size_t n = rows.first; n < rows.last; ++n) {
             sum[0] += exponent * data.weight(n);
           }
         })[0] > 1.0;
}

}  // namespace flymc
