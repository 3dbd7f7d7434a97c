// Sums over rows of their products, weighted by the numbers of a curvature, and the precision of
// all parameters that they make:
//   one predictor           the sum itself;
//   columns of their own    blocks X_k' W_kl X_l, l <= k, packed;
//   one a class             sum over pairs of (e_j - e_k)(e_j - e_k)' (x) gram_jk; one gram for
//                           all of several pairs stays as it is.
#pragma once

#include <cstddef>
#include <vector>

#include "flymc/detail/core/buffer.hpp"
#include "flymc/detail/core/linalg.hpp"
#include "flymc/detail/data/table/design.hpp"

namespace flymc {

class Grams {
 public:
  // `design` outlives it.
  Grams(const Design& design, int predictors, int count);

  [[nodiscard]] std::size_t count() const noexcept { return grams_.size(); }
  [[nodiscard]] bool empty() const noexcept { return grams_.empty(); }
  // Whether it is the Gram of all columns: its lower triangle alone is kept.
  [[nodiscard]] bool is_square(std::size_t p) const noexcept;
  [[nodiscard]] Matrix& at(std::size_t p) noexcept { return grams_[p]; }

  // Adds these rows to all of them; a column of weights for each.
  void add(const ConstRowMatrixView& rows, const Eigen::Ref<const RowMatrix>& weights);
  void add_to(std::size_t p, const ConstRowMatrixView& rows,
              const Eigen::Ref<const RowMatrix>& weights);

  // As numbers in a row.
  [[nodiscard]] std::size_t size() const noexcept;
  void write(double* out) const noexcept;
  void read(const double* in) noexcept;

  [[nodiscard]] Matrix precision() const;

 private:
  struct Block {
    int k = 0;
    int l = 0;
  };
  [[nodiscard]] Matrix of_blocks() const;
  [[nodiscard]] Matrix of_pairs() const;

  const Design& design_;
  int predictors_;
  std::vector<Block> blocks_;  // where predictors have columns of their own
  std::vector<Matrix> grams_;
  RowMatrix left_;  // scratch
  RowMatrix right_;
  Buffer<double> left_panels_;
  Buffer<double> right_panels_;
};

// The precision where every pair of predictors, one a class, has this Gram: (K I - 11') (x) gram.
[[nodiscard]] Matrix equal_pairs_precision(const Matrix& gram, int predictors);

}  // namespace flymc
