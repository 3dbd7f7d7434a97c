#include "family/auto/syntax.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <span>
#include <utility>

#include "core/message.hpp"
#include "core/text.hpp"
#include "family/auto/vocabulary.hpp"
#include "flymc/error.hpp"

namespace flymc::typed {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '.' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// "at character 7", in a text of several lines "at line 2, character 7", counted as a reader does.
std::string place(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  const std::size_t line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t begin = line == 0 ? 0 : before.rfind('\n') + 1;
  const auto starts = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  const auto characters =
      std::count_if(before.begin() + static_cast<std::ptrdiff_t>(begin), before.end(), starts);
  return text.find('\n') == std::string_view::npos
             ? fmt::format("at character {}", characters + 1)
             : fmt::format("at line {}, character {}", line + 1, characters + 1);
}

class Parser {
 public:
  Parser(std::string_view text, const Names& names) : text_(text), names_(names) {}

  Syntax run() {
    if (text_.size() > kLongestText) {
      fail_text(text_, fmt::format("{} characters", with_commas(text_.size())),
                fmt::format("at most {} are read.", with_commas(kLongestText)));
    }
    while (definition()) {
    }
    const std::size_t begin = begin_of_next();
    if (at_end()) {
      fail(begin, "the log density is missing", "expected an expression after the definitions.");
    }
    syntax_.result = number_or_smooth(begin, value());
    const std::size_t end = begin_of_next();
    if (take(";") && !at_end()) {
      fail(begin, "an expression that is not the last has no name", "expected name = before it.");
    }
    if (!at_end()) {
      fail_unexpected(end, "the end");
    }
    return std::move(syntax_);
  }

 private:
  // Errors.
  [[noreturn]] void fail(std::size_t at, std::string_view problem,
                         const std::string& remedy) const {
    const std::string_view rest = text_.substr(std::min(at, text_.size()));
    throw Error(ErrorKind::kUsage,
                message("{}: {}, {} ({})", Setting{"likelihood", shortened(text_)}, problem,
                        place(text_, std::min(at, text_.size())),
                        rest.empty() ? "the end" : in_quotes(rest)),
                remedy);
  }

  // After a whole operand, where an operator or `end` may stand.
  [[noreturn]] void fail_unexpected(std::size_t at, std::string_view end) const {
    const std::string_view rest = text_.substr(at);
    for (const Foreign& symbol : kForeignSymbols) {
      if (rest.substr(0, symbol.name.size()) == symbol.name) {
        fail(at, fmt::format("{} is not read", symbol.name), fmt::format("write {}.", symbol.ours));
      }
    }
    if (rest.substr(0, 1) == "=") {
      fail(at, "= only defines a name", "to compare write ==; a name may be defined once.");
    }
    if (!rest.empty() && (rest[0] == '<' || rest[0] == '>')) {
      fail(at, "two comparisons in a row", "write a < b and b < c for a < b < c.");
    }
    if (rest.empty()) {
      fail(at, "the text ends too early", fmt::format("expected {}.", end));
    }
    fail(at, "unexpected text", fmt::format("expected an operator or {}.", end));
  }

  [[noreturn]] void fail_name(std::size_t at, const std::string& word) const {
    std::vector<std::string> all = names_.predictors;
    all.insert(all.end(), names_.columns.begin(), names_.columns.end());
    for (const Definition& definition : syntax_.definitions) {
      all.push_back(definition.name);
    }
    constexpr std::size_t kListed = 10;
    const std::string guess = nearest(word, all);
    fail(at, fmt::format("no name {}", in_quotes(word)),
         guess.empty() ? fmt::format("names are {}.", listed(all, ", ", kListed))
                       : fmt::format("did you mean {}?", in_quotes(guess)));
  }

  [[noreturn]] void fail_function(std::size_t at, const std::string& word) const {
    for (const Foreign& function : kForeign) {
      if (word == function.name) {
        fail(at, fmt::format("no function '{}'", word), fmt::format("write {}.", function.ours));
      }
    }
    const std::vector<std::string> all = function_names();
    const std::string guess = nearest(word, all);
    fail(at, fmt::format("no function {}", in_quotes(word)),
         guess.empty() ? fmt::format("functions are {}.", listed(all, ", ", all.size()))
                       : fmt::format("did you mean {}?", in_quotes(guess)));
  }

  [[noreturn]] void fail_operand(std::size_t at) const {
    if (at < text_.size() && text_[at] == '!') {
      fail(at, "! is not read", "write not.");
    }
    fail(at, at < text_.size() ? "unexpected text" : "the text ends too early",
         "expected a number, a name, a function or a parenthesis.");
  }

