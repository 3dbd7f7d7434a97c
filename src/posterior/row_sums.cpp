#include "flymc/detail/posterior/row_sums.hpp"

#include <algorithm>

#include "posterior/grams.hpp"

namespace flymc {

Collapsed sum_rows(const Dataset& data, const RemoteRows& remote_rows, std::span<const Datum> rows,
                   const RowWork& work) {
  constexpr std::size_t kBlockRows = 256;
  const Tangents& tangents = remote_rows.tangents();
  const int predictors = tangents.predictors;
  const Index d = data.columns();
  RowMatrix x(kBlockRows, d);
  RowMatrix slopes = RowMatrix::Zero(kBlockRows, predictors);
  RowMatrix weights = RowMatrix::Zero(kBlockRows, tangents.pairs);
  RowMatrix some;
  Vector gradient = Vector::Zero(data.design().parameters(predictors));
  Grams grams(data.design(), predictors, tangents.pairs);
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
    const ConstRowMatrixView block(x.data(), count, d);
    for (int k = 0; k < predictors; ++k) {
      gradient.segment(data.design().first(k), data.design().size(k)).noalias() +=
          data.design().columns_of(k, block, some).transpose() * slopes.col(k).head(count);
    }
    grams.add(block, weights.topRows(count));
  }
  return {tangents.theta_hat, value, std::move(gradient), grams.precision(), predictors};
}

}  // namespace flymc
