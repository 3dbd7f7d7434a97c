// Model formulas: `y ~ a + b + c:d - 1`.
//
//   response ~ term + term - term ...     a term is a column, a product of columns (c:d), `.` for
//   all
//                                         other columns, or 1 / 0 (with, without an intercept)
//
// A product of columns is a column of the table called c:d; of a categorical column every indicator
// is multiplied. `- a` takes a column away. Names that are not words stand in `backquotes`. There
// are no functions: what a model needs beyond products belongs into the file.
#pragma once

#include <string>
#include <vector>

#include "flymc/detail/data/table/row_counts.hpp"
#include "flymc/load_spec.hpp"

namespace flymc {

struct Formula {
  using Product = std::vector<std::string>;  // of two columns or more

  std::string response{};              // empty: nothing stands before the ~
  std::vector<std::string> columns{};  // main effects, as written
  std::vector<Product> products{};     // as written; c:d and d:c are the same
  std::vector<std::string> removed{};  // columns taken away from `.`
  bool all_others = false;             // `.` occurs
  bool intercept = true;
  std::vector<GroupTerm> groups{};  // (1 | g), see group_terms.hpp
};

// THROWS Error kUsage with the place and what can stand there.
[[nodiscard]] Formula parse_formula(const std::string& text);

// The specification as a reader takes it: response, and the columns to read, which are the main
// effects and the factors of products; the formula stays in it, for messages. THROWS Error kUsage
// where the formula contradicts response, features or drop of the specification, or has a mistake.
[[nodiscard]] LoadSpec resolve_formula(const LoadSpec& spec, const Formula& formula);

// From the columns that were read to those of the formula: main effects first, then products.
// O(table). THROWS Error kData where a product is infinite or has the name of a column.
void apply_formula(const Formula& formula, TableRead& read, unsigned threads);

}  // namespace flymc
