// A typed-in likelihood as straight-line code, run on any scalar type of the library.
//
// What depends on data alone is plain numbers (RowCode); what predictors enter is a list of steps
// over registers, each value computed once. Where a likelihood asks `if` of data, there is a tape
// for every answer, and a row has one. What one predictor enters alone, and no data, is remembered:
// where all rows share that predictor (a shape, a size), it is the same row after row. Immutable
// (what is remembered is a thread's, 250 KB for all scalars); evaluation allocates nothing.
// See docs/method/automatic.md, Likelihoods as text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "family/auto/op.hpp"
#include "family/auto/row_code.hpp"

namespace flymc::typed {

// Predictors are the first registers; they keep their values.
struct Tape {
  static constexpr std::size_t kMostPredictors = 4;
  static constexpr std::size_t kMostRegisters = 64;
  static constexpr std::size_t kMostSteps = 1'000;
  static constexpr std::size_t kMostKept = 4;  // steps of a predictor that are remembered
  static constexpr std::uint8_t kNotKept = 255;

  struct Step {
    Op op;
    std::uint8_t to = 0;
    std::uint8_t left = 0;          // a register
    std::uint8_t right = 0;         // a register, or a value of the row
    std::uint8_t predictor = 0;     // the one that enters it, if it may be remembered,
    std::uint8_t place = kNotKept;  // and which of those steps it is
  };
  RowCode row{};
  std::vector<Step> steps{};
  bool is_number = false;    // no predictor enters the result,
  std::uint8_t result = 0;   // which is this value of the row, else this register
  std::uint64_t serial = 0;  // no two tapes have the same, but for copies; 0 remembers nothing

  // Value, and Dual, Jet2, Remainder and Slope of order 4 with 1 to 4 variables. REQUIRES: as many
  // variables as predictors, or none.
  template <class T>
  [[nodiscard]] T evaluate(const double* values, std::span<const T> predictors) const noexcept;
};

// A choice between two others by a value of `conditions`, or a tape.
struct Program {
  static constexpr std::size_t kMostTapes = 32;

  struct Choice {
    std::uint8_t condition;
    std::size_t yes, no;  // choices, or, from kTape on, tapes
  };
  static constexpr std::size_t kTape = 1'000;
  RowCode conditions{};
  std::vector<Choice> choices{};  // the first decides first
  std::vector<Tape> tapes{};

  [[nodiscard]] const Tape& tape_of(std::span<const double> data) const noexcept;
};

}  // namespace flymc::typed
