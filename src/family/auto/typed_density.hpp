// A typed-in likelihood of one predictor and the response alone, in the form that Automatic takes.
#pragma once

#include <array>
#include <utility>

#include "family/auto/expression.hpp"

namespace flymc {

class TypedDensity {
 public:
  // REQUIRES: one predictor and one column.
  explicit TypedDensity(Expression expression) : expression_(std::move(expression)) {}

  [[nodiscard]] const Expression& expression() const noexcept { return expression_; }
  template <class T>
  [[nodiscard]] T log_density(const T& eta, double y) const noexcept {
    return expression_.log_density(std::array{eta}, {&y, 1});
  }

 private:
  Expression expression_;
};

}  // namespace flymc
