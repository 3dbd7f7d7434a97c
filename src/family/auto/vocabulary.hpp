// The words of typed-in likelihoods, and what those of other languages are called here.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "family/auto/op.hpp"

namespace flymc::typed {

// `smooth`: what to write of a predictor instead; empty where it may be written.
struct Function {
  std::string_view name;
  Op op;
  std::size_t operands;
  std::string_view smooth = {};
};
inline constexpr Function kFunctions[] = {
    {"exp", Op::kExp, 1},
    {"expm1", Op::kExpm1, 1},
    {"log", Op::kLog, 1},
    {"log1p", Op::kLog1p, 1},
    {"sqrt", Op::kSqrt, 1},
    {"pow", Op::kPower, 2},
    {"square", Op::kSquare, 1},
    {"softplus", Op::kSoftplus, 1},
    {"sigmoid", Op::kSigmoid, 1},
    {"log_sigmoid", Op::kSoftplus, 1},
    {"tanh", Op::kTanh, 1},
    {"log1mexp", Op::kLog1mExp, 1},
    {"lgamma", Op::kLogGamma, 1},
    {"digamma", Op::kDigamma, 1},
    {"lrising", Op::kLogRising, 2},
    {"std_normal_lcdf", Op::kLogNormalCdf, 1},
    {"abs", Op::kAbs, 1, "write sqrt(square(x) + e*e) for abs(x), with a small number e."},
    {"max", Op::kMax, 2, "write b + e*softplus((a - b)/e) for max(a, b), with a small number e."},
    {"min", Op::kMin, 2, "write b - e*softplus((b - a)/e) for min(a, b), with a small number e."},
    {"step", Op::kStep, 1, "write sigmoid(x/e) for step(x), with a small number e."},
    {"floor", Op::kFloor, 1, "there is no smooth one; take it of data."},
};
inline constexpr std::string_view kSmoothIf =
    "write b + (a - b)*sigmoid((x - c)/e) for if(x > c, a, b), with a small number e.";

// What other languages call it.
struct Foreign {
  std::string_view name, ours;
};
inline constexpr Foreign kForeign[] = {
    {"ln", "log(x)"},
    {"inv_logit", "sigmoid(x)"},
    {"expit", "sigmoid(x)"},
    {"log1p_exp", "softplus(x)"},
    {"log_inv_logit", "log_sigmoid(x)"},
    {"Phi", "exp(std_normal_lcdf(x))"},
    {"lbeta", "lgamma(a) + lgamma(b) - lgamma(a + b)"},
};
inline constexpr Foreign kForeignSymbols[] = {
    {"**", "x^2"},
    {"&&", "and"},
    {"||", "or"},
    {"&", "and"},
    {"|", "or"},
    {"!", "not"},
    {"?", "if(condition, a, b)"},
};
inline constexpr std::string_view kReserved[] = {"and", "or", "not", "if"};

struct Comparison {
  std::string_view symbol;
  Op op;
  bool is_swapped, is_negated;
};
inline constexpr Comparison kComparisons[] = {
    {"<=", Op::kLessEqual, false, false}, {">=", Op::kLessEqual, true, false},
    {"==", Op::kEqual, false, false},     {"!=", Op::kEqual, false, true},
    {"<", Op::kLess, false, false},       {">", Op::kLess, true, false},
};

[[nodiscard]] inline bool is_reserved(std::string_view word) {
  return std::find(std::begin(kReserved), std::end(kReserved), word) != std::end(kReserved);
}

[[nodiscard]] inline std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const Function& function : kFunctions) {
    names.emplace_back(function.name);
  }
  names.emplace_back("if");
  return names;
}

}  // namespace flymc::typed
