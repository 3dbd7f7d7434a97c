#include "flymc/detail/posterior/leverage.hpp"

#include "core/message.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

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

Leverage::Leverage(const Anchor& anchor, int predictors) {
  const Matrix inverse = inverse_of_lower(cholesky_root(anchor.precision));  // R^-1, H = R R'
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

void Leverage::compute(const ConstRowMatrixView& x, RowMatrix& scratch, RowMatrixView out) const {
  constexpr double kMargin = 1.0 + 1e-6;
  for (Index p = 0; p < pairs(); ++p) {
    const Matrix& root = roots_[static_cast<std::size_t>(p)];
    if (upper_) {
      scratch.noalias() = x * root.triangularView<Eigen::Upper>();
    } else {
      scratch.noalias() = x * root.triangularView<Eigen::Lower>();
    }
    out.col(p) = kMargin * scratch.rowwise().norm();
  }
}

}  // namespace flymc
