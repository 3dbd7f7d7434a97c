// The part of a typed-in likelihood that is made of data: plain numbers, once a row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "family/auto/op.hpp"

namespace flymc::typed {

// What an operation gives for numbers; operands it has not are ignored.
[[nodiscard]] double evaluate(Op op, double a, double b = 0.0, double c = 0.0) noexcept;

// Values are numbered: columns, then literals, then the results of steps. No allocation.
class RowCode {
 public:
  static constexpr std::size_t kMostValues = 256;  // one byte numbers them

  struct Step {
    Op op;
    std::uint8_t a, b, c;
  };
  std::vector<std::uint16_t> columns{};  // where they stand in a row of data
  std::vector<double> literals{};
  std::vector<Step> steps{};

  [[nodiscard]] std::size_t size() const noexcept {
    return columns.size() + literals.size() + steps.size();
  }
  // `values` has room for size() of them.
  void run(std::span<const double> data, double* values) const noexcept;
};

}  // namespace flymc::typed
