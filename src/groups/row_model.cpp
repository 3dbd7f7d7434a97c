#include "groups/row_model.hpp"

namespace flymc {

MatrixRowModel::MatrixRowModel(std::shared_ptr<const MatrixModel> model)
    : model_(std::move(model)), shared_(static_cast<std::size_t>(model_->predictors()) - 1) {}

RowSlopes MatrixRowModel::joined(double first, const double* shared) const noexcept {
  RowSlopes all{first};
  std::copy_n(shared, shared_, all.begin() + 1);
  return all;
}

void MatrixRowModel::evaluate(const RowPoints& at, double* value, double* slopes,
                              double* information) const {
  for (std::size_t i = 0; i < at.size; ++i) {
    const RowSlopes eta = joined(at.eta[i], at.shared);
    value[i] = model_->log_likelihood(eta.data(), at.response[i], slopes + i * (1 + shared_));
    model_->information(eta.data(), at.response[i], information + i * curvatures());
  }
}

void MatrixRowModel::gaps(const TangentRows& rows, double* gap, double* slope) const {
  RowSlopes slopes;
  for (std::size_t i = 0; i < rows.size; ++i) {
    const RowSlopes touch = joined(rows.touch[i], rows.shared_touch);
    const RowSlopes u = joined(rows.u[i], rows.shared_u);
    const double value =
        model_->remainder(touch.data(), u.data(), rows.response[i], slopes.data()) +
        add_curvature(CurvatureForm::kSymmetric, rows.curvature + i * curvatures(), u.data(),
                      model_->predictors(), slopes.data());
    gap[i] = rows.weight[i] * value;
    slope[i] = rows.weight[i] * slopes[0];
  }
}

// With L of the shared parameters and the radius as the root of a covariance, all coordinates of
// the region are within 1: a box, which derived bounds take each coordinate of by itself.
bool MatrixRowModel::local_curvature(const RowRegion& region, double* out) const {
  const RowSlopes touch = joined(region.touch, region.shared);
  RowCurvature covariance{};
  std::array<bool, kMostSlopes> is_shared{};
  covariance[0] = region.radius * region.radius;
  const auto lower = [&](std::size_t i, std::size_t j) {
    return region.shared_region[j * shared_ + i];
  };
  for (std::size_t j = 0; j < shared_; ++j) {
    is_shared[j + 1] = true;
    for (std::size_t k = 0; k <= j; ++k) {
      for (std::size_t l = 0; l <= k; ++l) {
        covariance[shared_curvature(j) + 1 + k] += lower(j, l) * lower(k, l);
      }
    }
  }
  return model_->local_curvature(touch.data(), region.response,
                                 {.covariance = covariance.data(),
                                  .radius = 1.0,
                                  .shared = is_shared.data(),
                                  .shared_radius = 1.0},
                                 out);
}

double MatrixRowModel::unit(const double* shared) const {
  const RowSlopes eta = joined(0.0, shared);
  RowSlopes units{};
  model_->units(eta.data(), units.data());
  return units[0];
}

}  // namespace flymc
