#include "data/table/formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>
#include <utility>

#include "core/message.hpp"
#include "core/text.hpp"
#include "data/table/formula_basis.hpp"
#include "data/table/formula_scanner.hpp"
#include "data/table/group_terms.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

using Term = Formula::Term;
using Terms = std::vector<Term>;
using Variable = Formula::Variable;

constexpr std::size_t kMostTerms = 10'000;
constexpr std::size_t kHighestPower = 20;  // of a sum, and of a polynomial
constexpr std::size_t kMostSplines = 100;
constexpr std::size_t kMostKnots = 100;  // of a smooth term

bool contains(const Terms& terms, const Term& term) {
  return std::find(terms.begin(), terms.end(), term) != terms.end();
}

template <class One>
void append_new(std::vector<One>& all, const std::vector<One>& others) {
  for (const One& one : others) {
    if (std::ranges::find(all, one) == all.end()) {
      all.push_back(one);
    }
  }
}

Term sorted(Term term) {
  std::sort(term.begin(), term.end());
  return term;
}

// Main effects first, then products of two, and so on.
void sort_by_order(Terms& terms) {
  std::stable_sort(terms.begin(), terms.end(),
                   [](const Term& a, const Term& b) { return a.size() < b.size(); });
}

// factor(a) is the column a, which is read as a category.
bool is_column(const Variable& variable) {
  return variable.kind == Formula::Kind::kColumn || variable.kind == Formula::Kind::kFactor;
}

// The number of a variable among others, which it joins where it is not there.
std::size_t place(std::vector<Variable>& variables, const Variable& variable) {
  const auto found = std::find_if(variables.begin(), variables.end(), [&](const Variable& v) {
    return v.name == variable.name && is_column(v) == is_column(variable);
  });
  const auto number = static_cast<std::size_t>(found - variables.begin());
  if (found == variables.end()) {
    variables.push_back(variable);
  }
  return number;
}

Variable column_named(const std::string& name) {
  return {name, formula_word(name), Formula::Kind::kColumn, FormulaValue::column(name)};
}

// A column is read once: as numbers, or as a category. Empty where it is so.
std::string two_kinds(const std::vector<Variable>& variables) {
  for (const Variable& factor : variables) {
    for (const Variable& other : variables) {
      const auto& columns = other.value.columns();
      if (factor.kind == Formula::Kind::kFactor && factor.text != other.text &&
          std::find(columns.begin(), columns.end(), factor.name) != columns.end()) {
        return fmt::format("{} and {} read one column in two ways, add a copy of it to the file",
                           in_quotes(factor.text), in_quotes(other.text));
      }
    }
  }
  return {};
}

class FormulaParser {
 public:
  explicit FormulaParser(const std::string& text, bool has_groups = false)
      : scanner_(text), has_groups_(has_groups) {}

  Formula run() {
    if (scanner_.peek() != '~') {
      response();
    }
    scanner_.expect('~', "expected ~");
    Sum all = sum(true);
    if (!scanner_.at_end()) {
      fail_symbol(scanner_.peek());
    }
    collect(all);
    return std::move(formula_);
  }

 private:
  // What was added and taken away between a pair of parentheses.
  struct Sum {
    Terms added;
    Terms removed;
  };

  [[noreturn]] void fail_symbol(char symbol) const {
    if (symbol == '/' || symbol == '%') {
      scanner_.fail(fmt::format("{} is not read between terms, write a + a:b", symbol));
    }
    if (symbol == '|') {
      scanner_.fail("| is not read here");
    }
    scanner_.fail("expected +, -, * or :");
  }

  void response() {
    formula_.response = scanner_.name().text;
    if (scanner_.peek() == '(') {
      scanner_.fail("a function of the response is not read, add the column to the file first");
    }
    if (scanner_.peek() != '~' &&
        std::string_view(":+-*^/").find(scanner_.peek()) != std::string_view::npos) {
      scanner_.fail("one column stands before the ~");
    }
  }

  Sum sum(bool outermost) {
    const FormulaScanner::Level level(scanner_);
    Sum all;
    bool adds = !scanner_.take_if('-');
    if (adds) {
      scanner_.take_if('+');
    }
    while (true) {
      piece(all, adds, outermost);
      if (scanner_.take_if('+')) {
        adds = true;
      } else if (scanner_.take_if('-')) {
        adds = false;
      } else {
        return all;
      }
    }
  }

