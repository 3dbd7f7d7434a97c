#include "flymc/detail/posterior/pass.hpp"

#include <algorithm>

#include "flymc/detail/core/interruption.hpp"
#include "flymc/detail/ranks/piece_sum.hpp"
#include "posterior/sparse_gram.hpp"

namespace flymc {
namespace {

constexpr std::size_t kBlockRows = 256;  // 256 x 51 doubles stay in a 1 MB cache

Index slope_columns(const PassShape& shape) noexcept {
  return shape.slopes > 0 ? shape.slopes : shape.predictors;
}

// Scratch and partial sums of one piece of rows.
class PiecePass {
 public:
  PiecePass(const Dataset& data, const PassShape& shape)
      : data_(data),
        brings_rows_(shape.rows),
        sparse_gram_(data),
        eta_(kBlockRows, shape.predictors),
        slopes_(kBlockRows, slope_columns(shape)),
        weights_(kBlockRows, shape.grams),
        rows_(shape.grams > 0 || shape.rows ? kBlockRows : 0, data.columns()),
        weighted_(rows_.rows(), data.columns()),
        folded_gradient_(Matrix::Zero(data.folded_rows(), slope_columns(shape))) {
    sums_.gradient.resize(data.columns(), slope_columns(shape));
    sums_.grams.assign(static_cast<std::size_t>(shape.grams),
                       Matrix::Zero(data.columns(), data.columns()));
  }

  PassSums run(RowRange piece, const Matrix& folded, const PassWork& work) {
    for (std::size_t first = piece.first; first < piece.last; first += kBlockRows) {
      poll_interruption();
      add_block({first, std::min(first + kBlockRows, piece.last)}, folded, work);
    }
    data_.unfold_gradient(folded_gradient_, sums_.gradient);
    sums_.queries = counter_.total();
    return std::move(sums_);
  }

 private:
  void add_block(RowRange range, const Matrix& folded, const PassWork& work) {
    const auto count = static_cast<Index>(range.size());
    RowMatrixView eta(eta_.data(), count, eta_.cols());
    const Dataset::RawBlock raw = data_.raw(range, raw_);
    data_.predict(raw, folded, eta);
    const bool sparse = !sums_.grams.empty() && sparse_gram_.read(raw);
    const Index dense_count = brings_rows_ || !(sparse || sums_.grams.empty()) ? count : 0;
    for (Index i = 0; i < dense_count; ++i) {
      data_.standardise(raw.x.row(i).data(), rows_.row(i).data());
    }
    PassBlock block{range,
                    ConstRowMatrixView(rows_.data(), dense_count, rows_.cols()),
                    eta,
                    RowMatrixView(slopes_.data(), count, slopes_.cols()),
                    RowMatrixView(weights_.data(), count, weights_.cols()),
                    counter_};
    sums_.value += work(block);
    Dataset::add_slopes(raw, ConstRowMatrixView(slopes_.data(), count, slopes_.cols()),
                        folded_gradient_);
    if (sparse) {
      for (std::size_t p = 0; p < sums_.grams.size(); ++p) {
        sparse_gram_.add_to(sums_.grams[p], block.weights.col(static_cast<Index>(p)));
      }
    } else {
      add_dense_grams(block.weights);
    }
  }

  void add_dense_grams(const RowMatrixView& weights) {
    const Index count = weights.rows();
    for (std::size_t p = 0; p < sums_.grams.size(); ++p) {
      for (Index i = 0; i < count; ++i) {  // a row at a time, which Eigen vectorises
        weighted_.row(i) = weights(i, static_cast<Index>(p)) * rows_.row(i);
      }
      sums_.grams[p].triangularView<Eigen::Lower>() +=
          rows_.topRows(count).transpose() * weighted_.topRows(count);
    }
  }

  const Dataset& data_;
  bool brings_rows_;
  SparseGram sparse_gram_;
  Buffer<double> raw_;
  RowMatrix eta_;
  RowMatrix slopes_;
  RowMatrix weights_;
  RowMatrix rows_;
  RowMatrix weighted_;
  Matrix folded_gradient_;
  QueryCounter counter_;
  PassSums sums_;
};

// A pass's sums as numbers in a row: value, queries, gradient, Grams.
std::size_t width_of(const Dataset& data, const PassShape& shape) {
  const auto d = static_cast<std::size_t>(data.columns());
  return 2 + d * static_cast<std::size_t>(slope_columns(shape)) +
         d * d * static_cast<std::size_t>(shape.grams);
}

void flatten(const PassSums& sums, std::span<double> out) {
  out[0] = sums.value;
  out[1] = static_cast<double>(sums.queries);
  double* at = std::copy_n(sums.gradient.data(), sums.gradient.size(), out.data() + 2);
  for (const Matrix& gram : sums.grams) {
    at = std::copy_n(gram.data(), gram.size(), at);
  }
}

PassSums unflatten(std::span<const double> in, const Dataset& data, const PassShape& shape) {
  const Index d = data.columns();
  PassSums sums;
  sums.value = in[0];
  sums.queries = static_cast<std::uint64_t>(in[1]);
  const double* at = in.data() + 2;
  sums.gradient = Eigen::Map<const Matrix>(at, d, slope_columns(shape));
  at += sums.gradient.size();
  for (int p = 0; p < shape.grams; ++p, at += d * d) {
    Matrix& gram = sums.grams.emplace_back(Eigen::Map<const Matrix>(at, d, d));
    gram.triangularView<Eigen::StrictlyUpper>() = gram.transpose();
  }
  return sums;
}

}  // namespace

PassSums run_pass(const Dataset& data, const Vector& theta, const PassShape& shape,
                  const PassWork& work) {
  Matrix folded(data.folded_rows(), shape.predictors);
  data.fold(Eigen::Map<const Matrix>(theta.data(), data.columns(), shape.predictors), folded);
  const SequentialRead in_order = data.streaming();
  const std::vector<double> sums =
      sum_pieces(data.shard(), width_of(data, shape), shape.threads,
                 [&](RowRange rows, std::span<double> out) {
                   flatten(PiecePass(data, shape).run(rows, folded, work), out);
                 });
  return unflatten(sums, data, shape);
}

Matrix assemble_precision(const std::vector<Matrix>& grams, int predictors) {
  if (predictors == 1) {
    return grams[0];
  }
  const Index d = grams[0].rows();
  Matrix precision = Matrix::Zero(d * predictors, d * predictors);
  std::size_t pair = 0;
  for (Index k = 1; k < predictors; ++k) {
    for (Index j = 0; j < k; ++j, ++pair) {
      precision.block(j * d, j * d, d, d) += grams[pair];
      precision.block(k * d, k * d, d, d) += grams[pair];
      precision.block(j * d, k * d, d, d) -= grams[pair];
      precision.block(k * d, j * d, d, d) -= grams[pair];
    }
  }
  return precision;
}

}  // namespace flymc
