// The precision of the priors of all coefficients where a row has several levels: diagonal, but for
// coefficients of one level that are correlated, (1 + x | g): there lambda of two terms stands
// between each level of one and the same level of the other.
#pragma once

#include <utility>
#include <vector>

#include "flymc/detail/core/linalg.hpp"

namespace flymc {

// Coefficients that scatter by one scale: positions among (fixed effects, levels).
struct Coefficients {
  Index first = 0;
  Index count = 0;
};

class CrossedPrior {
 public:
  explicit CrossedPrior(Vector diagonal) : diagonal_(std::move(diagonal)) {}

  [[nodiscard]] const Vector& diagonal() const noexcept { return diagonal_; }
  // REQUIRES: as many of one term as of the other.
  void couple(const Coefficients& a, const Coefficients& b, double lambda) {
    pairs_.push_back({a, b, lambda});
  }
  void add_product(const Vector& d, Vector& out) const {
    out += diagonal_.cwiseProduct(d);
    for (const auto& [a, b, lambda] : pairs_) {
      out.segment(a.first, a.count) += lambda * d.segment(b.first, b.count);
      out.segment(b.first, b.count) += lambda * d.segment(a.first, a.count);
    }
  }
  [[nodiscard]] Vector product(const Vector& d) const {
    Vector out = Vector::Zero(d.size());
    add_product(d, out);
    return out;
  }
  // Of two coefficients.
  [[nodiscard]] double between(Index i, Index j) const noexcept {
    for (const auto& [a, b, lambda] : pairs_) {
      const bool one = i - a.first == j - b.first && is_in(i, a) && is_in(j, b);
      const bool other = i - b.first == j - a.first && is_in(i, b) && is_in(j, a);
      if (one || other) {
        return lambda;
      }
    }
    return 0.0;
  }

 private:
  struct Pair {
    Coefficients a;
    Coefficients b;
    double lambda = 0.0;
  };
  [[nodiscard]] static bool is_in(Index i, const Coefficients& of) noexcept {
    return i >= of.first && i < of.first + of.count;
  }

  Vector diagonal_;
  std::vector<Pair> pairs_;
};

}  // namespace flymc