  void piece(Sum& all, bool adds, bool outermost) {
    if (scanner_.at_number()) {
      intercept(adds, outermost);
      return;
    }
    if (scanner_.at_dot()) {
      others(all, adds && outermost);
      return;
    }
    if (scanner_.take_call("offset")) {
      offset(adds && outermost);
      return;
    }
    append_new(adds ? all.added : all.removed, crossing());
    if (all.added.size() + all.removed.size() > kMostTerms) {
      scanner_.fail("too many terms");
    }
  }

  void intercept(bool adds, bool outermost) {
    const double number = scanner_.number();
    if (!outermost || (number != 0.0 && number != 1.0)) {
      scanner_.fail("of numbers only 0 and 1 are terms, and outside of parentheses");
    }
    formula_.intercept = (number == 1.0) == adds;
  }

  void others(const Sum& all, bool is_added) {
    scanner_.take();
    const char next = scanner_.peek();
    if (!is_added || next == ':' || next == '*' || next == '^') {
      scanner_.fail(". is a sum of columns and can only be added");
    }
    if (!formula_.all_others) {
      formula_.all_others = true;
      formula_.variables_before = formula_.variables.size();
      formula_.terms_before = static_cast<std::size_t>(std::count_if(
          all.added.begin(), all.added.end(), [](const Term& t) { return t.size() == 1; }));
    }
  }

  void offset(bool is_added) {
    const FormulaValue value = parse_formula_value(scanner_);
    require_columns(value);
    close();
    const char next = scanner_.peek();
    if (!is_added || next == ':' || next == '*' || next == '^') {
      fail_offset();
    }
    const std::string text = value.is_call() ? value.text() : fmt::format("I({})", value.text());
    const Terms term = value.is_column() ? number_of(column_named(value.columns()[0]))
                                         : number_of({text, text, Formula::Kind::kValue, value});
    if (const std::size_t number = term[0][0];
        std::ranges::find(formula_.offsets, number) == formula_.offsets.end()) {
      formula_.offsets.push_back(number);
    }
  }

  [[noreturn]] void fail_offset() const {
    scanner_.fail("offset() stands by itself and can only be added");
  }

  // a*b
  Terms crossing() {
    Terms terms = product();
    while (scanner_.take_if('*')) {
      const Terms right = product();
      Terms both = products(terms, right);
      append_new(terms, right);
      append_new(terms, both);
    }
    return terms;
  }

  // a:b
  Terms product() {
    Terms terms = power();
    while (scanner_.take_if(':')) {
      terms = products(terms, power());
    }
    return terms;
  }

  // The product of two terms; its name is as it is written first.
  Term united(const Term& a, const Term& b) {
    Term name = formula_.in_order_of_name(a);
    for (const std::size_t v : formula_.in_order_of_name(b)) {
      if (std::find(name.begin(), name.end(), v) == name.end()) {
        name.push_back(v);
      }
    }
    Term term = sorted(name);
    formula_.written.emplace(term, std::move(name));
    return term;
  }

  Terms products(const Terms& left, const Terms& right) {
    Terms terms;
    for (const Term& a : left) {
      for (const Term& b : right) {
        if (a == b && a.size() == 1) {
          scanner_.fail("a product of a column with itself, write a^2");
        }
        append_new(terms, {united(a, b)});
      }
      if (terms.size() > kMostTerms) {
        scanner_.fail("too many terms");
      }
    }
    return terms;
  }

  Terms power() {
    Terms terms = scanner_.peek() == '(' ? parentheses() : variable();
    if (!scanner_.take_if('^')) {
      return terms;
    }
    const double exponent = scanner_.number();
    if (terms.size() == 1 && terms[0].size() == 1) {
      return power_of(formula_.variables[terms[0][0]], exponent);
    }
    if (exponent < 1.0 || exponent > kHighestPower || exponent != std::floor(exponent)) {
      scanner_.fail(fmt::format("a sum has powers from 1 to {}", kHighestPower));
    }
    const Terms factor = terms;
    for (double order = 1.0; order < exponent; order += 1.0) {
      Terms longer;
      for (const Term& a : terms) {
        for (const Term& b : factor) {
          append_new(longer, {united(a, b)});
        }
      }
      append_new(terms, longer);
      if (terms.size() > kMostTerms) {
        scanner_.fail("too many terms");
      }
    }
    return terms;
  }

