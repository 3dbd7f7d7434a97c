#include <Eigen/Eigenvalues>

#include "flymc/detail/family/tangent.hpp"

namespace flymc {
namespace {

double upward(double value, Sign sign) noexcept {
  return sign == Sign::kAbsolute ? std::abs(value) : std::max(value, 0.0);
}

}  // namespace

void make_upward(CurvatureForm form, int predictors, Sign sign, double* curvature) noexcept {
  if (form == CurvatureForm::kLaplacian || predictors == 1) {
    const int count = predictors == 1 ? 1 : predictors * (predictors - 1) / 2;
    std::for_each_n(curvature, count, [&](double& value) { value = upward(value, sign); });
    return;
  }
  constexpr int kMost = static_cast<int>(kMostPredictors);  // so that nothing is allocated
  using Form = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMost, kMost>;
  Form whole(predictors, predictors);
  const double* in = curvature;
  for (int k = 0; k < predictors; ++k) {
    for (int l = 0; l <= k; ++l) {
      whole(k, l) = whole(l, k) = *in++;
    }
  }
  if (!whole.allFinite()) {
    return;
  }
  const Eigen::SelfAdjointEigenSolver<Form> eigen(whole);
  const auto values = eigen.eigenvalues().unaryExpr([&](double v) { return upward(v, sign); });
  whole = eigen.eigenvectors() * values.asDiagonal() * eigen.eigenvectors().transpose();
  for (int k = 0; k < predictors; ++k) {
    for (int l = 0; l <= k; ++l) {
      *curvature++ = whole(k, l);
    }
  }
}

}  // namespace flymc
