#include "flymc/detail/posterior/cubature.hpp"

#include <algorithm>
#include <cmath>

namespace flymc {

PrincipalAxes::PrincipalAxes(CurvatureForm form, int predictors)
    : form_(form),
      squares_(predictors, predictors),
      axes_(predictors, form == CurvatureForm::kSymmetric ? predictors : predictors - 1) {}

const Matrix& PrincipalAxes::of(const double* leverage) {
  if (squares_.rows() == 1) {
    axes_(0, 0) = kCubatureReach * *leverage;
  } else if (form_ == CurvatureForm::kSymmetric) {
    of_covariance(leverage);
  } else {
    of_differences(leverage);
  }
  return axes_;
}

// Differences alone matter: with D_jk = r_jk^2 the centred covariance is -J D J / 2, J = I - 11'/K.
void PrincipalAxes::of_differences(const double* leverage) {
  const Index k = squares_.rows();
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
}

void PrincipalAxes::of_covariance(const double* leverage) noexcept {
  axes_.setZero();
  for (Index k = 0; k < axes_.rows(); ++k) {
    for (Index l = 0; l <= k; ++l) {
      const double rest = 3.0 * *leverage++ - axes_.row(k).head(l).dot(axes_.row(l).head(l));
      const double pivot = axes_(l, l);
      axes_(k, l) = k == l ? std::sqrt(std::max(rest, 0.0)) : pivot > 0.0 ? rest / pivot : 0.0;
    }
  }
}

}  // namespace flymc
