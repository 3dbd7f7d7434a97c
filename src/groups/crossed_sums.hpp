// The Gaussian that collapsed tangents make of (beta, all levels) where a row has several levels:
// S = sum k v v' and b = sum s v over rows, v = (x, weights of its levels). S is dense among fixed
// effects and between these and levels; two levels meet where a row has both. Parameters alpha that
// all rows share (row_model.hpp) add, with a from the anchor, s_a.a - a'(sum k_aa)a/2 - d'T a,
// T = sum v k_a'.
// See docs/method/groups.md, Several factors.
#pragma once

#include "flymc/detail/core/linalg.hpp"
#include "groups/memberships.hpp"

namespace flymc {

class CrossedSums {
 public:
  // The pattern of the data, and so many shared parameters; all zero.
  CrossedSums(const Dataset& data, const Memberships& memberships, Index shared = 0);

  [[nodiscard]] Index fixed() const noexcept { return xx_.rows(); }
  [[nodiscard]] Index size() const noexcept { return b_.size(); }

  void clear();
  // A row of curvature k and slope s at the anchor. REQUIRES: a row of the pattern.
  void add(double k, double s, std::span<const double> x, std::span<const Member> members);
  // What it adds of shared parameters: all its curvatures and slopes, and its weight.
  void add_shared(double weight, const double* curvature, const double* slopes,
                  std::span<const double> x, std::span<const Member> members);
  // After the last row: the lower triangle is the upper one.
  void complete();

  [[nodiscard]] const Vector& b() const noexcept { return b_; }
  [[nodiscard]] const Vector& diagonal() const noexcept { return diagonal_; }
  [[nodiscard]] const Matrix& among_fixed() const noexcept { return xx_; }
  [[nodiscard]] const Matrix& with_shared() const noexcept { return t_; }  // T
  [[nodiscard]] const Vector& shared_slope() const noexcept { return shared_slope_; }
  [[nodiscard]] const Matrix& shared_bend() const noexcept { return shared_bend_; }
  // S d.
  void multiply(const Vector& d, Vector& out) const;
  // Adds S times so much of one level.
  void add_level(std::size_t level, double size, Vector& out) const noexcept;

  // Other levels that a level meets, with what S holds there.
  struct Met {
    std::span<const std::uint32_t> levels;
    std::span<const double> values;
  };
  [[nodiscard]] Met met(std::size_t level) const noexcept {
    const std::size_t first = starts_[level], count = starts_[level + 1] - first;
    return {{columns_.data() + first, count}, {values_.data() + first, count}};
  }
  // What S holds for two levels; of those that meet in a row, quicker.
  [[nodiscard]] double between_or_zero(std::size_t a, std::size_t b) const noexcept {
    const std::size_t at = place(a, b);
    return at < starts_[a + 1] && columns_[at] == b ? values_[at] : 0.0;
  }
  [[nodiscard]] double between(std::size_t a, std::size_t b) const noexcept {
    return values_[place(a, b)];
  }

 private:
  [[nodiscard]] std::size_t place(std::size_t a, std::size_t b) const noexcept;

  Matrix xx_;
  RowMatrix lx_;  // levels x fixed effects
  Vector diagonal_;
  Vector b_;
  Matrix t_;
  Vector shared_slope_;              // s_a
  Matrix shared_bend_;               // sum k_aa, whole once complete
  std::vector<std::size_t> starts_;  // by rows, without the diagonal, both triangles
  std::vector<std::size_t> above_;   // where columns beyond the row's own begin
  Buffer<std::uint32_t> columns_;
  Buffer<double> values_;
};

// (S + prior)^-1 rhs by conjugate gradients, among the coordinates that are not held at zero
// (`held`; empty: all are free). REQUIRES: positive definite.
[[nodiscard]] Vector solve(const CrossedSums& sums, const CrossedPrior& prior, Vector rhs,
                           std::span<const char> held = {}, double tolerance = 1e-9);

}  // namespace flymc
