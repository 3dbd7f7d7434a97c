#include "flymc/detail/posterior/row_products.hpp"

#include <algorithm>

namespace flymc {
namespace {

// With several predictors rows are read several times: this many stay in the nearest cache.
constexpr Index kNearRows = 32;

}  // namespace

double* RowProducts::predict(const BrightRows& from, RowRange slots, const Vector& zeta) {
  const auto rows = from.rows(slots.first, slots.last);
  if (rows.rows() == 0) {
    return u_.data();
  }
  const auto predictors = static_cast<Index>(from.predictors());
  u_.resize(std::max(u_.size(), slots.size() * from.predictors()));
  RowMatrixView u(u_.data(), rows.rows(), predictors);
  if (from.framed()) {
    u.col(0).noalias() = rows * zeta;
  } else if (design_.is_chosen()) {
    frame_.to_delta(zeta, delta_);
    u.setZero();
    for (Index i = 0; i < u.rows(); ++i) {
      design_.add_products(rows.row(i).data(), delta_.data(), static_cast<int>(predictors),
                           u.row(i).data());
    }
  } else {
    frame_.to_delta(zeta, delta_);
    const Eigen::Map<const Matrix> delta(delta_.data(), rows.cols(), predictors);
    for (Index i = 0; i < u.rows(); i += kNearRows) {
      const Index count = std::min(kNearRows, u.rows() - i);
      for (Index k = 0; k < u.cols(); ++k) {
        u.col(k).segment(i, count).noalias() = rows.middleRows(i, count) * delta.col(k);
      }
    }
  }
  u += ConstRowMatrixView(from.shift(slots.first), u.rows(), u.cols());
  return u_.data();
}

void RowProducts::force(const BrightRows& from, RowRange slots, const double* slopes,
                        Eigen::Ref<Vector> out) {
  const auto rows = from.rows(slots.first, slots.last);
  const ConstRowMatrixView by_row(slopes, rows.rows(), static_cast<Index>(from.predictors()));
  if (rows.rows() == 0) {
    out.setZero();
  } else if (from.framed()) {
    out.noalias() = rows.transpose() * by_row.col(0);
  } else if (design_.is_chosen()) {
    theta_gradient_.setZero();
    for (Index i = 0; i < rows.rows(); ++i) {
      design_.add_row(rows.row(i).data(), by_row.row(i).data(), static_cast<int>(by_row.cols()),
                      theta_gradient_.data());
    }
    frame_.pull_back(theta_gradient_, delta_);
    out = delta_;
  } else {
    theta_gradient_.setZero();
    for (Index i = 0; i < rows.rows(); i += kNearRows) {
      const Index count = std::min(kNearRows, rows.rows() - i);
      for (Index k = 0; k < by_row.cols(); ++k) {
        theta_gradient_.segment(k * rows.cols(), rows.cols()).noalias() +=
            rows.middleRows(i, count).transpose() * by_row.col(k).segment(i, count);
      }
    }
    frame_.pull_back(theta_gradient_, delta_);
    out = delta_;
  }
}

}  // namespace flymc
