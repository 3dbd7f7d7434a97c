// Group terms of a formula: `(1 | g)`, `(1 + x | g)`, `(x || g)`.
//
//   ( terms | factor )    terms as in a formula: columns, 1 or 0; an intercept unless 0 is there.
//   ( terms || factor )   the same without correlations.
//   factor                a column; a:b, one level for each pair of theirs; a/b, which is two
//   terms,
//                         a and a:b; a - b or a + b, levels of one set to which a row belongs
//                         twice, with this sign.
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

// The same terms where rows have several levels: (x || g) is (1 | g) + (0 + x | g).
[[nodiscard]] std::vector<GroupTerm> one_scale_each(const std::vector<GroupTerm>& terms);

// Whether rows have several levels, or a smooth term.
[[nodiscard]] bool is_crossed(const std::vector<GroupTerm>& terms);

// What varies, as columns of draws name it: g, g.x.
[[nodiscard]] std::vector<std::string> coefficient_names(const GroupTerm& term);

// The columns that name its levels.
[[nodiscard]] std::vector<std::string> factor_columns(const GroupTerm& term);

// As it is written in a formula.
[[nodiscard]] std::string to_text(const GroupTerm& term);

}  // namespace flymc
