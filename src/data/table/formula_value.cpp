#include "data/table/formula_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/text.hpp"
#include "data/table/formula_scanner.hpp"

namespace flymc {

double FormulaValue::apply(Step step, double a) noexcept {
  switch (step) {
    case Step::kNegate:
      return -a;
    case Step::kLog:
      return std::log(a);
    case Step::kLog2:
      return std::log2(a);
    case Step::kLog10:
      return std::log10(a);
    case Step::kLog1p:
      return std::log1p(a);
    case Step::kExp:
      return std::exp(a);
    case Step::kExpm1:
      return std::expm1(a);
    case Step::kSqrt:
      return std::sqrt(a);
    default:
      return std::abs(a);
  }
}

double FormulaValue::apply(Step step, double a, double b) noexcept {
  switch (step) {
    case Step::kAdd:
      return a + b;
    case Step::kSubtract:
      return a - b;
    case Step::kMultiply:
      return a * b;
    case Step::kDivide:
      return a / b;
    default:
      return std::pow(a, b);
  }
}

double FormulaValue::operator()(std::span<const double> values,
                                std::span<double> scratch) const noexcept {
  std::size_t top = 0;
  for (const Instruction& next : steps_) {
    if (next.step == Step::kColumn) {
      scratch[top++] = values[next.column];
    } else if (next.step == Step::kNumber) {
      scratch[top++] = next.number;
    } else if (next.step >= Step::kAdd && next.step <= Step::kPower) {
      --top;
      scratch[top - 1] = apply(next.step, scratch[top - 1], scratch[top]);
    } else {
      scratch[top - 1] = apply(next.step, scratch[top - 1]);
    }
  }
  return scratch[0];
}

void FormulaValue::push_column(const std::string& name) {
  const auto found = std::find(columns_.begin(), columns_.end(), name);
  steps_.push_back({Step::kColumn, static_cast<std::size_t>(found - columns_.begin())});
  if (found == columns_.end()) {
    columns_.push_back(name);
  }
}

FormulaValue FormulaValue::column(const std::string& name) {
  FormulaValue value;
  value.push_column(name);
  value.text_ = formula_word(name);
  return value;
}

FormulaValue FormulaValue::power(FormulaValue value, double exponent) {
  value.steps_.push_back({Step::kNumber, 0, exponent});
  value.steps_.push_back({Step::kPower});
  value.text_ += fmt::format("^{}", exponent);
  return value;
}

// Recursive descent; each rule appends its steps and returns its text as R would print it.
class FormulaValueParser {
 public:
  explicit FormulaValueParser(FormulaScanner& scanner) : scanner_(scanner) {}

  FormulaValue run() {
    value_.text_ = sum();
    value_.is_call_ = value_.text_ == last_call_;
    return std::move(value_);
  }
  FormulaValue run_call(const std::string& function) {
    value_.text_ = call(function);
    value_.is_call_ = true;
    return std::move(value_);
  }

  struct Function {
    const char* name;
    FormulaValue::Step step;
  };
  static constexpr std::array<Function, 9> kFunctions = {
      {{"I", FormulaValue::Step::kColumn},  // the number itself
       {"log", FormulaValue::Step::kLog},
       {"log2", FormulaValue::Step::kLog2},
       {"log10", FormulaValue::Step::kLog10},
       {"log1p", FormulaValue::Step::kLog1p},
       {"exp", FormulaValue::Step::kExp},
       {"expm1", FormulaValue::Step::kExpm1},
       {"sqrt", FormulaValue::Step::kSqrt},
       {"abs", FormulaValue::Step::kAbs}}};

 private:
  using Step = FormulaValue::Step;

  void push(Step step) { value_.steps_.push_back({step}); }

  std::string sum() {
    const FormulaScanner::Level level(scanner_);
    std::string text = product();
    for (char symbol = scanner_.peek(); symbol == '+' || symbol == '-'; symbol = scanner_.peek()) {
      scanner_.take();
      text += fmt::format(" {} {}", symbol, product());
      push(symbol == '+' ? Step::kAdd : Step::kSubtract);
    }
    return text;
  }

  std::string product() {
    std::string text = negation();
    for (char symbol = scanner_.peek(); symbol == '*' || symbol == '/'; symbol = scanner_.peek()) {
      scanner_.take();
      text += (symbol == '*' ? " * " : "/") + negation();
      push(symbol == '*' ? Step::kMultiply : Step::kDivide);
    }
    return text;
  }

  std::string negation() {
    const FormulaScanner::Level level(scanner_);
    if (!scanner_.take_if('-')) {
      return power();
    }
    const std::string text = "-" + negation();
    push(Step::kNegate);
    return text;
  }

  std::string power() {
    std::string text = atom();
    if (scanner_.take_if('^')) {
      text += "^" + negation();
      push(Step::kPower);
    }
    return text;
  }

  std::string atom() {
    if (scanner_.take_if('(')) {
      const std::string text = "(" + sum() + ")";
      scanner_.expect(')', "expected )");
      return text;
    }
    if (scanner_.at_number()) {
      const double number = scanner_.number();
      value_.steps_.push_back({Step::kNumber, 0, number});
      return fmt::format("{}", number);
    }
    const FormulaScanner::Name name = scanner_.name();
    if (!name.quoted && scanner_.peek() == '(') {
      return call(name.text);
    }
    value_.push_column(name.text);
    return formula_word(name.text);
  }

  std::string call(const std::string& function) {
    const auto found = std::find_if(kFunctions.begin(), kFunctions.end(),
                                    [&](const Function& one) { return one.name == function; });
    if (found == kFunctions.end()) {
      scanner_.fail(fmt::format("no function {} of a number; there are {}", in_quotes(function),
                                "I, log, log2, log10, log1p, exp, expm1, sqrt and abs"));
    }
    scanner_.expect('(', "expected (");
    const std::string text = function + "(" + sum() + ")";
    scanner_.expect(')', "expected )");
    if (found->step != Step::kColumn) {
      push(found->step);
    }
    last_call_ = text;
    return text;
  }

  FormulaScanner& scanner_;
  FormulaValue value_;
  std::string last_call_;  // its text: where this is all, there is nothing else
};

bool is_value_function(const std::string& name) {
  const auto& functions = FormulaValueParser::kFunctions;
  return std::any_of(functions.begin(), functions.end(),
                     [&](const auto& one) { return one.name == name; });
}

FormulaValue parse_formula_value(FormulaScanner& scanner) {
  return FormulaValueParser(scanner).run();
}

FormulaValue parse_formula_call(FormulaScanner& scanner, const std::string& function) {
  return FormulaValueParser(scanner).run_call(function);
}

}  // namespace flymc
