#include "data/table/formula_scanner.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/message.hpp"
#include "core/text.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '.' ||
         static_cast<unsigned char>(c) >= 0x80;
}

void FormulaScanner::fail(const std::string& what) const {
  const std::string_view rest = std::string_view(text_).substr(std::min(at_, text_.size()));
  throw Error(ErrorKind::kUsage,
              message("{}: {}; at character {} ({}).", Setting{"formula", shortened(text_)}, what,
                      at_ + 1, rest.empty() ? "the end" : in_quotes(rest)));
}

char FormulaScanner::peek() {
  at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool FormulaScanner::at_end() {
  (void)peek();
  return at_ == text_.size();
}

bool FormulaScanner::take_if(char symbol) {
  if (peek() != symbol || symbol == '\0') {
    return false;
  }
  ++at_;
  return true;
}

bool FormulaScanner::take_call(std::string_view function) {
  (void)peek();
  const std::size_t begin = at_;
  if (std::string_view(text_).substr(at_).starts_with(function)) {
    at_ += function.size();
    if (take_if('(')) {
      return true;
    }
  }
  at_ = begin;
  return false;
}

void FormulaScanner::expect(char symbol, const char* what) {
  if (!take_if(symbol)) {
    fail(what);
  }
}

FormulaScanner::Name FormulaScanner::name() {
  const char first = peek();
  const std::size_t begin = at_;
  if (first == '`') {
    const std::size_t end = text_.find('`', begin + 1);
    if (end == std::string::npos || end == begin + 1) {
      fail("a name in backquotes is empty or not closed");
    }
    at_ = end + 1;
    return {text_.substr(begin + 1, end - begin - 1), true};
  }
  if (at_end()) {
    fail("a column is missing");
  }
  if (!is_word(first) || is_digit(first)) {
    fail("expected a column, with `backquotes` around a name that is not a word");
  }
  while (at_ < text_.size() && is_word(text_[at_])) {
    ++at_;
  }
  return {text_.substr(begin, at_ - begin)};
}

bool FormulaScanner::at_number() {
  const char first = peek();
  return is_digit(first) || (first == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]));
}

bool FormulaScanner::at_dot() {
  return peek() == '.' && (at_ + 1 == text_.size() || !is_word(text_[at_ + 1]));
}

double FormulaScanner::number() {
  if (!at_number()) {
    fail("expected a number");
  }
  double value = 0.0;
  const char* const begin = text_.data() + at_;
  const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
  const bool ends = end == text_.data() + text_.size() || !is_word(*end);
  if (error != std::errc() || !std::isfinite(value) || !ends) {
    fail("not a number");
  }
  at_ += static_cast<std::size_t>(end - begin);
  return value;
}

FormulaScanner::Level::Level(FormulaScanner& scanner) : scanner_(scanner) {
  constexpr int kDeepest = 100;
  if (scanner_.depth_ >= kDeepest) {
    scanner_.fail("too many parentheses within parentheses");
  }
  ++scanner_.depth_;
}

std::string formula_word(const std::string& name) {
  const bool plain = !name.empty() && !is_digit(name[0]) && name[0] != '.' &&
                     std::all_of(name.begin(), name.end(), is_word);
  return plain ? name : "`" + name + "`";
}

}  // namespace flymc
