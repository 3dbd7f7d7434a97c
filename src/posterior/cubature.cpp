#include "flymc/detail/posterior/cubature.hpp"

#include <algorithm>
#include <cmath>

namespace flymc {

PrincipalAxes::PrincipalAxes(int predictors)
    : squares_(predictors, predictors), axes_(predictors, predictors == 1 ? 1 : predictors - 1) {}

// Differences alone matter: with D_jk = r_jk^2 the centred covariance is -J D J / 2, J = I - 11'/K.
const Matrix& PrincipalAxes::of(const double* leverage) {
  const Index k = squares_.rows();
  if (k == 1) {
    axes_(0, 0) = kCubatureReach * *leverage;
    return axes_;
  }
  squares_.setZero();
  for (Index b = 1; b < k; ++b) {
    for (Index a = 0; a < b; ++a, ++leverage) {
      squares_(a, b) = squares_(b, a) = *leverage * *leverage;
    }
  }
  const Vector rows = squares_.rowwise().mean();
  const double mean = rows.mean();
  for (Index a = 0; a < k; ++a) {
    for (Index b = 0; b < k; ++b) {
      squares_(a, b) = -0.5 * (squares_(a, b) - rows[a] - rows[b] + mean);
    }
  }
  eigen_.compute(squares_);  // ascending; the first is the common shift, zero
  for (Index i = 1; i < k; ++i) {
    axes_.col(i - 1) =
        std::sqrt(3.0 * std::max(0.0, eigen_.eigenvalues()[i])) * eigen_.eigenvectors().col(i);
  }
  return axes_;
}

}  // namespace flymc
