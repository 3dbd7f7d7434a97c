#include "flymc/detail/posterior/leverage.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/message.hpp"
#include "core/tile.hpp"
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

// Of its columns, numbers of the same row together; zeros fill the last panel.
template <class Real>
Buffer<Real> in_panels(const Matrix& root) {
  const Index size = root.rows();
  const Index width = (size + kTileColumns - 1) / kTileColumns * kTileColumns;
  Buffer<Real> panels(static_cast<std::size_t>(size * width), Real{0});
  for (Index column = 0; column < size; ++column) {
    const Index within = column % kTileColumns;
    Real* const panel = panels.data() + (column - within) * size + within;
    for (Index row = 0; row < size; ++row) {
      panel[row * kTileColumns] = static_cast<Real>(root(row, column));
    }
  }
  return panels;
}

// A panel of these rows, a column after another; the first row again where there are too few.
template <class Real>
void transpose(const double* rows, Index count, Index columns, Real* panel) {
  constexpr auto kRows = static_cast<std::size_t>(kTileRows<Real>);
  std::array<const double*, kRows> row;
  for (std::size_t i = 0; i < kRows; ++i) {
    const auto place = static_cast<Index>(i);
    row[i] = rows + (place < count ? place : 0) * columns;
  }
  for (Index column = 0; column < columns; ++column, panel += kRows) {
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kRows; ++i) {
      panel[i] = static_cast<Real>(row[i][column]);
    }
  }
}

// |L' x|^2 of a panel of rows.
template <class Real>
std::array<Real, kTileRows<Real>> squared_norms(const double* rows, Index count, Index size,
                                                bool upper, const Buffer<Real>& panels) {
  thread_local Buffer<Real> panel;
  panel.resize(static_cast<std::size_t>(size * kTileRows<Real>));
  transpose(rows, count, size, panel.data());
  std::array<Real, kTileRows<Real>> squares{};
  for (Index column = 0; column < size; column += kTileColumns) {
    const Index from = upper ? 0 : column;  // zeros stand outside
    const Index to = upper ? std::min(column + kTileColumns, size) : size;
    Tile<Real>(panel.data() + from * kTileRows<Real>,
               panels.data() + column * size + from * kTileColumns, to - from)
        .add_squares(squares.data());
  }
  return squares;
}

// Of |L' x| by floats, relative to itself: rounding L and x, d products and sums of a component,
// d squares. What a component loses is at most (d + 2) u of sum_j |L_ji x_j|, in norm
// (d + 2) u |L| |x|, and |x| <= |L^-1| |L' x|, norms those of Frobenius. One u is to spare.
double float_error(const Matrix& root, bool upper) {
  const Matrix identity = Matrix::Identity(root.rows(), root.cols());
  const Matrix inverse = upper ? Matrix(root.triangularView<Eigen::Upper>().solve(identity))
                               : Matrix(root.triangularView<Eigen::Lower>().solve(identity));
  constexpr double kUnit = 0.5 * std::numeric_limits<float>::epsilon();
  const double rounded = static_cast<double>(root.rows() + 3) * kUnit;
  return 1.01 * rounded * (root.norm() * inverse.norm() + 1.0);
}

}  // namespace

Leverage::Root::Root(const Matrix& root, bool upper)
    : size_(root.rows()), upper_(upper), panels_(in_panels<double>(root)) {
  constexpr double kEnough = 1e-3;  // of a radius: gaps grow by a few times that
  const double error = float_error(root, upper);
  if (error < kEnough) {
    // Of a norm near 1, by a power of two: what is below the smallest float is nothing beside it,
    // and units of the response change no digit.
    const double unit = std::exp2(std::ilogb(root.norm()));
    narrow_ = in_panels<float>(root / unit);
    narrow_margin_ = unit * (kMargin / (1.0 - error));
  }
}

void Leverage::Root::compute(const double* rows, Index count, double* out, Index stride) const {
  if (!narrow_.empty()) {
    const auto squares = squared_norms(rows, count, size_, upper_, narrow_);
    const auto is_whole = [](float square) {  // else something was lost, or is no number
      return square > 1e-24F && square < 1e24F;
    };
    if (std::ranges::all_of(squares, is_whole)) {
      for (Index i = 0; i < count; ++i) {
        const double square = squares[static_cast<std::size_t>(i)];
        out[i * stride] = narrow_margin_ * std::sqrt(square);
      }
      return;
    }
  }
  for (Index first = 0; first < count; first += kTileRows<double>) {
    const Index some = std::min(kTileRows<double>, count - first);
    const auto squares = squared_norms(rows + first * size_, some, size_, upper_, panels_);
    for (Index i = 0; i < some; ++i) {
      out[(first + i) * stride] = kMargin * std::sqrt(squares[static_cast<std::size_t>(i)]);
    }
  }
}

Leverage::Leverage(const Anchor& anchor, const Design& design, int predictors) : design_(design) {
  const Matrix inverse = inverse_of_lower(cholesky_root(anchor.precision));  // R^-1, H = R R'
  if (design.is_chosen()) {
    for (int k = 0; k < predictors; ++k) {  // zeros stand above these
      const Index first = design.first(k);
      blocks_.push_back(
          inverse.block(first, first, inverse.rows() - first, design.size(k)).transpose());
    }
    return;
  }
  if (predictors == 1) {
    roots_.emplace_back(inverse.transpose(), true);
    return;
  }
  const Index d = inverse.cols() / predictors;
  for (Index k = 1; k < predictors; ++k) {
    for (Index j = 0; j < k; ++j) {
      const Index rows = inverse.rows() - j * d;  // zeros stand above these
      const Matrix difference =
          inverse.block(j * d, j * d, rows, d) - inverse.block(j * d, k * d, rows, d);
      roots_.emplace_back(root_of_square(difference), false);
    }
  }
}

void Leverage::compute(const ConstRowMatrixView& x, RowMatrixView out) const {
  if (design_.is_chosen()) {
    compute_covariances(x, out);
    return;
  }
  constexpr Index kTogether = kTileRows<float>;
  for (Index first = 0; first < x.rows(); first += kTogether) {
    const Index count = std::min(kTogether, x.rows() - first);
    for (std::size_t p = 0; p < roots_.size(); ++p) {
      roots_[p].compute(x.data() + first * x.cols(), count, &out(first, static_cast<Index>(p)),
                        out.cols());
    }
  }
}

// V_kl = (R^-1 A_k') . (R^-1 A_l'): of the longer of the two the last numbers.
void Leverage::compute_covariances(const ConstRowMatrixView& x, RowMatrixView out) const {
  std::vector<RowMatrix> whitened(blocks_.size());
  RowMatrix columns;
  Index column = 0;
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    whitened[k].noalias() = design_.columns_of(static_cast<int>(k), x, columns) * blocks_[k];
    for (std::size_t l = 0; l <= k; ++l) {
      out.col(column++) =
          kMargin * kMargin *
          whitened[k].cwiseProduct(whitened[l].rightCols(whitened[k].cols())).rowwise().sum();
    }
  }
}

}  // namespace flymc
