#include "family/auto/row_code.hpp"

#include <algorithm>
#include <cmath>

#include "flymc/detail/family/auto/functions.hpp"

namespace flymc::typed {
namespace {

using smooth::Value;

double logical(bool holds) noexcept { return holds ? 1.0 : 0.0; }

double condition(Op op, double a, double b, double c) noexcept {
  switch (op) {
    case Op::kLess:
      return logical(a < b);
    case Op::kLessEqual:
      return logical(a <= b);
    case Op::kEqual:
      return logical(a == b);
    case Op::kAnd:
      return logical(a != 0.0 && b != 0.0);
    case Op::kOr:
      return logical(a != 0.0 || b != 0.0);
    case Op::kNot:
      return logical(a == 0.0);
    default:
      return a != 0.0 ? b : c;
  }
}

// std::max and std::min would drop a NaN, or not, by the order of their operands.
double larger(double a, double b) noexcept {
  return std::isnan(a) || std::isnan(b) ? std::nan("") : std::max(a, b);
}

double arithmetic(Op op, double a, double b) noexcept {
  switch (op) {
    case Op::kAdd:
      return a + b;
    case Op::kSubtract:
      return a - b;
    case Op::kMultiply:
      return a * b;
    case Op::kDivide:
      return a / b;
    case Op::kPower:
      return std::pow(a, b);
    case Op::kMax:
      return larger(a, b);
    case Op::kMin:
      return -larger(-a, -b);
    case Op::kAbs:
      return std::abs(a);
    case Op::kFloor:
      return std::floor(a);
    case Op::kStep:
      return logical(a >= 0.0);
    default:
      return a >= 0.0 ? a : std::nan("");  // kRise
  }
}

double function(Op op, Value x, double b) noexcept {
  switch (op) {
    case Op::kExp:
      return smooth::exp(x).value;
    case Op::kExpm1:
      return smooth::expm1(x).value;
    case Op::kLog:
      return smooth::log(x).value;
    case Op::kLog1p:
      return smooth::log1p(x).value;
    case Op::kSqrt:
      return smooth::sqrt(x).value;
    case Op::kSoftplus:
      return smooth::softplus(x).value;
    case Op::kSigmoid:
      return smooth::sigmoid(x).value;
    case Op::kTanh:
      return smooth::tanh(x).value;
    case Op::kLog1mExp:
      return smooth::log1mexp(x).value;
    case Op::kLogGamma:
      return smooth::lgamma(x).value;
    case Op::kDigamma:
      return smooth::digamma(x).value;
    case Op::kLogRising:
      return smooth::lrising(x, b).value;
    default:
      return smooth::std_normal_lcdf(x).value;
  }
}

}  // namespace

double evaluate(Op op, double a, double b, double c) noexcept {
  switch (op) {
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply:
    case Op::kDivide:
    case Op::kPower:
    case Op::kMax:
    case Op::kMin:
    case Op::kAbs:
    case Op::kFloor:
    case Op::kStep:
    case Op::kRise:
      return arithmetic(op, a, b);
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kEqual:
    case Op::kAnd:
    case Op::kOr:
    case Op::kNot:
    case Op::kSelect:
      return condition(op, a, b, c);
    default:
      return function(op, a, b);
  }
}

void RowCode::run(std::span<const double> data, double* values) const noexcept {
  double* next = values;
  for (const std::uint16_t column : columns) {
    *next++ = data[column];
  }
  next = std::copy(literals.begin(), literals.end(), next);
  for (const Step& step : steps) {
    *next++ = evaluate(step.op, values[step.a], values[step.b], values[step.c]);
  }
}

}  // namespace flymc::typed
