// A sum over every row of a function of its predictors, with its gradient in theta: the likelihood
// of all data, formed over pieces and over ranks (piece_sum.hpp). One instance a chain: it owns its
// scratch.
#pragma once

#include <algorithm>
#include <vector>

#include "flymc/dataset.hpp"
#include "flymc/detail/core/interruption.hpp"
#include "flymc/detail/posterior/query.hpp"
#include "flymc/detail/ranks/piece_sum.hpp"

namespace flymc {

class FullSum {
 public:
  FullSum(const Dataset& data, int predictors)
      : data_(data),
        folded_(data.folded_rows(), predictors),
        folded_gradient_(data.folded_rows(), predictors),
        eta_(kBlockRows, predictors),
        slopes_(kBlockRows, predictors),
        values_(1),
        with_slopes_(1 + static_cast<std::size_t>(folded_gradient_.size())),
        sums_(1 + static_cast<std::size_t>(folded_gradient_.size())) {}

  // term(n, eta, slopes) returns row n's share and fills its slopes where they are not null. Counts
  // one query a row, those of other ranks included; sets the gradient where one is given.
  // Collective.
  template <class Term>
  [[nodiscard]] double evaluate(const Vector& theta, QueryCounter& counter, Term&& term,
                                Vector* gradient) {
    data_.fold(theta, folded_);
    const SequentialRead in_order = data_.streaming();
    const Shard& shard = data_.shard();
    PieceTree& tree = gradient == nullptr ? values_ : with_slopes_;
    tree.restart();
    for (const Shard::Piece& piece : shard.pieces()) {
      poll_interruption();
      sums_[0] = sum_piece(piece.rows, counter, term, gradient != nullptr);
      std::copy_n(folded_gradient_.data(), folded_gradient_.size(), sums_.data() + 1);
      tree.push(piece.number, sums_.data());
    }
    counter.count_elsewhere(shard.rows() - shard.mine().size());
    const std::span<const double> all = tree.finish(shard.ranks());
    if (gradient != nullptr) {
      folded_gradient_ = Eigen::Map<const Matrix>(all.data() + 1, folded_gradient_.rows(),
                                                  folded_gradient_.cols());
      data_.unfold_gradient(folded_gradient_, *gradient);
    }
    return all[0];
  }

 private:
  static constexpr std::size_t kBlockRows = 32;  // 256 columns of them stay in the nearest cache

  template <class Term>
  [[nodiscard]] double sum_piece(RowRange piece, QueryCounter& counter, Term&& term,
                                 bool with_slopes) {
    folded_gradient_.setZero();
    double sum = 0.0;
    for (std::size_t first = piece.first; first < piece.last; first += kBlockRows) {
      const RowRange range{first, std::min(first + kBlockRows, piece.last)};
      const auto count = static_cast<Index>(range.size());
      RowMatrixView eta(eta_.data(), count, eta_.cols());
      const Dataset::RawBlock raw = data_.raw(range, raw_);
      data_.predict(raw, folded_, eta);
      counter.query(range.size(), [&](std::size_t i) {
        const auto row = static_cast<Index>(i);
        sum += term(first + i, &eta(row, 0), with_slopes ? &slopes_(row, 0) : nullptr);
      });
      if (with_slopes) {
        Dataset::add_slopes(raw, ConstRowMatrixView(slopes_.data(), count, slopes_.cols()),
                            folded_gradient_);
      }
    }
    return sum;
  }

  const Dataset& data_;
  Matrix folded_;
  Matrix folded_gradient_;
  Buffer<double> raw_;
  RowMatrix eta_;
  RowMatrix slopes_;
  PieceTree values_;
  PieceTree with_slopes_;
  std::vector<double> sums_;  // of one piece: value, then folded gradient
};

}  // namespace flymc
