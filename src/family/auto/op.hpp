// The operations that a typed-in likelihood is made of, in the order of its evaluation.
//
// A number is a value that no predictor enters: a literal, a column of data, or what is made of
// these. Everything else is smooth, a scalar type of the library.
#pragma once

#include <cstdint>

namespace flymc::typed {

enum class Op : std::uint8_t {
  // Leaves: a literal, a column, a predictor.
  kLiteral,
  kColumn,
  kPredictor,
  // Of two numbers, or of two smooth values.
  kAdd,
  kSubtract,
  kMultiply,
  // Of a smooth value, and of a number that is its second operand.
  kAddNumber,
  kNumberMinus,
  kScale,
  kPower,
  kLogRising,
  // Functions, of a number or of a smooth value.
  kExp,
  kExpm1,
  kLog,
  kLog1p,
  kSqrt,
  kSquare,
  kInverse,
  kSoftplus,
  kSigmoid,
  kTanh,
  kLog1mExp,
  kLogGamma,
  kDigamma,
  kLogNormalCdf,
  // Of numbers alone. Conditions are 0 or 1. kRise is its operand, and no number if that is
  // negative; kSelect its second operand where the first is not 0, else its third.
  kDivide,
  kAbs,
  kMax,
  kMin,
  kFloor,
  kStep,
  kRise,
  kLess,
  kLessEqual,
  kEqual,
  kAnd,
  kOr,
  kNot,
  kSelect,
};

}  // namespace flymc::typed
