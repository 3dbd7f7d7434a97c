// A likelihood of the user's own, as text: a family made at run time. Its first predictor has the
// columns, the others are auxiliary parameters on the scale of the predictor itself; what its
// response looks like on average only its author knows.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "family/matrix_model.hpp"
#include "family/pair_codes.hpp"
#include "flymc/family/family.hpp"

namespace flymc {

inline constexpr const char* kOwnWord = "own";

inline constexpr std::size_t kMostOwnPredictors = 4;

inline constexpr std::size_t kMostOwnColumns = 2;

// Where a likelihood of one's own reads two numbers of a row: their codes. Null: it does not.
[[nodiscard]] PairCodes* pair_codes(const FamilyType& type) noexcept;

// A family whose type is made at run time.
class RuntimeFamily : public Family {
 public:
  [[nodiscard]] const std::shared_ptr<const MatrixModel>& model() const noexcept { return model_; }

 protected:
  RuntimeFamily(const FamilyType& type, Settings settings, std::shared_ptr<const MatrixModel> model)
      : Family(type, std::move(settings), model->predictors()), model_(std::move(model)) {}

 private:
  std::shared_ptr<const MatrixModel> model_;
};

// REQUIRES: a family of such a type.
[[nodiscard]] std::shared_ptr<const MatrixModel> own_model(const Family& family);

// The model of a density of y as text with one to four predictors. THROWS as Expression.
[[nodiscard]] std::shared_ptr<const MatrixModel> typed_model(
    const std::string& text, const std::vector<std::string>& predictors);

}  // namespace flymc
