#include "flymc/detail/posterior/row_sums.hpp"

#include <algorithm>

namespace flymc {

Collapsed sum_rows(const Dataset& data, const RemoteRows& remote_rows, std::span<const Datum> rows,
                   const RowWork& work) {
  constexpr std::size_t kBlockRows = 256;
  const Tangents& tangents = remote_rows.tangents();
  const int predictors = tangents.predictors;
  const Index pairs = tangents.pairs;
  const Index d = data.columns();
  RowMatrix x(kBlockRows, d);
  RowMatrix weighted(kBlockRows, d);
  RowMatrix slopes = RowMatrix::Zero(kBlockRows, predictors);
  RowMatrix weights = RowMatrix::Zero(kBlockRows, pairs);
  Matrix gradient = Matrix::Zero(d, predictors);
  std::vector<Matrix> grams(static_cast<std::size_t>(pairs), Matrix::Zero(d, d));
  Vector scratch(d);
  double value = 0.0;
  for (std::size_t first = 0; first < rows.size(); first += kBlockRows) {
    const auto count = static_cast<Index>(std::min(kBlockRows, rows.size() - first));
    for (Index i = 0; i < count; ++i) {
      const RemoteRow one =
          remote_rows.at(rows[first + static_cast<std::size_t>(i)], scratch.data());
      data.standardise(one.row.raw, x.row(i).data());
      value += work(one, slopes.row(i).data(), weights.row(i).data());
    }
    gradient.noalias() += x.topRows(count).transpose() * slopes.topRows(count);
    for (Index p = 0; p < pairs; ++p) {
      weighted.topRows(count) = weights.col(p).head(count).asDiagonal() * x.topRows(count);
      grams[static_cast<std::size_t>(p)].noalias() +=
          x.topRows(count).transpose() * weighted.topRows(count);
    }
  }
  return {tangents.theta_hat, value, Eigen::Map<Vector>(gradient.data(), gradient.size()), grams,
          predictors};
}

}  // namespace flymc
