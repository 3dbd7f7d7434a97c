#include "fit/draw_values.hpp"

namespace flymc {

DrawValues::DrawValues(const Problem& problem)
    : data_(problem.data),
      places_(problem.places),
      folded_(data_.folded_rows(), problem.predictors()) {
  values_.reserve(problem.parameters.size());
  if (problem.groups) {
    scales_.emplace(problem.groups->sd_priors, problem.groups->term.correlated);
    levels_ = problem.groups->keeps_levels ? data_.factors().front().labels.size() : 0;
  }
}

std::span<const double> DrawValues::of(const Vector& theta) {
  data_.fold(scales_ ? theta.head(data_.columns()) : theta, folded_);
  values_.clear();
  const Index constant = folded_.rows() - 1;
  for (const ParameterPlace& place : places_) {
    const Index row = place.column == ParameterPlace::kConstant ? constant : place.column;
    values_.push_back(to_natural(place.natural, folded_(row, place.predictor)));
  }
  if (scales_) {
    add_groups(theta);
  }
  return values_;
}

// theta = (fixed effects, levels one after the other, scales).
void DrawValues::add_groups(const Vector& theta) {
  for (const double value : scales_->natural(theta.tail(scales_->size()))) {
    values_.push_back(value);
  }
  const Index q = scales_->coefficients();
  for (Index j = 0; j < q; ++j) {
    for (std::size_t level = 0; level < levels_; ++level) {
      values_.push_back(theta[data_.columns() + static_cast<Index>(level) * q + j]);
    }
  }
}

}  // namespace flymc
