// Which columns every linear predictor is made of. Coefficients stand in theta predictor by
// predictor, each predictor's in the order of its columns.
#pragma once

#include <vector>

#include "flymc/detail/core/linalg.hpp"

namespace flymc {

class Design {
 public:
  // All columns for each of any number of predictors.
  explicit Design(Index columns) : columns_(columns) {}
  // Columns of each predictor, ascending; one may have none, and is 0 then (cut points remain).
  Design(Index columns, std::vector<std::vector<Index>> chosen);

  [[nodiscard]] Index columns() const noexcept { return columns_; }
  [[nodiscard]] bool is_chosen() const noexcept { return !chosen_.empty(); }

  // Of one predictor: how many coefficients, and where in theta the first stands.
  [[nodiscard]] Index size(int predictor) const noexcept {
    return is_chosen() ? static_cast<Index>(of(predictor).size()) : columns_;
  }
  [[nodiscard]] Index first(int predictor) const noexcept {
    return is_chosen() ? firsts_[static_cast<std::size_t>(predictor)] : predictor * columns_;
  }
  [[nodiscard]] Index column(int predictor, Index coefficient) const noexcept {
    return is_chosen() ? of(predictor)[static_cast<std::size_t>(coefficient)] : coefficient;
  }
  [[nodiscard]] bool is_whole(int predictor) const noexcept { return size(predictor) == columns_; }
  // The offset of a table is every predictor's, or where these have columns of their own the
  // first's. (Predictors of several draws may stand side by side.)
  [[nodiscard]] bool takes_offset(Index predictor) const noexcept {
    return !is_chosen() || predictor % static_cast<Index>(chosen_.size()) == 0;
  }
  // THROWS Error(kInternal) unless that many predictors have columns of their own, or none has.
  void check(int predictors, bool own_columns) const;
  // Of all predictors.
  [[nodiscard]] Index parameters(int predictors) const noexcept { return first(predictors); }

  // u_k = sum over its columns of x_j theta_kj, of one row; u holds a number per predictor.
  void add_products(const double* x, const double* theta, int predictors, double* u) const noexcept;
  // theta_kj += u_k x_j: a row's share of a gradient.
  void add_row(const double* x, const double* u, int predictors, double* theta) const noexcept;

  // Columns of some rows that belong to a predictor; `scratch` where they have to be put together.
  [[nodiscard]] ConstRowMatrixView columns_of(int predictor, const ConstRowMatrixView& rows,
                                              RowMatrix& scratch) const;

 private:
  [[nodiscard]] const std::vector<Index>& of(int predictor) const noexcept {
    return chosen_[static_cast<std::size_t>(predictor)];
  }

  Index columns_;
  std::vector<std::vector<Index>> chosen_;  // empty: all
  std::vector<Index> firsts_;               // with the number of parameters at the end
};

}  // namespace flymc
