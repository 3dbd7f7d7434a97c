// A likelihood of the user's own, as text: a family made at run time. Its first predictor has the
// columns, the others are auxiliary parameters on the scale of the predictor itself; what its
// response looks like on average only its author knows.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "family/matrix_model.hpp"
#include "flymc/family/family.hpp"

namespace flymc {

inline constexpr const char* kOwnWord = "own";

// One to four predictors, the first of which has the columns. The same text is the same type, for
// as long as the program runs. THROWS Error(kUsage) that names the place in the text.
[[nodiscard]] const FamilyType& own_family_type(const std::string& text,
                                                const std::vector<std::string>& predictors);

// REQUIRES: a family of such a type.
[[nodiscard]] std::shared_ptr<const MatrixModel> own_model(const Family& family);

}  // namespace flymc
