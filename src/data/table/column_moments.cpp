// Mean and standard deviation of every column, over pieces and ranks.
#include <algorithm>
#include <span>
#include <vector>

#include "flymc/dataset.hpp"
#include "flymc/detail/ranks/piece_sum.hpp"

namespace flymc {
namespace {

// [count, mean of every column, sum of squared deviations of every column]
std::span<double> means(std::span<double> moments) {
  return moments.subspan(1, moments.size() / 2);
}
std::span<double> squares(std::span<double> moments) {
  return moments.subspan(1 + moments.size() / 2);
}

void set_moments(const ConstRowMatrixView& x, std::span<double> moments) {
  moments[0] = static_cast<double>(x.rows());
  VectorView mean(means(moments).data(), x.cols());
  VectorView square(squares(moments).data(), x.cols());
  mean.setZero();
  square.setZero();
  for (Index i = 0; i < x.rows(); ++i) {  // row by row, as they lie
    mean += x.row(i).transpose();
  }
  mean /= static_cast<double>(x.rows());
  for (Index i = 0; i < x.rows(); ++i) {
    square += (x.row(i).transpose() - mean).cwiseAbs2();
  }
}

// Chan's pairwise update.
void merge_moments(double* into, const double* next, std::size_t width) {
  if (next[0] == 0.0) {
    return;
  }
  if (into[0] == 0.0) {
    std::copy_n(next, width, into);
    return;
  }
  const double total = into[0] + next[0];
  const std::size_t columns = width / 2;
  for (std::size_t j = 1; j <= columns; ++j) {
    const double shift = next[j] - into[j];
    into[j] += shift * (next[0] / total);
    into[columns + j] += next[columns + j] + shift * shift * (into[0] * next[0] / total);
  }
  into[0] = total;
}

// Blocks that are still in the cache when their squares are summed: rows are read once.
void add_moments(const Table& table, RowRange range, std::span<double> total) {
  constexpr std::size_t kBlockRows = 64;
  const std::size_t width = table.columns.size();
  Buffer<double> scratch(table.source.empty() ? 0 : kBlockRows * width);
  std::vector<double> block(total.size());
  for (std::size_t first = range.first; first < range.last; first += kBlockRows) {
    const RowRange rows{first, std::min(first + kBlockRows, range.last)};
    set_moments({table.block(rows, scratch.data()), static_cast<Index>(rows.size()),
                 static_cast<Index>(width)},
                block);
    merge_moments(total.data(), block.data(), block.size());
  }
}

}  // namespace

ColumnMoments column_moments(const Table& table, unsigned threads) {
  const SequentialRead in_order(table.source);
  const Shard shard = table.sharding();
  const std::size_t first = shard.mine().first;
  std::vector<double> total = sum_pieces(
      shard, 1 + 2 * table.columns.size(), threads,
      [&](RowRange rows, std::span<double> sums) {
        add_moments(table, {rows.first - first, rows.last - first}, sums);
      },
      merge_moments);
  const auto columns = static_cast<Index>(table.columns.size());
  const ConstVectorView square(squares(total).data(), columns);
  return {ConstVectorView(means(total).data(), columns),
          (square / std::max(1.0, total[0] - 1.0)).cwiseSqrt()};
}

}  // namespace flymc
