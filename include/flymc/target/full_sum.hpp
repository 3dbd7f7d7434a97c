// A sum over every row of a function of its predictors, with its gradient in theta: the likelihood
// of all data. One instance a chain: it owns its scratch.
#pragma once

#include <algorithm>

#include "flymc/data/dataset.hpp"
#include "flymc/target/query.hpp"

namespace flymc {

class FullSum {
 public:
  FullSum(const Dataset& data, int predictors)
      : data_(data),
        folded_(data.folded_rows(), predictors),
        folded_gradient_(data.folded_rows(), predictors),
        gradient_(data.columns(), predictors),
        eta_(kBlockRows, predictors),
        slopes_(kBlockRows, predictors) {}

  // term(n, eta, slopes) returns row n's share and fills its slopes where they are not null. Counts
  // one query a row; sets the gradient where one is given.
  template <class Term>
  [[nodiscard]] double evaluate(const Vector& theta, QueryCounter& counter, Term&& term,
                                Vector* gradient) {
    data_.fold(Eigen::Map<const Matrix>(theta.data(), data_.columns(), folded_.cols()), folded_);
    folded_gradient_.setZero();
    const SequentialRead in_order = data_.streaming();
    double sum = 0.0;
    for (std::size_t first = 0; first < data_.rows(); first += kBlockRows) {
      const RowRange range{first, std::min<std::size_t>(first + kBlockRows, data_.rows())};
      const auto count = static_cast<Index>(range.size());
      RowMatrixView eta(eta_.data(), count, eta_.cols());
      const Dataset::RawBlock raw = data_.raw(range, raw_);
      data_.predict(raw, folded_, eta);
      counter.query(range.size(), [&](std::size_t i) {
        const auto row = static_cast<Index>(i);
        sum += term(first + i, &eta(row, 0), gradient == nullptr ? nullptr : &slopes_(row, 0));
      });
      if (gradient != nullptr) {
        Dataset::add_slopes(raw, ConstRowMatrixView(slopes_.data(), count, slopes_.cols()),
                            folded_gradient_);
      }
    }
    if (gradient != nullptr) {
      data_.unfold_gradient(folded_gradient_, gradient_);
      *gradient = VectorView(gradient_.data(), gradient_.size());
    }
    return sum;
  }

 private:
  static constexpr std::size_t kBlockRows = 32;  // 256 columns of them stay in the nearest cache

  const Dataset& data_;
  Matrix folded_;
  Matrix folded_gradient_;
  Matrix gradient_;
  Buffer<double> raw_;
  RowMatrix eta_;
  RowMatrix slopes_;
};

}  // namespace flymc
