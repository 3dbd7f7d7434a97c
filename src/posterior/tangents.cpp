#include "flymc/detail/posterior/tangents.hpp"

namespace flymc {

double Tangents::reach_of(const double* row_leverage) const noexcept {
  if (!has_covariances()) {
    return *std::max_element(row_leverage, row_leverage + pairs) / units[0];
  }
  double reach = 0.0;
  for (int k = 0; k < predictors; row_leverage += ++k) {
    reach = std::max(reach, std::sqrt(row_leverage[k]) / units[static_cast<std::size_t>(k)]);
  }
  return reach;
}

double Tangents::expected_bend(const double* curvature, const double* row_leverage) const noexcept {
  double sum = 0.0;
  if (has_covariances()) {  // tr(A V)
    for (int k = 0; k < predictors; ++k) {
      for (int l = 0; l < k; ++l) {
        sum += 2.0 * *curvature++ * *row_leverage++;
      }
      sum += *curvature++ * *row_leverage++;
    }
  } else {
    for (int p = 0; p < pairs; ++p) {
      sum += curvature[p] * row_leverage[p] * row_leverage[p];
    }
  }
  return sum;
}

}  // namespace flymc
