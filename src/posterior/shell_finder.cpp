#include "flymc/detail/posterior/shell_finder.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <vector>

#include "core/message.hpp"
#include "flymc/error.hpp"

namespace flymc {

ShellFinder::ShellFinder(const Tangents& tangents, const Dataset& data, const Frame& frame)
    : shells_(tangents.shells), shared_(0, frame.dimension()) {
  std::vector<Index> coefficients;
  for (int k = 0; k < tangents.predictors && !shells_.shared_radii.empty(); ++k) {
    if (tangents.shared[static_cast<std::size_t>(k)]) {
      coefficients.push_back(data.design().first(k));
    }
  }
  if (coefficients.empty()) {
    return;
  }
  const auto count = static_cast<Index>(coefficients.size());
  shared_.resize(count, frame.dimension());
  Matrix root(count, frame.dimension());  // C = root root'
  const Matrix covariance_root = frame.covariance_root();
  Vector row(frame.dimension());
  for (Index c = 0; c < count; ++c) {
    const Index j = coefficients[static_cast<std::size_t>(c)];
    frame.pull_back(Vector::Unit(frame.dimension(), j), row);  // u_c = delta_j = row.zeta
    shared_.row(c) = row.transpose();
    root.row(c) = covariance_root.row(j);
  }
  const Eigen::LLT<Matrix> cholesky(root * root.transpose());
  if (cholesky.info() != Eigen::Success) {  // a w that is no number would be inside of every shell
    throw Error(ErrorKind::kData, "the posterior precision is not positive definite",
                message("use a tighter {}.", Setting{"prior"}));
  }
  shared_ = Matrix(cholesky.matrixL().solve(shared_));
}

int ShellFinder::shell(const Vector& zeta, double norm) const noexcept {
  double shared = 0.0;
  for (Index c = 0; c < shared_.rows(); ++c) {
    shared = std::max(shared, std::abs(shared_.row(c).dot(zeta)));
  }
  return shells_.of(norm, shared);
}

}  // namespace flymc