  Terms parentheses() {
    scanner_.take();
    Sum all = sum(false);
    if (scanner_.peek() == '|') {
      fail_symbol('|');
    }
    scanner_.expect(')', "expected +, -, *, : or )");
    for (const Term& term : all.removed) {
      std::erase(all.added, term);
    }
    if (all.added.empty()) {
      scanner_.fail("there is nothing in the parentheses");
    }
    return all.added;
  }

  // a^2, the square.
  Terms power_of(const Variable& base, double exponent) {
    if (base.kind != Formula::Kind::kColumn && base.kind != Formula::Kind::kValue) {
      scanner_.fail(fmt::format("{} has no power", in_quotes(base.name)));
    }
    Variable variable = base;
    variable.kind = Formula::Kind::kValue;
    variable.value = FormulaValue::power(base.value, exponent);
    variable.text = variable.name = variable.value.text();
    return number_of(std::move(variable));
  }

  Terms variable() {
    const FormulaScanner::Name name = scanner_.name();
    if (name.quoted || scanner_.peek() != '(') {
      return number_of(column_named(name.text));
    }
    if (name.text == "offset") {
      fail_offset();
    }
    if (is_value_function(name.text)) {
      FormulaValue value = parse_formula_call(scanner_, name.text);
      require_columns(value);
      return number_of({value.text(), value.text(), Formula::Kind::kValue, value});
    }
    return of_all_rows(name.text);
  }

  // scale(a), poly(a, k), bs(a, df), factor(a), s(a, k).
  Terms of_all_rows(const std::string& function) {
    constexpr std::string_view kKnown[] = {"scale", "poly", "bs", "factor", "s"};
    if (std::ranges::find(kKnown, function) == std::end(kKnown)) {
      scanner_.fail(
          fmt::format("no function {}; there are {}", in_quotes(function), kFormulaFunctions));
    }
    scanner_.take();
    if (function == "s") {
      return smooth();
    }
    if (function == "factor") {
      const std::string column = scanner_.name().text;
      close();
      return number_of({column, fmt::format("factor({})", formula_word(column)),
                        Formula::Kind::kFactor, FormulaValue::column(column)});
    }
    const FormulaValue value = parse_formula_value(scanner_);
    require_columns(value);
    if (function == "scale") {
      close();
      const std::string text = fmt::format("scale({})", value.text());
      return number_of({text, text, Formula::Kind::kScale, value});
    }
    return function == "poly" ? polynomials(value) : splines(value);
  }

  Terms polynomials(const FormulaValue& value) {
    scanner_.expect(',', "poly needs its degree, poly(a, 2)");
    const std::size_t degree = whole_number(
        1, kHighestPower, fmt::format("poly has a degree from 1 to {}", kHighestPower));
    const std::string text = fmt::format("poly({}, {})", value.text(), degree);
    return number_of({text, text, Formula::Kind::kPoly, value, degree});
  }

  Terms splines(const FormulaValue& value) {
    scanner_.expect(',', "bs needs its degrees of freedom, bs(a, 5)");
    if (scanner_.peek() == 'd') {  // df = 5, as R has it
      if (scanner_.name().text != "df") {
        scanner_.fail("of bs only the degrees of freedom are read, bs(a, df = 5)");
      }
      scanner_.expect('=', "expected =");
    }
    const std::size_t df = whole_number(
        3, kMostSplines,
        fmt::format("bs is cubic and has from 3 to {} degrees of freedom", kMostSplines));
    const std::string text = fmt::format("bs({}, {})", value.text(), df);
    return number_of({text, text, Formula::Kind::kSpline, value, df});
  }

  // The last argument of a function.
  std::size_t whole_number(std::size_t least, std::size_t most, const std::string& complaint) {
    const double number = scanner_.number();
    if (number < static_cast<double>(least) || number > static_cast<double>(most) ||
        number != std::floor(number)) {
      scanner_.fail(complaint);
    }
    close();
    return static_cast<std::size_t>(number);
  }

