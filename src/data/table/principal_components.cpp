#include "data/table/principal_components.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "core/text.hpp"
#include "flymc/dataset.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

std::vector<RowRange> pieces_of(const ConstRowMatrixView& x) {
  const auto columns = static_cast<std::size_t>(x.cols());
  return row_chunks(static_cast<std::size_t>(x.rows()), columns * columns * sizeof(double));
}

// A copy: Eigen aligns it, so that no sum depends on where the caller's memory happens to lie.
RowMatrix centred(ConstRowMatrixView x, RowRange range, const Vector& mean) {
  return x.middleRows(static_cast<Index>(range.first), static_cast<Index>(range.size())).rowwise() -
         mean.transpose();
}

Vector mean_of(ConstRowMatrixView x, const std::vector<RowRange>& pieces, unsigned threads) {
  std::vector<Vector> sums(pieces.size(), Vector::Zero(x.cols()));
  parallel_for(pieces.size(), threads, [&](std::size_t i) {
    for (std::size_t n = pieces[i].first; n < pieces[i].last; ++n) {
      sums[i] += x.row(static_cast<Index>(n)).transpose();
    }
  });
  Vector total = Vector::Zero(x.cols());
  for (const Vector& sum : sums) {
    total += sum;
  }
  return total / static_cast<double>(x.rows());
}

void fix_signs(Matrix& loadings) {
  for (Index k = 0; k < loadings.cols(); ++k) {
    Index largest = 0;
    loadings.col(k).cwiseAbs().maxCoeff(&largest);
    if (loadings(largest, k) < 0.0) {
      loadings.col(k) *= -1.0;
    }
  }
}

}  // namespace

Covariance covariance_of(ConstRowMatrixView x, unsigned threads) {
  const auto pieces = pieces_of(x);
  Covariance result{mean_of(x, pieces, threads), Matrix::Zero(x.cols(), x.cols())};
  std::vector<Matrix> partial(pieces.size());
  parallel_for(pieces.size(), threads, [&](std::size_t i) {
    const RowMatrix rows = centred(x, pieces[i], result.mean);
    partial[i] = Matrix::Zero(x.cols(), x.cols());
    partial[i].selfadjointView<Eigen::Lower>().rankUpdate(rows.transpose());
  });
  for (const Matrix& part : partial) {
    result.matrix += part;
  }
  result.matrix /= static_cast<double>(x.rows() - 1);
  result.matrix.triangularView<Eigen::StrictlyUpper>() = result.matrix.transpose();
  return result;
}

PrincipalComponents principal_components(ConstRowMatrixView x, std::size_t k, unsigned threads) {
  const auto rows = static_cast<std::size_t>(x.rows());
  const auto columns = static_cast<std::size_t>(x.cols());
  if (k == 0 || k > columns || k >= rows) {
    throw Error(ErrorKind::kData,
                fmt::format("{} cannot be taken from {} and {}.", counted(k, "principal component"),
                            counted(rows, "row"), counted(columns, "column")));
  }
  Covariance covariance = covariance_of(x, threads);
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(covariance.matrix);
  const auto count = static_cast<Index>(k);
  PrincipalComponents result;
  result.mean = std::move(covariance.mean);
  result.total_variance = covariance.matrix.trace();
  result.variances = eigen.eigenvalues().tail(count).reverse();  // ascending: the last are largest
  result.loadings = eigen.eigenvectors().rightCols(count).rowwise().reverse();
  fix_signs(result.loadings);
  result.scores.resize(x.rows(), count);
  const auto pieces = pieces_of(x);
  parallel_for(pieces.size(), threads, [&](std::size_t i) {
    result.scores
        .middleRows(static_cast<Index>(pieces[i].first), static_cast<Index>(pieces[i].size()))
        .noalias() = centred(x, pieces[i], result.mean) * result.loadings;
  });
  return result;
}

}  // namespace flymc
