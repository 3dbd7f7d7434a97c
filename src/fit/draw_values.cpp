#include "fit/draw_values.hpp"

namespace flymc {

DrawValues::DrawValues(const Problem& problem)
    : data_(problem.data),
      predictors_(problem.predictors()),
      folded_(data_.folded_rows(), predictors_) {
  values_.reserve(problem.parameters.size());
}

std::span<const double> DrawValues::of(const Vector& theta) {
  data_.fold(theta, folded_);
  values_.clear();
  const Index slopes = folded_.rows() - 1;
  for (Index k = 0; data_.intercept() && k < predictors_; ++k) {
    values_.push_back(folded_(slopes, k));
  }
  for (Index k = 0; k < predictors_; ++k) {
    for (Index j = 0; j < slopes; ++j) {
      values_.push_back(folded_(j, k));
    }
  }
  return values_;
}

}  // namespace flymc
