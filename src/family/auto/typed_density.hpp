// Models of a likelihood as text: what Automatic makes of it, compiled once for any number of
// predictors. The text names them; y is the response, or the text names two numbers of a row, of
// which the response is the code.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "family/auto/expression.hpp"
#include "family/pair_codes.hpp"
#include "flymc/family/automatic.hpp"
#include "flymc/family/response.hpp"

namespace flymc {

template <int P>
class TypedDensity {
 public:
  static constexpr int kPredictors = P;

  // REQUIRES: P predictors and one column; of codes two.
  explicit TypedDensity(Expression expression, std::shared_ptr<const PairCodes> codes = nullptr)
      : expression_(std::move(expression)), codes_(std::move(codes)) {}

  [[nodiscard]] const Expression& expression() const noexcept { return expression_; }
  template <class T>
  [[nodiscard]] T log_density(const std::array<T, static_cast<std::size_t>(P)>& eta,
                              double y) const noexcept {
    return expression_.log_density(eta, codes_ ? codes_->at(y) : std::span(&y, 1));
  }

 private:
  Expression expression_;
  std::shared_ptr<const PairCodes> codes_;
};

// What a family as text derives from: a BoundedMatrix whose functions are compiled elsewhere.
template <int P>
class Typed {
 public:
  static constexpr int kPredictors = P;
  static constexpr CurvatureForm kCurvature = CurvatureForm::kSymmetric;
  static constexpr bool kLogConcave = false;  // as far as is known

  // THROWS as Expression.
  Typed(std::string text, std::vector<std::string> predictors)
      : Typed(Expression(std::move(text), std::move(predictors), {"y"}), nullptr) {}
  // REQUIRES: as TypedDensity.
  Typed(Expression expression, std::shared_ptr<const PairCodes> codes)
      : model_(TypedDensity<P>(std::move(expression), std::move(codes))) {}

  [[nodiscard]] const Expression& expression() const noexcept {
    return model_.density().expression();
  }
  [[nodiscard]] static constexpr int predictors() noexcept { return P; }
  // Neither, unless a family says so.
  [[nodiscard]] static OpenSide open_side(double /*response*/) noexcept {
    return OpenSide::kNeither;
  }
  [[nodiscard]] double log_likelihood(const double* eta, double response,
                                      double* slopes) const noexcept;
  void information(const double* eta, double response, double* out) const noexcept;
  [[nodiscard]] bool local_curvature(const double* anchor, double response,
                                     const PredictorRegion& region, double* out) const noexcept;
  [[nodiscard]] double remainder(const double* anchor, const double* u, double response,
                                 double* slopes) const noexcept;

 private:
  Automatic<TypedDensity<P>> model_;
};

}  // namespace flymc
