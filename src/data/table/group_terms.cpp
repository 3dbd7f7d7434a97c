#include "data/table/group_terms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "core/message.hpp"
#include "core/text.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

bool is_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' ||
         static_cast<unsigned char>(c) >= 0x80;
}

class TermReader {
 public:
  // From behind the parenthesis on.
  TermReader(const std::string& formula, std::size_t at) : text_(formula), at_(at) {}

  GroupTerm read() {
    GroupTerm term;
    do {
      read_coefficient(term);
    } while (takes('+'));
    if (!takes('|')) {
      fail("expected + or |");
    }
    term.correlated = !takes('|');
    term.factor = name("a factor");
    if (!takes(')')) {
      fail(peek() == '\0' ? "a parenthesis is not closed"
                          : "one factor stands behind the |; several, nested and signed ones are "
                            "not read");
    }
    if (term.size() == 0) {
      fail("nothing varies: 0 takes the intercept away");
    }
    return term;
  }
  [[nodiscard]] std::size_t at() const noexcept { return at_; }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    const std::string_view rest = std::string_view(text_).substr(std::min(at_, text_.size()));
    throw Error(ErrorKind::kUsage,
                message("{}: {}; at character {} ({}).", Setting{"formula", shortened(text_)}, what,
                        at_ + 1, rest.empty() ? "the end" : in_quotes(rest)));
  }

  char peek() {
    while (at_ < text_.size() && is_blank(text_[at_])) {
      ++at_;
    }
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool takes(char c) {
    const bool here = peek() == c;
    at_ += here ? 1 : 0;
    return here;
  }

  std::string name(const char* what) {
    const char first = peek();
    const std::size_t begin = at_;
    if (first == '`') {
      const std::size_t end = text_.find('`', begin + 1);
      if (end == std::string::npos || end == begin + 1) {
        fail("a name in backquotes is empty or not closed");
      }
      at_ = end + 1;
      return text_.substr(begin + 1, end - begin - 1);
    }
    if (!is_of_name(first) || (first >= '0' && first <= '9')) {
      fail(fmt::format("expected {}", what));
    }
    while (at_ < text_.size() && is_of_name(text_[at_])) {
      ++at_;
    }
    return text_.substr(begin, at_ - begin);
  }

  void read_coefficient(GroupTerm& term) {
    const char first = peek();
    if (first == '0' || first == '1') {
      ++at_;
      term.intercept = first == '1';
      return;
    }
    std::string slope = name("a column, 1 or 0");
    if (std::ranges::find(term.slopes, slope) == term.slopes.end()) {
      term.slopes.push_back(std::move(slope));
    }
  }

  const std::string& text_;
  std::size_t at_;
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
    if ((before == 0 || !is_of_name(text[before - 1])) && bar < close) {
      return at;
    }
  }
  return std::string::npos;
}

std::string word_of(const std::string& name) {
  return std::ranges::all_of(name, is_of_name) ? name : fmt::format("`{}`", name);
}

}  // namespace

SplitFormula split_group_terms(const std::string& formula) {
  SplitFormula split{formula, {}};
  for (std::size_t at = find_term(formula, 0); at != std::string::npos;) {
    TermReader reader(formula, at + 1);
    split.groups.push_back(reader.read());
    std::size_t first = at;
    while (first > 0 && is_blank(formula[first - 1])) {
      --first;
    }
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

std::string to_text(const GroupTerm& term) {
  std::string text = term.intercept ? "1" : "0";
  for (const std::string& slope : term.slopes) {
    text += " + " + word_of(slope);
  }
  return fmt::format("({} {} {})", text, term.correlated ? "|" : "||", word_of(term.factor));
}

}  // namespace flymc
