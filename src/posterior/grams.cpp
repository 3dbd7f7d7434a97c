#include "posterior/grams.hpp"

#include <algorithm>

#include "core/tile.hpp"

namespace flymc {
namespace {

// Rows that are multiplied at once: with 50 columns their panels stay in the nearest cache.
constexpr Index kDepth = 64;

constexpr Index kRowsOfTile = kTileRows<double>;
constexpr Index kHalfTile = kRowsOfTile / 2;

template <Index kWidth>
std::size_t panel_size(Index columns) {
  return static_cast<std::size_t>((columns + kWidth - 1) / kWidth * kWidth * kDepth);
}

// Columns of these rows in panels of kWidth (tile.hpp), each row by its factor, `stride` after the
// last one's. Zeros fill the last panel.
template <Index kWidth>
void pack(const ConstRowMatrixView& x, Index first, Index depth, const double* factors,
          Index stride, double* panel) {
  for (Index column = 0; column < x.cols(); column += kWidth) {
    const double* row = x.data() + first * x.cols() + column;
    const double* factor = factors;
    const Index width = std::min(kWidth, x.cols() - column);
    if (width == kWidth) {
      for (Index k = 0; k < depth; ++k, row += x.cols(), factor += stride, panel += kWidth) {
#pragma GCC unroll 8
        for (std::size_t i = 0; i < kWidth; i += simd::kLanes<double>) {
          simd::store<double>(*factor * simd::load(row + i), panel + i);
        }
      }
    } else {
      for (Index k = 0; k < depth; ++k, row += x.cols(), factor += stride, panel += kWidth) {
        for (Index i = 0; i < kWidth; ++i) {
          panel[i] = i < width ? *factor * row[i] : 0.0;
        }
      }
    }
  }
}

// out += left' right; of a square its lower triangle, with some of what stands above it.
void add_products(const double* left, const double* right, Index depth, bool lower, Matrix& out) {
  for (Index i = 0; i < out.rows(); i += kRowsOfTile) {
    const Index rows = out.rows() - i;
    const bool narrow = rows <= kHalfTile;
    const Index columns = lower ? std::min(i + kRowsOfTile, out.cols()) : out.cols();
    for (Index j = 0; j < columns; j += kTileColumns) {
      const double* const a = left + i * depth;
      const double* const b = right + j * depth;
      double* const c = &out(i, j);
      if (narrow) {
        Tile<double, kHalfTile>(a, b, depth).add_to(c, out.rows(), rows, out.cols() - j);
      } else if (lower && j > i) {
        Tile<double, kHalfTile>(a + kHalfTile, b, depth)
            .add_to(c + kHalfTile, out.rows(), rows - kHalfTile, out.cols() - j);
      } else {
        Tile<double>(a, b, depth).add_to(c, out.rows(), rows, out.cols() - j);
      }
    }
  }
}

Matrix mirrored(const Matrix& lower) { return lower.selfadjointView<Eigen::Lower>(); }

void add_pair(Matrix& precision, const Matrix& gram, Index j, Index k) {
  const Index d = gram.rows();
  precision.block(j * d, j * d, d, d) += gram;
  precision.block(k * d, k * d, d, d) += gram;
  precision.block(j * d, k * d, d, d) -= gram;
  precision.block(k * d, j * d, d, d) -= gram;
}

}  // namespace

Grams::Grams(const Design& design, int predictors, int count)
    : design_(design), predictors_(predictors) {
  if (design.is_chosen()) {
    for (int k = 0; count > 0 && k < predictors; ++k) {
      for (int l = 0; l <= k; ++l) {
        blocks_.push_back({k, l});
        grams_.push_back(Matrix::Zero(design.size(k), design.size(l)));
      }
    }
  } else {
    grams_.assign(static_cast<std::size_t>(count),
                  Matrix::Zero(design.columns(), design.columns()));
  }
}

bool Grams::is_square(std::size_t p) const noexcept {
  return blocks_.empty() || (blocks_[p].k == blocks_[p].l && design_.is_whole(blocks_[p].k));
}

void Grams::add(const ConstRowMatrixView& rows, const Eigen::Ref<const RowMatrix>& weights) {
  for (std::size_t p = 0; p < count(); ++p) {
    add_to(p, rows, weights);
  }
}

void Grams::add_to(std::size_t p, const ConstRowMatrixView& rows,
                   const Eigen::Ref<const RowMatrix>& weights) {
  const Block block = blocks_.empty() ? Block{} : blocks_[p];
  const ConstRowMatrixView left = design_.columns_of(block.k, rows, left_);
  const ConstRowMatrixView right = design_.columns_of(block.l, rows, right_);
  left_panels_.resize(panel_size<kRowsOfTile>(left.cols()));
  right_panels_.resize(panel_size<kTileColumns>(right.cols()));
  for (Index first = 0; first < rows.rows(); first += kDepth) {
    const Index depth = std::min(kDepth, rows.rows() - first);
    constexpr double kOnce = 1.0;
    pack<kRowsOfTile>(left, first, depth, &kOnce, 0, left_panels_.data());
    pack<kTileColumns>(right, first, depth,
                       weights.data() + first * weights.outerStride() + static_cast<Index>(p),
                       weights.outerStride(), right_panels_.data());
    add_products(left_panels_.data(), right_panels_.data(), depth, block.k == block.l, grams_[p]);
  }
}

std::size_t Grams::size() const noexcept {
  std::size_t size = 0;
  for (const Matrix& gram : grams_) {
    size += static_cast<std::size_t>(gram.size());
  }
  return size;
}

void Grams::write(double* out) const noexcept {
  for (const Matrix& gram : grams_) {
    out = std::copy_n(gram.data(), gram.size(), out);
  }
}

void Grams::read(const double* in) noexcept {
  for (Matrix& gram : grams_) {
    std::copy_n(in, gram.size(), gram.data());
    in += gram.size();
  }
}

Matrix Grams::precision() const {
  if (!blocks_.empty()) {
    return of_blocks();
  }
  const auto pairs = static_cast<std::size_t>(predictors_ * (predictors_ - 1) / 2);
  return predictors_ > 1 && count() == pairs ? of_pairs() : mirrored(grams_[0]);
}

Matrix Grams::of_blocks() const {
  const Index size = design_.parameters(predictors_);
  Matrix precision(size, size);
  for (std::size_t p = 0; p < count(); ++p) {
    const auto [k, l] = blocks_[p];
    precision.block(design_.first(k), design_.first(l), design_.size(k), design_.size(l)) =
        grams_[p];
  }
  return mirrored(precision);
}

Matrix Grams::of_pairs() const {
  const Index size = design_.columns() * predictors_;
  Matrix precision = Matrix::Zero(size, size);
  std::size_t pair = 0;
  for (Index k = 1; k < predictors_; ++k) {
    for (Index j = 0; j < k; ++j, ++pair) {
      add_pair(precision, mirrored(grams_[pair]), j, k);
    }
  }
  return precision;
}

Matrix equal_pairs_precision(const Matrix& gram, int predictors) {
  const Index size = gram.rows() * predictors;
  Matrix precision = Matrix::Zero(size, size);
  for (Index k = 1; k < predictors; ++k) {
    for (Index j = 0; j < k; ++j) {
      add_pair(precision, gram, j, k);
    }
  }
  return precision;
}

}  // namespace flymc
