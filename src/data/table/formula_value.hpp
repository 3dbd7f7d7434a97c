// A number made of the columns of one row: log(a + 1), I((a - b)^2).
//
//   + - * / ^ and parentheses, numbers, columns, and
//   I, log, log2, log10, log1p, exp, expm1, sqrt, abs
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace flymc {

class FormulaScanner;

class FormulaValue {
 public:
  // The columns it is made of, each once.
  [[nodiscard]] const std::vector<std::string>& columns() const noexcept { return columns_; }

  // `values`: of columns(), in their order; `scratch`: room for size() numbers. NaN and infinity
  // where a function has no number for an answer.
  [[nodiscard]] double operator()(std::span<const double> values,
                                  std::span<double> scratch) const noexcept;
  [[nodiscard]] std::size_t size() const noexcept { return steps_.size(); }

  // What a formula says of it, the same for the same value: "log(a + 1)".
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

  // A column, or one call of a function: what can stand as a term.
  [[nodiscard]] bool is_column() const noexcept {
    return steps_.size() == 1 && steps_.front().step == Step::kColumn;
  }
  [[nodiscard]] bool is_call() const noexcept { return is_call_; }

  [[nodiscard]] static FormulaValue column(const std::string& name);
  // value^exponent, for a bare power.
  [[nodiscard]] static FormulaValue power(FormulaValue value, double exponent);

 private:
  friend class FormulaValueParser;

  enum class Step {
    kColumn,
    kNumber,
    kNegate,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kPower,
    kLog,
    kLog2,
    kLog10,
    kLog1p,
    kExp,
    kExpm1,
    kSqrt,
    kAbs
  };
  struct Instruction {
    Step step;
    std::size_t column = 0;  // kColumn
    double number = 0.0;     // kNumber
  };
  static double apply(Step step, double a) noexcept;
  static double apply(Step step, double a, double b) noexcept;
  void push_column(const std::string& name);

  std::vector<std::string> columns_;
  std::vector<Instruction> steps_;  // postfix
  std::string text_;
  bool is_call_ = false;
};

// Whether a function of this name makes a number of a number.
[[nodiscard]] bool is_value_function(const std::string& name);

// What stands in the parentheses of a function: an expression, up to the , or ) behind it.
[[nodiscard]] FormulaValue parse_formula_value(FormulaScanner& scanner);
// The call of a value function whose name was taken: "(...)".
[[nodiscard]] FormulaValue parse_formula_call(FormulaScanner& scanner, const std::string& function);

// All functions of a formula, for messages.
inline constexpr const char* kFormulaFunctions =
    "I, log, log2, log10, log1p, exp, expm1, sqrt, abs, scale, poly, bs, s, factor and offset";

}  // namespace flymc
