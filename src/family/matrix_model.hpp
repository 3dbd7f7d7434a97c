// Models of several predictors behind one face, so that the engine is compiled once for all of
// them: a virtual call a query, beside the hundred operations that a derived bound or a gap takes.
#pragma once

#include <memory>
#include <utility>

#include "flymc/family/likelihood.hpp"

namespace flymc {

// As the functions of a BoundedMatrix.
class MatrixModel {
 public:
  virtual ~MatrixModel() = default;
  [[nodiscard]] virtual int predictors() const noexcept = 0;
  [[nodiscard]] virtual bool has_location() const noexcept = 0;
  [[nodiscard]] virtual bool is_possible(const double* eta) const noexcept = 0;
  virtual void units(const double* eta, double* out) const noexcept = 0;
  [[nodiscard]] virtual double log_likelihood(const double* eta, double response,
                                              double* slopes) const noexcept = 0;
  virtual void information(const double* eta, double response, double* out) const noexcept = 0;
  [[nodiscard]] virtual bool local_curvature(const double* anchor, double response,
                                             const PredictorRegion& region,
                                             double* out) const noexcept = 0;
  [[nodiscard]] virtual double remainder(const double* anchor, const double* u, double response,
                                         double* slopes) const noexcept = 0;
};

template <BoundedMatrix M>
class MatrixModelOf final : public MatrixModel {
 public:
  explicit MatrixModelOf(M model) : model_(std::move(model)) {}

  [[nodiscard]] int predictors() const noexcept override { return model_.predictors(); }
  [[nodiscard]] bool has_location() const noexcept override { return flymc::has_location(model_); }
  [[nodiscard]] bool is_possible(const double* eta) const noexcept override {
    return flymc::is_possible(model_, eta);
  }
  void units(const double* eta, double* out) const noexcept override {
    predictor_units(model_, eta, out);
  }
  [[nodiscard]] double log_likelihood(const double* eta, double response,
                                      double* slopes) const noexcept override {
    return model_.log_likelihood(eta, response, slopes);
  }
  void information(const double* eta, double response, double* out) const noexcept override {
    model_.information(eta, response, out);
  }
  [[nodiscard]] bool local_curvature(const double* anchor, double response,
                                     const PredictorRegion& region,
                                     double* out) const noexcept override {
    return model_.local_curvature(anchor, response, region, out);
  }
  [[nodiscard]] double remainder(const double* anchor, const double* u, double response,
                                 double* slopes) const noexcept override {
    return model_.remainder(anchor, u, response, slopes);
  }

 private:
  M model_;
};

// Any of them as a model of the engine's. Cheap to copy.
class AnyMatrix {
 public:
  static constexpr CurvatureForm kCurvature = CurvatureForm::kSymmetric;
  static constexpr bool kLogConcave = false;  // as far as is known

  explicit AnyMatrix(std::shared_ptr<const MatrixModel> model) : model_(std::move(model)) {}

  [[nodiscard]] const std::shared_ptr<const MatrixModel>& model() const noexcept { return model_; }
  [[nodiscard]] int predictors() const noexcept { return model_->predictors(); }
  [[nodiscard]] bool has_location() const noexcept { return model_->has_location(); }
  [[nodiscard]] bool is_possible(const double* eta) const noexcept {
    return model_->is_possible(eta);
  }
  void units(const double* eta, double* out) const noexcept { model_->units(eta, out); }
  [[nodiscard]] double log_likelihood(const double* eta, double response,
                                      double* slopes) const noexcept {
    return model_->log_likelihood(eta, response, slopes);
  }
  void information(const double* eta, double response, double* out) const noexcept {
    model_->information(eta, response, out);
  }
  [[nodiscard]] bool local_curvature(const double* anchor, double response,
                                     const PredictorRegion& region, double* out) const noexcept {
    return model_->local_curvature(anchor, response, region, out);
  }
  [[nodiscard]] double remainder(const double* anchor, const double* u, double response,
                                 double* slopes) const noexcept {
    return model_->remainder(anchor, u, response, slopes);
  }

 private:
  std::shared_ptr<const MatrixModel> model_;
};

static_assert(BoundedMatrix<AnyMatrix>);

}  // namespace flymc
