// Model formulas as R means them: `y ~ a*b + log(c) + poly(d, 2) - 1`.
//
//   response ~ term + term - term ...
//   a              a column                        a:b     a product of columns
//   .              all other columns               a*b     a + b + a:b
//   1, 0           with, without an intercept      (a + b + c)^2  terms of up to two of them
//   a^2, I(a / b), log(a), sqrt(a), ...            a number made of columns (formula_value.hpp)
//   scale(a), poly(a, k), bs(a, df)                with constants from all rows (formula_basis.hpp)
//   factor(a)                                      a category, as LoadSpec::categorical
//   s(a, k)                                        a, and a smooth curve (smooth_basis.hpp)
//   offset(a), offset(log(a))                      added as it is, without a coefficient
//
// `- a` takes a term away. Names that are not words stand in `backquotes`. Two departures: in R a
// bare a^2 is a, here it is the square; and R's `.` has the columns of an offset, too.
//
// A category has an indicator for every level but the first where what is left of its term without
// it is part of an earlier term (the intercept of a main effect), else one for every level: `a:b`
// with a category b and without `a` is a slope for every level.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "data/table/formula_value.hpp"
#include "flymc/detail/data/table/row_counts.hpp"
#include "flymc/load_spec.hpp"

namespace flymc {

struct Formula {
  enum class Kind { kColumn, kValue, kFactor, kScale, kPoly, kSpline, kSmooth };

  // What stands between the operators: one column of the design, or several.
  struct Variable {
    std::string name;  // of its column; kPoly, kSpline: of its columns, with a number behind it
    std::string text;  // as a formula has it, with backquotes where needed
    Kind kind = Kind::kColumn;
    FormulaValue value{};    // kColumn and kFactor: the column
    std::size_t degree = 1;  // kPoly; kSpline: its degrees of freedom; kSmooth: its knots
  };
  using Term = std::vector<std::size_t>;  // numbers of variables, ascending

  std::string response{};              // empty: nothing stands before the ~
  std::vector<Variable> variables{};   // as they appear
  std::vector<Term> terms{};           // main effects, then products of two, ...; as they appear
  std::map<Term, Term> written{};      // the variables of a product in the order of its name
  std::vector<std::size_t> offsets{};  // numbers of variables that are added as they are
  std::vector<std::string> removed{};  // columns taken away from `.`
  bool all_others = false;             // `.` occurs,
  std::size_t variables_before = 0;    // behind so many variables
  std::size_t terms_before = 0;        // and so many main effects
  bool intercept = true;
  std::vector<GroupTerm> groups{};  // (1 | g), see group_terms.hpp; then s(a)

  // For rows that must match earlier ones.
  bool every_level = false;    // an indicator for the first level of every category, too
  Constants constants{};       // of variables by name; none: from the rows
  bool keeps_missing = false;  // a number that is not finite is NaN, not a mistake

  // The input columns that its terms and offsets are made of, `.` apart.
  [[nodiscard]] std::vector<std::string> columns() const;
  // Those of its offsets.
  [[nodiscard]] std::vector<std::string> offset_columns() const;
  // The formula with these columns in place of `.`.
  [[nodiscard]] Formula with_others(const std::vector<std::string>& names) const;
  // The formula with these columns as terms, too, behind its other main effects.
  [[nodiscard]] Formula with_columns(const std::vector<std::string>& names) const;
  // The formula with the variables of another, which has them all, and its names of products.
  [[nodiscard]] Formula in_variables_of(const Formula& all) const;
  // Every column that a variable, or a term, can have with these categories.
  [[nodiscard]] static std::vector<std::string> columns_of(const Variable& variable,
                                                           const Levels& levels);
  [[nodiscard]] std::vector<std::string> columns_of(const Term& term, const Levels& levels) const;
  [[nodiscard]] Term in_order_of_name(const Term& term) const;
  // The name of a product, of the names of its factors, which are in the order of the term.
  [[nodiscard]] std::string product_name(const Term& term,
                                         const std::vector<std::string>& factors) const;
  // Has constants that all rows decide.
  [[nodiscard]] bool has_constants() const;
};

// THROWS Error kUsage with the place and what can stand there.
[[nodiscard]] Formula parse_formula(const std::string& text);
// Of a predictor beside the first, whose name may stand before the ~; it has no group terms.
[[nodiscard]] Formula parse_predictor(const std::string& text);
// What stands before the ~. THROWS as parse_formula().
[[nodiscard]] std::string left_side(const std::string& text);

// What a table needs for all of them: the columns and terms of any, the rest as the first has it.
// A product has the name that it has in the first of them. REQUIRES: there is one.
[[nodiscard]] Formula unite(const std::vector<Formula>& formulas);

// THROWS Error kUsage where one reads as a category what another reads as numbers.
void require_one_kind(const std::vector<Formula>& formulas);

// The specification as a reader takes it: response, and the columns to read; the formula stays in
// it, for messages. THROWS Error kUsage where the formula contradicts response, features or drop of
// the specification, or has a mistake.
[[nodiscard]] LoadSpec resolve_formula(const LoadSpec& spec, const Formula& formula);

// Leaves out, and counts, the rows for which a function of the formula has no number: log(a) where
// a is 0. O(table). REQUIRES: the ranks do not share the rows. THROWS as apply_formula().
void drop_valueless_rows(const Formula& formula, TableRead& read, unsigned threads);

// From the columns that were read to those of the formula. O(table). THROWS Error kData where a
// number is not finite or a column has the name of another; kUsage for a function of a category.
void apply_formula(const Formula& formula, TableRead& read, unsigned threads);
// To those of any of them, the first's first. Returns the names of each, of offsets apart: the
// first's are the table's offset, those of others are columns of the table. Categories have the
// levels that the formula alone gives them. THROWS Error kUsage, too, where the first has an offset
// and the table has one already.
std::vector<std::vector<std::string>> apply_formulas(const std::vector<Formula>& formulas,
                                                     TableRead& read, unsigned threads);

}  // namespace flymc
