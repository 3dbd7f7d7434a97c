// Group terms of a formula: `(1 | g)`, `(1 + x | g)`, `(x || g)`.
//
//   ( terms | factor )    terms as in a formula: columns, 1 or 0; an intercept unless 0 is there.
//   ( terms || factor )   the same without correlations.
#pragma once

#include <string>
#include <vector>

#include "flymc/table.hpp"

namespace flymc {

// A formula without its group terms (blanks in their place, so that positions stay), and these.
struct SplitFormula {
  std::string rest{};
  std::vector<GroupTerm> groups{};
};

// THROWS Error kUsage with the place and what can stand there.
[[nodiscard]] SplitFormula split_group_terms(const std::string& formula);

// As it is written in a formula.
[[nodiscard]] std::string to_text(const GroupTerm& term);

}  // namespace flymc
