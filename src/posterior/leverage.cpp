#include "flymc/detail/posterior/leverage.hpp"

#include "core/message.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

constexpr double kMargin = 1.0 + 1e-6;

Matrix cholesky_root(const Matrix& matrix) {
  const Eigen::LLT<Matrix> cholesky(matrix);
  if (cholesky.info() != Eigen::Success) {
    throw Error(ErrorKind::kData, "the posterior precision is not positive definite",
                message("use a tighter {}.", Setting{"prior"}));
  }
  return cholesky.matrixL();
}

Matrix inverse_of_lower(const Matrix& root) {
  return root.triangularView<Eigen::Lower>().solve(Matrix::Identity(root.rows(), root.cols()));
}

// L with L L' = a' a, from the QR of a: the product would square its condition number, and an r
// that is too small by more than the margin is no bound.
Matrix root_of_square(const Matrix& a) {
  const Eigen::HouseholderQR<Matrix> qr(a);
  const Matrix upper = qr.matrixQR().topRows(a.cols()).triangularView<Eigen::Upper>();
  return upper.transpose();
}

}  // namespace

Leverage::Leverage(const Anchor& anchor, const Design& design, int predictors) : design_(design) {
  const Matrix inverse = inverse_of_lower(cholesky_root(anchor.precision));  // R^-1, H = R R'
  if (design.is_chosen()) {
    for (int k = 0; k < predictors; ++k) {  // zeros stand above these
      const Index first = design.first(k);
      roots_.push_back(
          inverse.block(first, first, inverse.rows() - first, design.size(k)).transpose());
    }
    return;
  }
  if (predictors == 1) {
    roots_.push_back(inverse.transpose());
    upper_ = true;
    return;
  }
  const Index d = inverse.cols() / predictors;
  for (Index k = 1; k < predictors; ++k) {
    for (Index j = 0; j < k; ++j) {
      const Index rows = inverse.rows() - j * d;  // zeros stand above these
      roots_.push_back(root_of_square(inverse.block(j * d, j * d, rows, d) -
                                      inverse.block(j * d, k * d, rows, d)));
    }
  }
}

void Leverage::compute(const ConstRowMatrixView& x, RowMatrixView out) const {
  if (design_.is_chosen()) {
    compute_covariances(x, out);
    return;
  }
  RowMatrix scratch;
  for (std::size_t p = 0; p < roots_.size(); ++p) {
    if (upper_) {
      scratch.noalias() = x * roots_[p].triangularView<Eigen::Upper>();
    } else {
      scratch.noalias() = x * roots_[p].triangularView<Eigen::Lower>();
    }
    out.col(static_cast<Index>(p)) = kMargin * scratch.rowwise().norm();
  }
}

// V_kl = (R^-1 A_k') . (R^-1 A_l'): of the longer of the two the last numbers.
void Leverage::compute_covariances(const ConstRowMatrixView& x, RowMatrixView out) const {
  std::vector<RowMatrix> whitened(roots_.size());
  RowMatrix columns;
  Index column = 0;
  for (std::size_t k = 0; k < roots_.size(); ++k) {
    whitened[k].noalias() = design_.columns_of(static_cast<int>(k), x, columns) * roots_[k];
    for (std::size_t l = 0; l <= k; ++l) {
      out.col(column++) =
          kMargin * kMargin *
          whitened[k].cwiseProduct(whitened[l].rightCols(whitened[k].cols())).rowwise().sum();
    }
  }
}

}  // namespace flymc
