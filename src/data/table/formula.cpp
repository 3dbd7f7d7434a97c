#include "data/table/formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/message.hpp"
#include "core/text.hpp"
#include "data/table/group_terms.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

using Product = Formula::Product;

constexpr std::string_view kForeign = "*(^/|%";  // operators of other formula languages
constexpr std::string_view kBlanks = " \t\r\n";

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || static_cast<unsigned char>(c) >= 0x80;
}

Product sorted(Product product) {
  std::sort(product.begin(), product.end());
  return product;
}

bool contains(const std::vector<Product>& terms, const Product& term) {
  return std::any_of(terms.begin(), terms.end(),
                     [&](const Product& other) { return sorted(other) == sorted(term); });
}

class Parser {
 public:
  // `has_groups`: the formula goes on with terms that are not in this text.
  Parser(const std::string& text, bool has_groups) : text_(text), has_groups_(has_groups) {}

  Formula run() {
    if (peek() != '~') {
      formula_.response = name();
      if (peek() == ':' || peek() == '+' || peek() == '-') {
        fail("one column stands before the ~");
      }
    }
    if (peek() != '~') {
      fail("expected ~");
    }
    take();
    bool adds = peek() != '-';
    if (peek() == '+' || peek() == '-') {
      take();
    }
    term(adds);
    while (peek() != '\0') {
      if (peek() != '+' && peek() != '-') {
        fail("expected +, - or :");
      }
      adds = take() == '+';
      term(adds);
    }
    collect();
    return std::move(formula_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    const std::string_view rest = std::string_view(text_).substr(std::min(at_, text_.size()));
    throw Error(ErrorKind::kUsage,
                message("{}: {}; at character {} ({}).", Setting{"formula", shortened(text_)}, what,
                        at_ + 1, rest.empty() ? "the end" : in_quotes(rest)));
  }

  // Where a column should stand, or after one.
  [[noreturn]] void fail_symbol(char symbol) const {
    if (symbol == '*') {
      fail("a*b is not read, write a + b + a:b");
    }
    if (symbol == '(') {
      fail("functions and parentheses are not read, add the column to the file first");
    }
    if (symbol == '\0') {
      fail("a column is missing");
    }
    if (kForeign.find(symbol) != std::string_view::npos) {
      fail(fmt::format("{} is not read, only ~ + - and :", symbol));
    }
    fail("expected a column, with `backquotes` around a name that is not a word");
  }

  // The next character that is not blank; zero at the end.
  char peek() {
    at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size());
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  char take() { return text_[at_++]; }

  std::string name() {
    const char first = peek();
    const std::size_t begin = at_;
    if (first == '`') {
      const std::size_t end = text_.find('`', begin + 1);
      if (end == std::string::npos || end == begin + 1) {
        fail("a name in backquotes is empty or not closed");
      }
      at_ = end + 1;
      return before_operator(text_.substr(begin + 1, end - begin - 1));
    }
    if (!is_word(first) || (first >= '0' && first <= '9')) {
      fail_symbol(first);
    }
    while (at_ < text_.size() && is_word(text_[at_])) {
      ++at_;
    }
    return before_operator(text_.substr(begin, at_ - begin));
  }

  std::string before_operator(std::string word) {
    const char next = peek();
    if (next != '\0' && kForeign.find(next) != std::string_view::npos) {
      fail_symbol(next);
    }
    return word;
  }

  void term(bool adds) {
    const char first = peek();
    if (first == '0' || first == '1') {
      formula_.intercept = (take() == '1') == adds;
      if (at_ < text_.size() && is_word(text_[at_])) {
        --at_;
        fail_symbol(first);
      }
      return;
    }
    const bool is_quoted = first == '`';
    Product factors = {name()};
    while (peek() == ':') {
      take();
      factors.push_back(name());
      if (std::count(factors.begin(), factors.end(), factors.back()) > 1) {
        fail("a product of a column with itself, add the square to the file first");
      }
    }
    if (factors[0] == "." && !is_quoted) {
      if (factors.size() > 1 || !adds) {
        fail(". is a sum of columns and can only be added");
      }
      formula_.all_others = true;
      return;
    }
    std::vector<Product>& terms = adds ? added_ : removed_;
    if (!contains(terms, factors)) {
      terms.push_back(std::move(factors));
    }
  }

  // Whatever is taken away anywhere is not there.
  void collect() {
    for (const Product& term : added_) {
      if (contains(removed_, term)) {
        continue;
      }
      if (term.size() > 1) {
        formula_.products.push_back(term);
      } else {
        formula_.columns.push_back(term[0]);
      }
    }
    for (const Product& term : removed_) {
      if (term.size() == 1 && formula_.all_others) {
        formula_.removed.push_back(term[0]);
      } else if (!contains(added_, term)) {
        fail(fmt::format("{} is taken away but not there",
                         in_quotes(fmt::format("{}", fmt::join(term, ":")))));
      }
    }
    if (formula_.columns.empty() && formula_.products.empty() && !formula_.all_others &&
        !has_groups_) {
      fail("there is no column to explain with");
    }
  }

  const std::string& text_;
  bool has_groups_;
  std::size_t at_ = 0;
  Formula formula_;
  std::vector<Product> added_;
  std::vector<Product> removed_;
};

[[noreturn]] void fail_both(const LoadSpec& spec, const char* setting, const char* remedy) {
  throw Error(ErrorKind::kUsage,
              message("{} and {} contradict each other", Setting{setting},
                      Setting{"formula", shortened(spec.formula)}),
              remedy);
}

bool is_factor(const Formula& formula, const std::string& name) {
  return std::any_of(formula.products.begin(), formula.products.end(), [&](const Product& product) {
    return std::find(product.begin(), product.end(), name) != product.end();
  });
}

}  // namespace

Formula parse_formula(const std::string& text) {
  SplitFormula split = split_group_terms(text);
  Formula formula = Parser(split.rest, !split.groups.empty()).run();
  formula.groups = std::move(split.groups);
  return formula;
}

LoadSpec resolve_formula(const LoadSpec& spec, const Formula& formula) {
  if (!spec.features.empty()) {
    fail_both(spec, "features", "name the columns in the formula only.");
  }
  if (!spec.drop.empty()) {
    fail_both(spec, "drop", "take the column away in the formula (y ~ . - a).");
  }
  if (!spec.response.empty() && !formula.response.empty() && spec.response != formula.response) {
    fail_both(spec, "response", "name the response in one of them.");
  }
  LoadSpec resolved = spec;
  resolved.response = formula.response.empty() ? spec.response : formula.response;
  for (const GroupTerm& term : formula.groups) {
    resolved.factors.push_back(term.factor);
  }
  if (formula.all_others) {
    std::copy_if(formula.removed.begin(), formula.removed.end(), std::back_inserter(resolved.drop),
                 [&](const std::string& name) { return !is_factor(formula, name); });
    return resolved;
  }
  resolved.features = formula.columns;
  for (const Product& product : formula.products) {
    for (const std::string& name : product) {
      if (std::find(resolved.features.begin(), resolved.features.end(), name) ==
          resolved.features.end()) {
        resolved.features.push_back(name);
      }
    }
  }
  if (resolved.features.empty()) {
    resolved.features = resolved.factors;  // none would mean all
  }
  return resolved;
}

}  // namespace flymc
