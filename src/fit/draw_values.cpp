#include "fit/draw_values.hpp"

namespace flymc {

DrawValues::DrawValues(const Problem& problem)
    : data_(problem.data),
      auxiliaries_(problem.family->type().auxiliaries),
      linear_(problem.predictors() - static_cast<int>(auxiliaries_.size())),
      folded_(data_.folded_rows(), problem.predictors()) {
  values_.reserve(problem.parameters.size());
}

std::span<const double> DrawValues::of(const Vector& theta) {
  data_.fold(theta, folded_);
  values_.clear();
  const Index slopes = folded_.rows() - 1;
  for (Index k = 0; data_.has_intercept(0) && k < linear_; ++k) {
    values_.push_back(folded_(slopes, k));
  }
  for (Index k = 0; k < linear_; ++k) {
    for (Index j = 0; j < slopes; ++j) {
      values_.push_back(folded_(j, k));
    }
  }
  for (std::size_t k = 0; k < auxiliaries_.size(); ++k) {
    const double predictor = folded_(slopes, linear_ + static_cast<Index>(k));
    values_.push_back(to_natural(auxiliaries_[k].natural, predictor));
  }
  return values_;
}

}  // namespace flymc