  // A straight line, and the columns that bend it.
  Terms smooth() {
    constexpr double kUsual = 10.0;
    Terms terms = variable();
    const Variable& line = formula_.variables[terms[0][0]];
    if (line.kind != Formula::Kind::kColumn && line.kind != Formula::Kind::kValue) {
      scanner_.fail("in s() stands a column, or a function of columns such as log(a) or I(a / b)");
    }
    double knots = kUsual;
    if (scanner_.take_if(',')) {
      if (scanner_.peek() == 'k') {  // k = 10
        std::ignore = scanner_.name();
        scanner_.expect('=', "expected =");
      }
      knots = scanner_.number();
    }
    if (knots < 3.0 || knots > kMostKnots || knots != std::floor(knots)) {
      scanner_.fail(fmt::format("s has from 3 to {} knots", kMostKnots));
    }
    scanner_.expect(')', "expected ), or , and the number of knots: s(a, 10)");
    append_new(terms, number_of({fmt::format("s({})", line.text),
                                 fmt::format("s({}, {})", line.text, knots), Formula::Kind::kSmooth,
                                 line.value, static_cast<std::size_t>(knots)}));
    return terms;
  }

  void close() { scanner_.expect(')', "expected )"); }

  void require_columns(const FormulaValue& value) const {
    if (value.columns().empty()) {
      scanner_.fail("there is no column in the parentheses");
    }
  }

  // The variable alone, under the number that it has had since it first appeared.
  Terms number_of(Variable variable) {
    auto& variables = formula_.variables;
    const auto found = std::find_if(variables.begin(), variables.end(),
                                    [&](const Variable& v) { return v.text == variable.text; });
    const auto number = static_cast<std::size_t>(found - variables.begin());
    if (found == variables.end()) {
      variables.push_back(std::move(variable));
    }
    return {{number}};
  }

  // Whatever is taken away anywhere is not there.
  void collect(const Sum& all) {
    for (const Term& term : all.added) {
      if (!contains(all.removed, term)) {
        formula_.terms.push_back(term);
      }
    }
    sort_by_order(formula_.terms);
    for (const Term& term : all.removed) {
      const Variable& first = formula_.variables[term[0]];
      if (term.size() == 1 && formula_.all_others && first.kind == Formula::Kind::kColumn) {
        formula_.removed.push_back(first.name);
      } else if (!contains(all.added, term)) {
        scanner_.fail(in_quotes(name_of(term)) + " is taken away but not there");
      }
    }
    const bool is_empty = formula_.terms.empty() && !formula_.all_others && !formula_.intercept &&
                          formula_.offsets.empty();
    if (is_empty && !has_groups_) {
      scanner_.fail("there is no column to explain with");
    }
    if (const std::string clash = two_kinds(formula_.variables); !clash.empty()) {
      scanner_.fail(clash);
    }
    collect_smooths();
  }

  // Coefficients of each scatter by one scale.
  void collect_smooths() {
    for (const Term& term : formula_.terms) {
      for (const std::size_t v : term) {
        const Variable& variable = formula_.variables[v];
        if (variable.kind != Formula::Kind::kSmooth) {
          continue;
        }
        if (term.size() > 1) {
          scanner_.fail(in_quotes(variable.text) + " stands by itself, not in a product");
        }
        formula_.groups.push_back(
            {.factor = variable.name, .splines = Formula::columns_of(variable, {})});
      }
    }
  }

  [[nodiscard]] std::string name_of(const Term& term) const {
    std::vector<std::string> names;
    for (const std::size_t v : term) {
      names.push_back(formula_.variables[v].text);
    }
    return fmt::format("{}", fmt::join(names, ":"));
  }

  FormulaScanner scanner_;
  bool has_groups_;
  Formula formula_;
};

[[noreturn]] void fail_both(const LoadSpec& spec, const char* setting, const char* remedy) {
  throw Error(ErrorKind::kUsage,
              message("{} and {} contradict each other", Setting{setting},
                      Setting{"formula", shortened(spec.formula)}),
              remedy);
}

