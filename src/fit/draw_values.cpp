#include "fit/draw_values.hpp"

#include "data/table/group_terms.hpp"

namespace flymc {

DrawValues::DrawValues(const Problem& problem)
    : data_(problem.data),
      places_(problem.places),
      folded_(data_.folded_rows(), problem.predictors()) {
  values_.reserve(problem.parameters.size());
  if (problem.groups) {
    scales_.emplace(problem.groups->scales());
    keeps_levels_ = problem.groups->keeps_levels;
    const bool crossed = is_crossed(problem.groups->terms);  // coefficient by coefficient
    for (std::size_t i = 0; i < problem.groups->terms.size(); ++i) {
      const std::size_t q = problem.groups->terms[i].size();
      levels_.insert(levels_.end(), crossed ? q : 1,
                     TermLevels{static_cast<Index>(problem.groups->levels[i]),
                                crossed ? 1 : static_cast<Index>(q)});
    }
  }
}

std::span<const double> DrawValues::of(const Vector& theta) {
  data_.fold(scales_ ? fixed_of(theta) : theta, folded_);
  values_.clear();
  const Index constant = folded_.rows() - 1;
  // What centres take from a first predictor without an intercept, its cut points have.
  const double lost = data_.has_intercept(0) ? 0.0 : folded_(constant, 0);
  for (const ParameterPlace& place : places_) {
    const Index row = place.column == ParameterPlace::kConstant ? constant : place.column;
    const double shift = place.predictor > 0 && row == constant ? lost : 0.0;
    values_.push_back(to_natural(place.natural, folded_(row, place.predictor) - shift));
  }
  if (scales_) {
    add_scales(theta);
  }
  if (keeps_levels_) {
    add_levels(theta);
  }
  return values_;
}

std::span<const double> DrawValues::levels_of(const Vector& theta) {
  values_.clear();
  add_levels(theta);
  return values_;
}

// theta = (fixed effects, levels of each term one after the other, scales, what rows share).
Vector DrawValues::fixed_of(const Vector& theta) const {
  const Index p = data_.columns();
  Vector fixed(p + scales_->shared());
  fixed.head(p) = theta.head(p);
  fixed.tail(fixed.size() - p) = theta.tail(fixed.size() - p);
  return fixed;
}

void DrawValues::add_scales(const Vector& theta) {
  for (const double value : scales_->natural(theta.tail(scales_->size()))) {
    values_.push_back(value);
  }
}

void DrawValues::add_levels(const Vector& theta) {
  Index first = data_.columns();
  for (const auto& [levels, q] : levels_) {
    for (Index j = 0; j < q; ++j) {
      for (Index level = 0; level < levels; ++level) {
        values_.push_back(theta[first + level * q + j]);
      }
    }
    first += levels * q;
  }
}

}  // namespace flymc
