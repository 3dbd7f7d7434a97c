#include "tune/shrinkage.hpp"

#include <algorithm>

namespace flymc {
namespace {

// rho. For n independent draws x_k (centred) beta^2 = sum_k |x_k x_k' - S|^2 / n^2, where the sum
// is sum_k |x_k|^4 - n |S|^2; draws worth n_eff have n / n_eff times that.
double shrinkage(const Matrix& centred, const Matrix& sample, double effective) {
  const auto n = static_cast<double>(centred.rows());
  const double mean = sample.trace() / static_cast<double>(sample.rows());
  const double delta =
      (sample - mean * Matrix::Identity(sample.rows(), sample.cols())).squaredNorm();
  const double fourth = centred.rowwise().squaredNorm().squaredNorm() / n;
  const double beta = std::max(0.0, fourth - sample.squaredNorm()) / effective;
  // Below any noise, but not zero: two draws have x_k x_k' = S, so that beta = 0 and S is singular.
  const double least = 1.0 / (effective * effective);
  return beta >= delta ? 1.0 : std::max(least, beta / delta);
}

}  // namespace

Matrix shrunk_covariance(const Matrix& draws, double effective_draws) {
  const Index d = draws.cols();
  const auto n = static_cast<double>(draws.rows());
  if (draws.rows() < 2) {
    return Matrix::Identity(d, d);
  }
  const double effective = std::clamp(effective_draws, 1.0, n);
  const Matrix centred = draws.rowwise() - draws.colwise().mean();
  Matrix sample = Matrix::Zero(d, d);
  sample.selfadjointView<Eigen::Lower>().rankUpdate(centred.transpose(), 1.0 / n);
  sample.triangularView<Eigen::StrictlyUpper>() = sample.transpose();
  const double mean = sample.trace() / static_cast<double>(d);
  if (!(mean > 0.0)) {
    return Matrix::Identity(d, d);
  }
  const double rho = shrinkage(centred, sample, effective);
  sample *= 1.0 - rho;
  sample.diagonal().array() += rho * mean;
  return sample * (n / (n - 1.0));  // the mean was estimated from the same draws
}

}  // namespace flymc