  // The text.
  std::size_t begin_of_next() {
    at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size());
    return at_;
  }
  bool at_end() { return begin_of_next() == text_.size(); }
  bool sees(std::string_view symbol) {
    begin_of_next();
    return text_.substr(at_, symbol.size()) == symbol;
  }
  bool take(std::string_view symbol) {
    const bool found = sees(symbol);
    at_ += found ? symbol.size() : 0;
    return found;
  }
  void expect(std::string_view symbol) {
    if (!take(symbol)) {
      fail_unexpected(at_, in_quotes(symbol));
    }
  }
  // The word that starts here; empty where none does.
  std::string_view word() {
    const std::size_t begin = begin_of_next();
    if (at_end() || is_digit(text_[begin]) || text_[begin] == '.') {
      return {};
    }
    std::size_t end = begin;
    while (end < text_.size() && is_word(text_[end])) {
      ++end;
    }
    return text_.substr(begin, end - begin);
  }
  bool take_word(std::string_view wanted) {
    const bool found = word() == wanted;
    at_ += found ? wanted.size() : 0;
    return found;
  }
  std::string quoted_name() {
    const std::size_t begin = at_;
    const std::size_t end = text_.find('`', begin + 1);
    if (end == std::string_view::npos || end == begin + 1) {
      fail(begin, "a name in backquotes is empty or not closed", "expected `name`.");
    }
    at_ = end + 1;
    return std::string(text_.substr(begin + 1, end - begin - 1));
  }

  // Trees.
  std::size_t make(Tree tree) {
    syntax_.trees.push_back(std::move(tree));
    return syntax_.trees.size() - 1;
  }
  [[nodiscard]] Type type(std::size_t tree) const { return syntax_.trees[tree].type; }
  [[nodiscard]] Type joint_type(std::span<const Operand> operands) const {
    const bool is_smooth = std::any_of(operands.begin(), operands.end(), [&](const Operand& each) {
      return type(each.tree) == Type::kSmooth;
    });
    return is_smooth ? Type::kSmooth : Type::kNumber;
  }
  std::size_t number_or_smooth(std::size_t at, std::size_t tree) const {
    if (type(tree) == Type::kCondition) {
      fail(at, "a condition is no number", "write if(condition, 1, 0).");
    }
    return tree;
  }
  std::size_t condition(std::size_t at, std::size_t tree) const {
    if (type(tree) == Type::kSmooth) {
      fail(at, "a condition on a predictor is not smooth", std::string(kSmoothIf));
    }
    if (type(tree) == Type::kNumber) {
      fail(at, "a number is no condition", "expected one on data, such as y > 0.");
    }
    return tree;
  }

  // Every way into a deeper level.
  class Level {
   public:
    explicit Level(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > kDeepestNesting) {
        parser_.fail(parser_.at_, fmt::format("nested more than {} deep", kDeepestNesting),
                     "give the inner parts names.");
      }
    }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ~Level() { --parser_.depth_; }

