#include "flymc/detail/core/linalg.hpp"
#include "flymc/detail/family/tangent.hpp"

namespace flymc {
namespace {

double upward(double value, Sign sign) noexcept {
  return sign == Sign::kAbsolute ? std::abs(value) : std::max(value, 0.0);
}

// f(A) of a symmetric matrix {a, b; b, c} with eigenvalues m - h and m + h is the line through f of
// both, at A.
void make_pair_upward(Sign sign, double* abc) noexcept {
  const double middle = 0.5 * (abc[0] + abc[2]);
  const double half = std::hypot(0.5 * (abc[0] - abc[2]), abc[1]);
  const double low = upward(middle - half, sign);
  const double high = upward(middle + half, sign);
  const double slope = half > 0.0 ? 0.5 * (high - low) / half : 0.0;
  const double level = 0.5 * (low + high) - slope * middle;
  abc[0] = level + slope * abc[0];
  abc[1] = slope * abc[1];
  abc[2] = level + slope * abc[2];
}

void make_matrix_upward(int predictors, Sign sign, double* curvature) {
  Matrix whole(predictors, predictors);
  const double* in = curvature;
  for (int k = 0; k < predictors; ++k) {
    for (int l = 0; l <= k; ++l) {
      whole(k, l) = whole(l, k) = *in++;
    }
  }
  if (!whole.allFinite()) {
    return;
  }
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(whole);
  for (int k = 0; k < predictors; ++k) {
    for (int l = 0; l <= k; ++l, ++curvature) {
      *curvature = 0.0;
      for (int i = 0; i < predictors; ++i) {
        *curvature += eigen.eigenvectors()(k, i) * upward(eigen.eigenvalues()[i], sign) *
                      eigen.eigenvectors()(l, i);
      }
    }
  }
}

}  // namespace

void make_upward(CurvatureForm form, int predictors, Sign sign, double* curvature) noexcept {
  if (form == CurvatureForm::kLaplacian || predictors == 1) {
    const int count = predictors == 1 ? 1 : predictors * (predictors - 1) / 2;
    std::for_each_n(curvature, count, [&](double& value) { value = upward(value, sign); });
  } else if (predictors == 2) {
    make_pair_upward(sign, curvature);
  } else {
    make_matrix_upward(predictors, sign, curvature);
  }
}

}  // namespace flymc