bool is_in(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

Formula parse_formula(const std::string& text) {
  SplitFormula split = split_group_terms(text);
  Formula formula = FormulaParser(split.rest, !split.groups.empty()).run();
  formula.groups.insert(formula.groups.begin(), split.groups.begin(), split.groups.end());
  if (is_crossed(formula.groups)) {
    formula.groups = one_scale_each(formula.groups);
  }
  return formula;
}

Formula parse_predictor(const std::string& text) {
  const auto refuse = [&](bool has, const char* what) {
    if (has) {
      throw Error(ErrorKind::kUsage,
                  message("{}: only the first predictor, that of the response, has {} terms.",
                          Setting{"formula", shortened(text)}, what));
    }
  };
  refuse(!split_group_terms(text).groups.empty(), "group");
  Formula formula = FormulaParser(text).run();
  refuse(!formula.groups.empty(), "smooth");
  return formula;
}

std::string left_side(const std::string& text) {
  FormulaScanner scanner(text);
  return scanner.peek() == '~' ? "" : scanner.name().text;
}

Formula unite(const std::vector<Formula>& formulas) {
  Formula all = formulas.front();
  for (std::size_t i = 1; i < formulas.size(); ++i) {
    const Formula& other = formulas[i];
    for (const Variable& variable : other.variables) {
      std::ignore = place(all.variables, variable);
    }
    Formula same = other.in_variables_of(all);
    append_new(all.terms, same.terms);
    append_new(all.offsets, same.offsets);
    all.written.merge(same.written);
    if (other.all_others && all.all_others) {  // what one `.` has taken away may be in another
      std::erase_if(all.removed,
                    [&](const std::string& name) { return !is_in(other.removed, name); });
    } else if (other.all_others) {
      all.all_others = true;
      all.removed = other.removed;
      all.variables_before = all.variables.size();
      all.terms_before = all.terms.size();
    }
  }
  sort_by_order(all.terms);
  return all;
}

void require_one_kind(const std::vector<Formula>& formulas) {
  std::vector<Variable> variables;
  for (const Formula& formula : formulas) {
    variables.insert(variables.end(), formula.variables.begin(), formula.variables.end());
  }
  if (const std::string clash = two_kinds(variables); !clash.empty()) {
    throw Error(ErrorKind::kUsage, message("{}: {}.", Setting{"formula"}, clash));
  }
}

std::vector<std::string> Formula::columns() const {
  std::vector<std::string> names;
  for (const Term& term : terms) {
    for (const std::size_t v : term) {
      append_new(names, variables[v].value.columns());
    }
  }
  append_new(names, offset_columns());
  return names;
}

std::vector<std::string> Formula::offset_columns() const {
  std::vector<std::string> names;
  for (const std::size_t v : offsets) {
    append_new(names, variables[v].value.columns());
  }
  return names;
}

Formula Formula::with_others(const std::vector<std::string>& names) const {
  if (!all_others) {
    return *this;
  }
  Formula all = *this;
  all.all_others = false;
  all.removed.clear();
  all.terms.clear();
  all.written.clear();
  const auto before = static_cast<std::ptrdiff_t>(variables_before);
  all.variables.assign(variables.begin(), variables.begin() + before);
  std::vector<std::size_t> number(variables.size());  // in `all`
  Terms others;
  for (const std::string& name : names) {
    const std::size_t at = place(all.variables, column_named(name));
    if (!is_in(removed, name)) {
      others.push_back({at});
    }
  }
  for (std::size_t v = 0; v < variables.size(); ++v) {
    number[v] = place(all.variables, variables[v]);
  }
  for (std::size_t& v : all.offsets) {
    v = number[v];
  }
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (i == terms_before) {
      append_new(all.terms, others);
    }
    Term name;
    for (const std::size_t v : in_order_of_name(terms[i])) {
      name.push_back(number[v]);
    }
    append_new(all.terms, {sorted(name)});
    all.written.emplace(sorted(name), name);
  }
  append_new(all.terms, others);
  sort_by_order(all.terms);
  return all;
}

Formula Formula::with_columns(const std::vector<std::string>& names) const {
  Formula more = *this;
  for (const std::string& name : names) {
    const std::size_t at = place(more.variables, column_named(name));
    append_new(more.terms, {{at}});
  }
  sort_by_order(more.terms);
  return more;
}

