// The dense types of the engine (Eigen's), named once.
#pragma once

#include <Eigen/Dense>

namespace flymc {

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using VectorView = Eigen::Map<Vector>;
using ConstVectorView = Eigen::Map<const Vector>;
using RowMatrixView = Eigen::Map<RowMatrix>;
using ConstRowMatrixView = Eigen::Map<const RowMatrix>;

// The mean of numbers, the same wherever they lie: Eigen's sum of memory begins where that is
// aligned, its sum of an expression at the first.
template <class Numbers>
[[nodiscard]] double mean_of(const Numbers& v) {
  return (v.array() + 0.0).mean();
}

}  // namespace flymc

// Compiled once, in src/core/linalg.cpp: each costs every file that uses it seconds.
namespace Eigen {
extern template LLT<MatrixXd>& LLT<MatrixXd>::compute(const EigenBase<MatrixXd>&);
extern template SelfAdjointEigenSolver<MatrixXd>& SelfAdjointEigenSolver<MatrixXd>::compute(
    const EigenBase<MatrixXd>&, int);
}  // namespace Eigen