   private:
    Parser& parser_;
  };

  // The grammar, from the top.
  bool definition() {
    const std::size_t begin = begin_of_next();
    const std::string name(word());
    const std::size_t after = text_.find_first_not_of(kBlanks, begin + name.size());
    const bool defines = !name.empty() && after != std::string_view::npos && text_[after] == '=' &&
                         text_.substr(after, 2) != "==";
    if (!defines) {
      return false;
    }
    if (is_reserved(name) || find_name(name)) {
      fail(begin, fmt::format("{} is taken", in_quotes(name)), "choose another name.");
    }
    at_ = after + 1;
    const std::size_t tree = value();
    expect(";");
    syntax_.definitions.push_back({name, tree});
    return true;
  }

  std::size_t value() {
    const Level level(*this);
    return disjunction();
  }

  std::size_t disjunction() { return conditions("or", Form::kOr, &Parser::conjunction); }
  std::size_t conjunction() { return conditions("and", Form::kAnd, &Parser::negation); }
  std::size_t conditions(std::string_view between, Form form, std::size_t (Parser::*part)()) {
    const std::size_t begin = begin_of_next();
    std::size_t tree = (this->*part)();
    while (take_word(between)) {
      const std::size_t next = begin_of_next();
      const std::size_t left = condition(begin, tree);
      const std::size_t right = condition(next, (this->*part)());
      tree = make({.form = form, .type = Type::kCondition, .operands = {{left}, {right}}});
    }
    return tree;
  }

  std::size_t negation() {
    if (!take_word("not")) {
      return comparison();
    }
    const Level level(*this);
    const std::size_t begin = begin_of_next();
    const std::size_t inner = condition(begin, negation());
    return make({.form = Form::kNot, .type = Type::kCondition, .operands = {{inner}}});
  }

  std::size_t comparison() {
    const std::size_t begin = begin_of_next();
    const std::size_t left = sum();
    for (const Comparison& each : kComparisons) {
      const std::size_t at = begin_of_next();
      if (!take(each.symbol)) {
        continue;
      }
      const std::size_t right_begin = begin_of_next();
      const Operand a{number_or_smooth(begin, left)};
      const Operand b{number_or_smooth(right_begin, sum())};
      const std::array both{a, b};
      if (joint_type(both) == Type::kSmooth) {
        fail(at, "a comparison of predictors is not smooth", std::string(kSmoothIf));
      }
      Tree tree{.form = Form::kCompare, .type = Type::kCondition, .op = each.op};
      tree.operands = each.is_swapped ? std::vector{b, a} : std::vector{a, b};
      const std::size_t made = make(std::move(tree));
      return each.is_negated
                 ? make({.form = Form::kNot, .type = Type::kCondition, .operands = {{made}}})
                 : made;
    }
    return left;
  }

  std::size_t sum() { return chain(Form::kSum, "+", "-", &Parser::product); }
  std::size_t product() { return chain(Form::kProduct, "*", "/", &Parser::unary); }
  std::size_t chain(Form form, std::string_view forward, std::string_view reverse,
                    std::size_t (Parser::*part)()) {
    const std::size_t begin = begin_of_next();
    const std::size_t first = (this->*part)();
    std::vector<Operand> operands{{first}};
    while (!sees("**") && (sees(forward) || sees(reverse))) {
      const bool is_reversed = take(reverse);
      if (!is_reversed) {
        take(forward);
      }
      if (operands.size() == 1) {
        number_or_smooth(begin, first);
      }
      const std::size_t next = begin_of_next();
      operands.push_back({number_or_smooth(next, (this->*part)()), is_reversed});
    }
    if (operands.size() == 1) {
      return first;
    }
    const Type joint = joint_type(operands);
    return make({.form = form, .type = joint, .operands = std::move(operands)});
  }

  std::size_t unary() {
    if (!take("-")) {
      return power();
    }
    const Level level(*this);
    const std::size_t begin = begin_of_next();
    const std::size_t inner = number_or_smooth(begin, unary());
    return make({.form = Form::kSum, .type = type(inner), .operands = {{inner, true}}});
  }

  std::size_t power() {
    const std::size_t begin = begin_of_next();
    const std::size_t base = primary();
    if (!take("^")) {
      return base;
    }
    const Level level(*this);
    number_or_smooth(begin, base);
    const std::size_t at = begin_of_next();
    const std::size_t exponent = number_or_smooth(at, unary());
    return raised(base, exponent, at);
  }
  std::size_t raised(std::size_t base, std::size_t exponent, std::size_t at) {
    if (type(exponent) == Type::kSmooth) {
      fail(at, "an exponent has no predictors", "write exp(b*log(a)) for a^b.");
    }
    return make({.form = Form::kFunction,
                 .type = type(base),
                 .op = Op::kPower,
                 .operands = {{base}, {exponent}}});
  }

  std::size_t primary() {
    const std::size_t begin = begin_of_next();
    if (take("(")) {
      const std::size_t inner = value();
      expect(")");
      return inner;
    }
    if (sees("`")) {
      return name(begin, quoted_name());
    }
    const std::string found(word());
    if (found.empty()) {
      return number();
    }
    at_ = begin + found.size();
    if (found == "if") {
      return choice();
    }
    return sees("(") ? call(begin, found) : name(begin, found);
  }

  std::size_t number() {
    const std::size_t begin = begin_of_next();
    if (at_end() || !(is_digit(text_[begin]) || text_[begin] == '.')) {
      fail_operand(begin);
    }
    double literal = 0.0;
    const char* const first = text_.data() + begin;
    const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), literal);
    if (error == std::errc::result_out_of_range) {
      fail(begin, "a number too large or too small", "expected one between 1e-308 and 1e308.");
    }
    if (error != std::errc{}) {
      fail_operand(begin);
    }
    at_ = begin + static_cast<std::size_t>(end - first);
    if (at_ < text_.size() && is_word(text_[at_])) {
      fail(at_, "a number and a name without an operator", "expected one, such as *, between.");
    }
    return make({.form = Form::kLiteral, .literal = literal});
  }

  [[nodiscard]] std::optional<Tree> find_name(std::string_view word) const {
    const auto find = [&](const std::vector<std::string>& all) {
      return static_cast<std::size_t>(std::find(all.begin(), all.end(), word) - all.begin());
    };
    if (const std::size_t i = find(names_.predictors); i < names_.predictors.size()) {
      return Tree{.form = Form::kPredictor, .type = Type::kSmooth, .index = i};
    }
    if (const std::size_t i = find(names_.columns); i < names_.columns.size()) {
      return Tree{.form = Form::kColumn, .index = i};
    }
    for (std::size_t i = 0; i < syntax_.definitions.size(); ++i) {
      if (syntax_.definitions[i].name == word) {
        return Tree{.form = Form::kDefined, .type = type(syntax_.definitions[i].tree), .index = i};
      }
    }
    return std::nullopt;
  }

  std::size_t name(std::size_t begin, const std::string& word) {
    if (auto found = find_name(word)) {
      return make(std::move(*found));
    }
    for (const Function& function : kFunctions) {
      if (function.name == word) {
        fail(begin, fmt::format("{} is a function", word), fmt::format("expected {}(...).", word));
      }
    }
    if (is_reserved(word)) {
      fail_operand(begin);
    }
    fail_name(begin, word);
  }

  std::size_t choice() {
    if (!take("(")) {
      fail(at_, "if is a function", "expected if(condition, a, b).");
    }
    const std::size_t at = begin_of_next();
    const std::size_t decides = value();
    if (sees("=")) {
      fail_unexpected(at_, "','");
    }
    std::vector<Operand> operands{{condition(at, decides)}};
    expect(",");
    for (const std::string_view after : {",", ")"}) {
      const std::size_t begin = begin_of_next();
      operands.push_back({number_or_smooth(begin, value())});
      expect(after);
    }
    const Type joint = joint_type(operands);
    return make({.form = Form::kIf, .type = joint, .operands = std::move(operands)});
  }

  std::size_t call(std::size_t begin, const std::string& word) {
    const auto function = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                       [&](const Function& each) { return each.name == word; });
    if (function == std::end(kFunctions)) {
      if (find_name(word)) {
        fail(begin, fmt::format("{} is no function", in_quotes(word)),
             "expected an operator, such as *, before the parenthesis.");
      }
      fail_function(begin, word);
    }
    expect("(");
    std::vector<Operand> operands;
    std::vector<std::size_t> begins;
    do {
      begins.push_back(begin_of_next());
      operands.push_back({number_or_smooth(begins.back(), value())});
    } while (take(","));
    expect(")");
    if (operands.size() != function->operands) {
      fail(begin, fmt::format("{} has {}", word, counted(operands.size(), "operand")),
           fmt::format("expected {}.", function->operands));
    }
    begins.push_back(begin);
    return applied(*function, begins, std::move(operands));
  }

  // `begins` of the operands, then of the name.
  std::size_t applied(const Function& function, std::span<const std::size_t> begins,
                      std::vector<Operand> operands) {
    if (function.op == Op::kPower) {
      return raised(operands[0].tree, operands[1].tree, begins[1]);
    }
    if (function.op == Op::kLogRising && type(operands[1].tree) == Type::kSmooth) {
      fail(begins[1], "the second operand of lrising has no predictors",
           "write lgamma(a + b) - lgamma(a) for lrising(a, b).");
    }
    const Type joint = joint_type(operands);
    if (joint == Type::kSmooth && !function.smooth.empty()) {
      fail(begins.back(), fmt::format("{} of a predictor is not smooth", function.name),
           std::string(function.smooth));
    }
    const bool is_pair = function.name == "log_sigmoid";
    return make({.form = is_pair ? Form::kLogSigmoid : Form::kFunction,
                 .type = joint,
                 .op = function.op,
                 .operands = std::move(operands)});
  }

  std::string_view text_;
  const Names& names_;
  Syntax syntax_{};
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace

Syntax parse(std::string_view text, const Names& names) { return Parser(text, names).run(); }

void fail_text(std::string_view text, std::string_view problem, std::string_view remedy) {
  throw Error(ErrorKind::kUsage, message("{}: {}", Setting{"likelihood", shortened(text)}, problem),
              remedy);
}

}  // namespace flymc::typed