Formula Formula::in_variables_of(const Formula& all) const {
  std::map<std::pair<std::string, bool>, std::size_t> numbers;
  for (std::size_t v = 0; v < all.variables.size(); ++v) {
    numbers.emplace(std::pair(all.variables[v].name, is_column(all.variables[v])), v);
  }
  Formula same = *this;
  same.variables = all.variables;
  same.written = all.written;
  same.terms.clear();
  const auto number = [&](std::size_t v) {
    return numbers.at({variables[v].name, is_column(variables[v])});
  };
  std::ranges::transform(offsets, same.offsets.begin(), number);
  for (const Term& term : terms) {
    Term name;
    for (const std::size_t v : in_order_of_name(term)) {
      name.push_back(number(v));
    }
    same.terms.push_back(sorted(name));
    same.written.emplace(sorted(name), name);
  }
  return same;
}

std::vector<std::string> Formula::columns_of(const Variable& variable, const Levels& levels) {
  std::vector<std::string> names;
  if (const auto found = levels.find(variable.name); is_column(variable) && found != levels.end()) {
    for (const std::string& level : found->second) {
      names.push_back(variable.name + "=" + level);
    }
    return names;
  }
  const std::size_t columns = basis_columns(variable);
  const bool smooth = variable.kind == Kind::kSmooth;
  for (std::size_t i = 1; i <= columns; ++i) {
    names.push_back(columns == 1 && !smooth
                        ? variable.name
                        : fmt::format("{}{}{}", variable.name, smooth ? "." : "", i));
  }
  return names;
}

Formula::Term Formula::in_order_of_name(const Term& term) const {
  const auto found = written.find(term);
  return found != written.end() ? found->second : term;
}

std::string Formula::product_name(const Term& term, const std::vector<std::string>& factors) const {
  std::vector<std::string> names;
  for (const std::size_t v : in_order_of_name(term)) {
    const auto at = std::find(term.begin(), term.end(), v) - term.begin();
    names.push_back(factors[static_cast<std::size_t>(at)]);
  }
  return fmt::format("{}", fmt::join(names, ":"));
}

std::vector<std::string> Formula::columns_of(const Term& term, const Levels& levels) const {
  std::vector<std::vector<std::string>> products = {{}};  // of names, in the order of the term
  for (const std::size_t v : term) {
    std::vector<std::vector<std::string>> longer;
    for (const std::string& next : columns_of(variables[v], levels)) {
      for (std::vector<std::string> product : products) {
        product.push_back(next);
        longer.push_back(std::move(product));
      }
    }
    products = std::move(longer);
  }
  std::vector<std::string> names;
  for (const std::vector<std::string>& product : products) {
    names.push_back(product_name(term, product));
  }
  return names;
}

bool Formula::has_constants() const {
  return std::any_of(variables.begin(), variables.end(),
                     [](const Variable& v) { return basis_constants(v) > 0; });
}

LoadSpec resolve_formula(const LoadSpec& spec, const Formula& formula) {
  const bool contradicts = !spec.formula.empty();  // else features and drop are in it
  if (contradicts && !spec.features.empty()) {
    fail_both(spec, "features", "name the columns in the formula only.");
  }
  if (contradicts && !spec.drop.empty()) {
    fail_both(spec, "drop", "take the column away in the formula (y ~ . - a).");
  }
  if (!spec.response.empty() && !formula.response.empty() && spec.response != formula.response) {
    fail_both(spec, "response", "name the response in one of them.");
  }
  LoadSpec resolved = spec;
  resolved.response = formula.response.empty() ? spec.response : formula.response;
  resolved.features.clear();
  resolved.drop.clear();
  for (const GroupTerm& term : formula.groups) {
    for (const std::string& column : factor_columns(term)) {
      if (!is_in(resolved.factors, column)) {
        resolved.factors.push_back(column);
      }
    }
  }
  for (const Variable& variable : formula.variables) {
    if (variable.kind == Formula::Kind::kFactor && !is_in(resolved.categorical, variable.name)) {
      resolved.categorical.push_back(variable.name);
    }
  }
  resolved.in_offsets = formula.offset_columns();
  const std::vector<std::string> used = formula.columns();
  if (formula.all_others) {
    std::copy_if(formula.removed.begin(), formula.removed.end(), std::back_inserter(resolved.drop),
                 [&](const std::string& name) {
                   return !is_in(used, name) && !is_in(resolved.factors, name);
                 });
  } else {
    resolved.features = used;
    resolved.no_features = used.empty();
  }
  return resolved;
}

}  // namespace flymc
