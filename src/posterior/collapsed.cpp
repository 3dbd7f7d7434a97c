#include "flymc/detail/posterior/collapsed.hpp"

#include <utility>

#include "posterior/grams.hpp"

namespace flymc {

Collapsed::Collapsed(Vector centre, double constant, Vector linear, Matrix curvature,
                     int predictors)
    : centre_(std::move(centre)),
      constant_(constant),
      linear_(std::move(linear)),
      curvature_(std::move(curvature)),
      blocks_(curvature_.rows() == centre_.size() ? 1 : predictors) {}

// S delta for class c is K gram delta_c - sum over classes of gram delta_j (one class: gram delta).
double Collapsed::evaluate(const Vector& delta, Vector& product, Vector* gradient) const noexcept {
  const Index d = curvature_.rows();
  for (Index c = 0; c < blocks_; ++c) {
    product.segment(c * d, d).noalias() = curvature_ * delta.segment(c * d, d);
  }
  for (Index i = 0; blocks_ > 1 && i < d; ++i) {
    double total = 0.0;
    for (Index c = 0; c < blocks_; ++c) {
      total += product[c * d + i];
    }
    for (Index c = 0; c < blocks_; ++c) {
      product[c * d + i] = blocks_ * product[c * d + i] - total;
    }
  }
  if (gradient != nullptr) {
    *gradient += linear_ - product;
  }
  return constant_ + linear_.dot(delta) - 0.5 * product.dot(delta);
}

void Collapsed::add(const Collapsed& other, double sign) {
  constant_ += sign * other.constant_;
  linear_ += sign * other.linear_;
  curvature_ += sign * other.curvature_;
}

Matrix Collapsed::precision() const {
  return blocks_ == 1 ? curvature_ : equal_pairs_precision(curvature_, blocks_);
}

}  // namespace flymc
