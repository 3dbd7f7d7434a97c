#include "flymc/target/bounds.hpp"

#include <utility>

namespace flymc {

Collapsed::Collapsed(double constant, Vector linear, Matrix gram, int predictors)
    : constant_(constant),
      linear_(std::move(linear)),
      gram_(std::move(gram)),
      predictors_(predictors) {}

// S delta for class c is K gram delta_c - sum over classes of gram delta_j (one class: gram delta).
double Collapsed::evaluate(const Vector& delta, Vector& product, Vector* gradient) const noexcept {
  const Index d = gram_.rows();
  for (Index c = 0; c < predictors_; ++c) {
    product.segment(c * d, d).noalias() = gram_ * delta.segment(c * d, d);
  }
  for (Index i = 0; predictors_ > 1 && i < d; ++i) {
    double total = 0.0;
    for (Index c = 0; c < predictors_; ++c) {
      total += product[c * d + i];
    }
    for (Index c = 0; c < predictors_; ++c) {
      product[c * d + i] = predictors_ * product[c * d + i] - total;
    }
  }
  if (gradient != nullptr) {
    *gradient += linear_ - product;
  }
  return constant_ + linear_.dot(delta) - 0.5 * product.dot(delta);
}

Matrix Collapsed::precision() const {
  const int pairs = predictors_ == 1 ? 1 : predictors_ * (predictors_ - 1) / 2;
  return assemble_precision(std::vector<Matrix>(static_cast<std::size_t>(pairs), gram_),
                            predictors_);
}

}  // namespace flymc
