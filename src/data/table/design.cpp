#include "flymc/detail/data/table/design.hpp"

#include <utility>

#include "flymc/error.hpp"

namespace flymc {

Design::Design(Index columns, std::vector<std::vector<Index>> chosen)
    : columns_(columns), chosen_(std::move(chosen)), firsts_(1, 0) {
  for (const std::vector<Index>& one : chosen_) {
    Index before = -1;
    for (const Index column : one) {
      if (column <= before || column >= columns) {
        throw Error(ErrorKind::kInternal, "Design: columns are not ascending numbers of columns.");
      }
      before = column;
    }
    firsts_.push_back(firsts_.back() + static_cast<Index>(one.size()));
  }
}

void Design::check(int predictors, bool own_columns) const {
  if (chosen_.size() != (own_columns ? static_cast<std::size_t>(predictors) : 0)) {
    throw Error(ErrorKind::kInternal,
                own_columns ? "Design: a likelihood of predictors with columns of their own needs "
                              "Dataset::Options::predictors, the columns of each."
                            : "Design: a likelihood whose predictors have all columns takes no "
                              "Dataset::Options::predictors.");
  }
}

void Design::add_products(const double* x, const double* theta, int predictors,
                          double* u) const noexcept {
  for (int k = 0; k < predictors; ++k) {
    if (is_whole(k)) {
      u[k] += ConstVectorView(x, columns_).dot(ConstVectorView(theta + first(k), columns_));
      continue;
    }
    double sum = 0.0;
    for (Index c = 0; c < size(k); ++c) {
      sum += x[column(k, c)] * theta[first(k) + c];
    }
    u[k] += sum;
  }
}

void Design::add_row(const double* x, const double* u, int predictors,
                     double* theta) const noexcept {
  for (int k = 0; k < predictors; ++k) {
    if (is_whole(k)) {
      VectorView(theta + first(k), columns_) += u[k] * ConstVectorView(x, columns_);
      continue;
    }
    for (Index c = 0; c < size(k); ++c) {
      theta[first(k) + c] += u[k] * x[column(k, c)];
    }
  }
}

ConstRowMatrixView Design::columns_of(int predictor, const ConstRowMatrixView& rows,
                                      RowMatrix& scratch) const {
  if (is_whole(predictor)) {
    return rows;
  }
  scratch.resize(rows.rows(), size(predictor));
  for (Index c = 0; c < scratch.cols(); ++c) {
    scratch.col(c) = rows.col(column(predictor, c));
  }
  return {scratch.data(), scratch.rows(), scratch.cols()};
}

}  // namespace flymc
