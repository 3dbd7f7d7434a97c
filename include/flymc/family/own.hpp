// A likelihood of the user's own, as text: a family made at run time
// (docs/howto/own-likelihood.md).
#pragma once

#include <string>
#include <vector>

#include "flymc/family/family.hpp"

namespace flymc {

// One to four predictors, the first of which has the columns; names of the response and of one more
// number of a row, or none: y. The same text is the same type, for as long as the program runs.
// THROWS Error(kUsage) that names the place in the text.
[[nodiscard]] const FamilyType& own_family_type(const std::string& text,
                                                const std::vector<std::string>& predictors,
                                                const std::vector<std::string>& data);

}  // namespace flymc
