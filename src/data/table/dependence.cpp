#include "data/table/dependence.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include "flymc/detail/ranks/piece_sum.hpp"

namespace flymc {
namespace {

// Columns of a Gram scaled to unit length; its lower half is given.
Matrix scaled(const Matrix& gram) {
  const Vector scale = gram.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const Matrix full = gram.selfadjointView<Eigen::Lower>();
  return scale.asDiagonal() * full * scale.asDiagonal();
}

// Of every `stride`-th row.
Matrix sampled_gram(const Dataset& data, std::size_t stride) {
  std::vector<std::size_t> numbers;
  for (std::size_t n = 0; n < data.rows(); n += stride) {
    numbers.push_back(n);
  }
  Buffer<double> records;
  Matrix gram = Matrix::Zero(data.columns(), data.columns());
  Vector row(data.columns());
  for (const Dataset::Row& one : data.fetch(numbers, records)) {
    data.standardise(one.raw, row.data());
    gram.selfadjointView<Eigen::Lower>().rankUpdate(row);
  }
  return gram;
}

Matrix gram_above(const Dataset& data, double weight) {
  const Index d = data.columns();
  const auto width = static_cast<std::size_t>(d * d);
  const std::vector<double> sums =
      sum_pieces(data.shard(), width, 1, [&](RowRange rows, std::span<double> out) {
        Matrix gram = Matrix::Zero(d, d);
        Vector row(d);
        for (std::size_t n = rows.first; n < rows.last; ++n) {
          if (data.weight(n) > weight) {
            data.copy_row(n, row.data());
            gram.selfadjointView<Eigen::Lower>().rankUpdate(row);
          }
        }
        std::copy_n(gram.data(), width, out.data());
      });
  return Eigen::Map<const Matrix>(sums.data(), d, d);
}

// Cholesky without pivoting: a pivot that vanishes belongs to a column that the ones before
// explain.
std::vector<std::size_t> vanishing_pivots(Matrix gram) {
  constexpr double kVanishing = 1e-11;
  std::vector<std::size_t> result;
  const Index d = gram.rows();
  for (Index j = 0; j < d; ++j) {
    if (gram(j, j) < kVanishing) {
      result.push_back(static_cast<std::size_t>(j));
      continue;
    }
    const Vector column = gram.col(j).tail(d - j - 1) / std::sqrt(gram(j, j));
    gram.bottomRightCorner(d - j - 1, d - j - 1) -= column * column.transpose();
  }
  return result;
}

// Of each predictor by itself.
std::vector<std::size_t> vanishing_pivots(const Matrix& gram, const ColumnsOfEach& predictors) {
  if (predictors.empty()) {
    return vanishing_pivots(gram);
  }
  std::set<std::size_t> found;
  for (const std::vector<Index>& columns : predictors) {
    for (const std::size_t pivot : vanishing_pivots(gram(columns, columns))) {
      found.insert(static_cast<std::size_t>(columns[pivot]));
    }
  }
  return {found.begin(), found.end()};
}

}  // namespace

std::vector<std::size_t> dependent_columns(const Dataset& data, const ColumnsOfEach& predictors) {
  const std::size_t sample =
      std::max<std::size_t>(2000, 10 * static_cast<std::size_t>(data.columns()));
  const std::size_t stride = std::max<std::size_t>(1, data.rows() / sample);
  auto found = vanishing_pivots(scaled(sampled_gram(data, stride)), predictors);
  if (!found.empty() && stride > 1) {
    found = vanishing_pivots(scaled(gram_above(data, 0.0)), predictors);
  }
  if (data.intercept()) {  // the intercept is column 0 and comes first, so it is never found
    for (std::size_t& column : found) {
      --column;
    }
  }
  return found;
}

bool has_full_rank_above(const Dataset& data, double weight) {
  return vanishing_pivots(scaled(gram_above(data, weight))).empty();
}

}  // namespace flymc
