#include "posterior/grams.hpp"

#include <algorithm>

namespace flymc {
namespace {

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
  weighted_.resize(right.rows(), right.cols());
  for (Index i = 0; i < right.rows(); ++i) {  // a row at a time, which Eigen vectorises
    weighted_.row(i) = weights(i, static_cast<Index>(p)) * right.row(i);
  }
  if (block.k == block.l) {
    grams_[p].triangularView<Eigen::Lower>() += left.transpose() * weighted_;
  } else {
    grams_[p].noalias() += left.transpose() * weighted_;
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
