#include "flymc/data/dependence.hpp"

#include <algorithm>
#include <cmath>

namespace flymc {
namespace {

// Every `stride`-th row; columns of the Gram scaled to unit length.
Matrix scaled_gram(const Dataset& data, std::size_t stride) {
  const Index d = data.columns();
  Matrix gram = Matrix::Zero(d, d);
  Vector row(d);
  for (std::size_t n = 0; n < data.rows(); n += stride) {
    data.copy_row(n, row.data());
    gram.selfadjointView<Eigen::Lower>().rankUpdate(row);
  }
  const Vector scale = gram.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const Matrix full = gram.selfadjointView<Eigen::Lower>();
  return scale.asDiagonal() * full * scale.asDiagonal();
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

}  // namespace

std::vector<std::size_t> dependent_columns(const Dataset& data) {
  const std::size_t sample =
      std::max<std::size_t>(2000, 10 * static_cast<std::size_t>(data.columns()));
  const std::size_t stride = std::max<std::size_t>(1, data.rows() / sample);
  auto found = vanishing_pivots(scaled_gram(data, stride));
  if (!found.empty() && stride > 1) {
    found = vanishing_pivots(scaled_gram(data, 1));
  }
  if (data.intercept()) {  // the intercept is column 0 and comes first, so it is never found
    for (std::size_t& column : found) {
      --column;
    }
  }
  return found;
}

}  // namespace flymc
