// What a row adds to a joint density, written down from its definition.
#pragma once

#include "groups/row_bounds.hpp"

namespace flymc::test {

// log L, or with `tangent` the parabola of its tangent instead, at (eta, shared); tangents touch at
// `shared_touch`.
inline double log_row(const RowModel& model, const RowBounds& bounds, const Vector& shared_touch,
                      std::size_t n, double response, double eta, const Vector& shared,
                      bool tangent) {
  const auto m = static_cast<Index>(model.shared());
  const double at = tangent ? bounds.touch[n] : eta;
  const Vector& where = tangent ? shared_touch : shared;
  double value = 0.0;
  Vector slopes(1 + m), information(static_cast<Index>(model.curvatures())), off(1 + m);
  model.evaluate({1, &at, &response, where.data()}, &value, slopes.data(), information.data());
  if (!tangent) {
    return value;
  }
  off << eta - at, shared - where;
  value += slopes.dot(off);
  const double* bend = bounds.curvature_of(n);
  for (Index i = 0; i <= m; ++i) {
    for (Index j = 0; j <= i; ++j) {
      value -= (i == j ? 0.5 : 1.0) * *bend++ * off[i] * off[j];
    }
  }
  return value;
}

}  // namespace flymc::test
