#include "data/table/group_terms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "core/text.hpp"
#include "data/table/formula_scanner.hpp"

namespace flymc {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

class TermReader {
 public:
  // From behind the parenthesis on.
  TermReader(const std::string& formula, std::size_t at) : scanner_(formula, at) {}

  // Several where factors are nested.
  std::vector<GroupTerm> read() {
    GroupTerm term;
    do {
      read_coefficient(term);
    } while (scanner_.take_if('+'));
    scanner_.expect('|', "expected + or |");
    term.correlated = !scanner_.take_if('|');
    std::vector<GroupTerm> terms = read_factor(term);
    scanner_.expect(')', scanner_.at_end()
                             ? "a parenthesis is not closed"
                             : "behind the | stands a factor: g, g:h, g/h, g - h or g + h");
    if (term.size() == 0) {
      scanner_.fail("nothing varies: 0 takes the intercept away");
    }
    return terms;
  }
  [[nodiscard]] std::size_t at() const noexcept { return scanner_.at(); }

 private:
  std::vector<GroupTerm> read_factor(GroupTerm term) {
    std::vector<std::string> columns = {scanner_.name().text};
    term.factor = columns.front();
    if (scanner_.peek() == '+' || scanner_.peek() == '-') {
      term.members = {{columns}};
      while (scanner_.peek() == '+' || scanner_.peek() == '-') {
        const char sign = scanner_.take();
        columns.push_back(another(columns));
        term.members.push_back({{columns.back()}, sign == '+' ? 1.0 : -1.0});
        term.factor += sign + columns.back();
      }
      return {term};
    }
    const bool nested = scanner_.peek() == '/';
    std::vector<GroupTerm> terms = {term};
    while (scanner_.take_if(nested ? '/' : ':')) {
      columns.push_back(another(columns));
      term.factor += ":" + columns.back();
      term.members = {{columns}};
      terms.push_back(term);
    }
    return nested ? terms : std::vector<GroupTerm>{terms.back()};
  }

  // A column of the factor beside those: with itself it makes no other levels.
  std::string another(const std::vector<std::string>& columns) {
    std::string column = scanner_.name().text;
    if (std::ranges::find(columns, column) != columns.end()) {
      scanner_.fail(fmt::format("{} is in the factor already", in_quotes(column)));
    }
    return column;
  }

  void read_coefficient(GroupTerm& term) {
    const char first = scanner_.peek();
    if (first == '0' || first == '1') {
      scanner_.take();
      term.intercept = first == '1';
      return;
    }
    std::string slope = scanner_.name().text;
    if (std::ranges::find(term.slopes, slope) == term.slopes.end()) {
      term.slopes.push_back(std::move(slope));
    }
  }

  FormulaScanner scanner_;
};

// Where a parenthesis with a bar in it opens that no function's name stands before.
std::size_t find_term(const std::string& text, std::size_t from) {
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    quoted ^= text[at] == '`';
    if (at < from || quoted || text[at] != '(') {
      continue;
    }
    std::size_t before = at;
    while (before > 0 && is_blank(text[before - 1])) {
      --before;
    }
    const std::size_t close = text.find(')', at);
    const std::size_t bar = text.find('|', at);
    if ((before == 0 || !is_word(text[before - 1])) && bar < close) {
      return at;
    }
  }
  return std::string::npos;
}

// Of a term that stands in the formula from `first`, blanks before it included, to `last`.
void require_sum(const std::string& formula, std::size_t first, std::size_t last) {
  constexpr std::string_view kOthers = "*:/^-";
  constexpr const char* kWhat = "a group term is added: x + (1 | g)";
  if (first > 0 && kOthers.find(formula[first - 1]) != std::string_view::npos) {
    FormulaScanner(formula, first - 1).fail(kWhat);
  }
  FormulaScanner behind(formula, last);
  if (!behind.at_end() && behind.peek() != '-' &&
      kOthers.find(behind.peek()) != std::string_view::npos) {
    behind.fail(kWhat);
  }
}

}  // namespace

std::vector<GroupTerm> one_scale_each(const std::vector<GroupTerm>& terms) {
  std::vector<GroupTerm> all;
  for (const GroupTerm& term : terms) {
    if (term.correlated || term.size() < 2) {
      all.push_back(term);
      all.back().correlated = true;
      continue;
    }
    GroupTerm one = term;
    one.correlated = true;
    one.slopes.clear();
    if (term.intercept) {
      all.push_back(one);
    }
    one.intercept = false;
    for (const std::string& slope : term.slopes) {
      one.slopes = {slope};
      all.push_back(one);
    }
  }
  return all;
}

SplitFormula split_group_terms(const std::string& formula) {
  SplitFormula split{formula, {}};
  for (std::size_t at = find_term(formula, 0); at != std::string::npos;) {
    TermReader reader(formula, at + 1);
    for (GroupTerm& term : reader.read()) {
      split.groups.push_back(std::move(term));
    }
    std::size_t first = at;
    while (first > 0 && is_blank(formula[first - 1])) {
      --first;
    }
    require_sum(formula, first, reader.at());
    const bool added = first > 0 && formula[first - 1] == '+';
    std::fill(split.rest.begin() + static_cast<std::ptrdiff_t>(added ? first - 1 : at),
              split.rest.begin() + static_cast<std::ptrdiff_t>(reader.at()), ' ');
    at = find_term(formula, reader.at());
  }
  const std::size_t tilde = split.rest.find('~');
  if (!split.groups.empty() && tilde != std::string::npos &&
      std::all_of(split.rest.begin() + static_cast<std::ptrdiff_t>(tilde) + 1, split.rest.end(),
                  is_blank)) {
    split.rest[std::min(tilde + 1, split.rest.size() - 1)] = '1';  // an intercept alone
  }
  return split;
}

bool is_crossed(const std::vector<GroupTerm>& terms) {
  return terms.size() > 1 ||
         (terms.size() == 1 && (terms.front().members.size() > 1 || terms.front().is_smooth()));
}

std::vector<std::string> coefficient_names(const GroupTerm& term) {
  std::vector<std::string> names;
  if (term.intercept) {
    names.push_back(term.factor);
  }
  for (const std::string& slope : term.slopes) {
    names.push_back(term.factor + "." + slope);
  }
  return names;
}

std::vector<std::string> factor_columns(const GroupTerm& term) {
  std::vector<std::string> columns;
  for (const GroupMember& member : term.all_members()) {
    columns.insert(columns.end(), member.columns.begin(), member.columns.end());
  }
  return columns;
}

std::string to_text(const GroupTerm& term) {
  if (term.is_smooth()) {
    return term.factor;
  }
  std::string text = term.intercept ? "1" : "0";
  for (const std::string& slope : term.slopes) {
    text += " + " + formula_word(slope);
  }
  std::string factor;
  for (const GroupMember& member : term.all_members()) {
    if (!factor.empty()) {
      factor += member.sign > 0.0 ? " + " : " - ";
    }
    for (const std::string& column : member.columns) {
      factor += (&column == &member.columns.front() ? "" : ":") + formula_word(column);
    }
  }
  return fmt::format("({} {} {})", text, term.correlated ? "|" : "||", factor);
}

}  // namespace flymc
